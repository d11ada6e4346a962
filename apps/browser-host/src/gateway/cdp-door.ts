import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { OpenSession } from './doorkeeper.js';

/** A dead peer is noticed, so that its session can grow idle. */
const keepAliveMs = 30_000;
/** Chromium closes behind a caller that has hung up at once, unless it hangs. */
const closesWithinMs = 1_000;

/**
 * Joins a caller's socket to Chromium's own DevTools socket, byte for byte: the WebSocket handshake and every frame are Chromium's. Only
 * the request's head is written anew, without the caller's Origin, cookies or token.
 */
export function openCdpDoor({ session, chromium }: OpenSession, request: IncomingMessage, caller: Duplex, head: Buffer): void {
  const { port, path } = chromium.endpoint;
  const browser = connect({ port, host: '127.0.0.1', noDelay: true });
  const cut = (): void => {
    caller.destroy();
    browser.destroy();
  };
  const leave = session.enter({ cut });
  const socket = caller as Socket;
  socket.setNoDelay?.(true);
  socket.setKeepAlive?.(true, keepAliveMs);
  for (const end of [caller, browser]) end.on('error', cut).on('close', cut);
  caller.on('close', leave).once('end', () => setTimeout(cut, closesWithinMs).unref());
  browser.write(requestHead(request, path, port));
  browser.write(head);
  caller.pipe(browser).pipe(caller);
}

/**
 * Without the offer to compress: a few kilobytes of JSON a message cost both ends, Chromium's own main thread among them, far more to pack and
 * unpack than the network takes to carry them as they are.
 */
function requestHead(request: IncomingMessage, path: string, port: number): string {
  const webSocketHeaders = Object.entries(request.headers).filter(
    ([name]) => name.startsWith('sec-websocket-') && name !== 'sec-websocket-extensions',
  );
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    ...webSocketHeaders.map(([name, value]) => `${name}: ${String(value)}`),
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
