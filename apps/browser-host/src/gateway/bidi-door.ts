import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '@berth/logging';
import { BidiMapper } from 'chromium-bidi';
import { BidiParser } from 'chromium-bidi/out/Default/gen/src/bidiTab/BidiParser.js';
import { MapperCdpConnection } from 'chromium-bidi/out/Default/gen/src/cdp/CdpConnection.js';
import { WebSocket, WebSocketServer } from 'ws';
import type { OpenSession } from './doorkeeper.js';

const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 64 * 1024 * 1024 });

/** Speaks WebDriver BiDi to the caller and DevTools to the browser; one mapper and one DevTools connection a caller, gone with it. */
export function openBidiDoor(
  { session, chromium }: OpenSession,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  logger: Logger,
): void {
  server.handleUpgrade(request, socket, head, (caller) => {
    const { port, path } = chromium.endpoint;
    const browser = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false, maxPayload: 512 * 1024 * 1024 });
    const cut = (): void => {
      caller.terminate();
      browser.terminate();
    };
    const leave = session.enter({ cut });
    caller.on('close', leave);
    for (const end of [caller, browser]) end.on('error', cut).on('close', cut);
    const early = holdMessages(caller);
    browser.on('open', () => {
      startMapper(caller, browser, early).catch((error: unknown) => {
        logger.warn({ err: error, session_id: session.id }, 'the BiDi mapper did not start');
        cut();
      });
    });
  });
}

type Deliver = (text: string) => void;

/** Keeps what arrives before somebody listens. */
function holdMessages(socket: WebSocket): { to(deliver: Deliver): void } {
  const held: string[] = [];
  let deliver: Deliver = (text) => held.push(text);
  socket.on('message', (data: Buffer) => deliver(data.toString('utf8')));
  return {
    to(next) {
      // The mapper sets its listener in the middle of its constructor, before it can take a command.
      queueMicrotask(() => {
        deliver = next;
        for (const text of held.splice(0)) next(text);
      });
    },
  };
}

async function startMapper(caller: WebSocket, browser: WebSocket, incoming: { to(deliver: Deliver): void }): Promise<void> {
  const cdp = new MapperCdpConnection({
    setOnMessage: (onMessage) => browser.on('message', (data: Buffer) => void onMessage(data.toString('utf8'))),
    sendMessage: (text) => browser.send(text),
    close: () => browser.close(),
  });
  await BidiMapper.BidiServer.createAndStart(
    {
      setOnMessage: (onMessage) =>
        incoming.to((text) => {
          const command = parseCommand(text);
          if (command === undefined)
            caller.send(
              JSON.stringify({
                type: 'error',
                id: null,
                error: 'invalid argument',
                message: 'A command is a JSON object with id, method and params.',
              }),
            );
          else if (command.method === 'session.end') endBidiSession(caller, command.id);
          else void onMessage(command);
        }),
      sendMessage: (message) => caller.send(JSON.stringify(message)),
      close: () => caller.close(),
    },
    cdp,
    await cdp.createBrowserSession(),
    '',
    new BidiParser(),
  );
}

/**
 * The mapper knows no end of a session. It ends with its answer and the connection, and all that it subscribed to and intercepted goes with
 * it (WebDriver BiDi, 7.1.3). The browser stays: it is the Berth session's, for whoever connects next, until its idle time-out.
 */
function endBidiSession(caller: WebSocket, id: number): void {
  caller.send(JSON.stringify({ type: 'success', id, result: {} }), () => caller.close(1000));
}

type Command = Parameters<Parameters<BidiMapper.BidiTransport['setOnMessage']>[0]>[0];

function parseCommand(text: string): Command | undefined {
  try {
    const value = JSON.parse(text) as Partial<Command> | null;
    return Number.isInteger(value?.id) && typeof value?.method === 'string' ? ({ params: {}, ...value } as Command) : undefined;
  } catch {
    return undefined;
  }
}
