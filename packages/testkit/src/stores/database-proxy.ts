import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a process and PostgreSQL, and can fail as a server does: hang, or be gone with all its connections. */
export interface DatabaseProxy {
  readonly url: string;
  /** Nothing is asked or answered until `thaw`. */
  freeze(): void;
  /** What is asked is done, and the answers come at `thaw`. */
  holdAnswers(): void;
  thaw(): void;
  /** Every connection is broken, and new ones at once, until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Which way nothing passes. */
type Held = 'neither' | 'answers' | 'both';

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<{ readonly client: Socket; readonly upstream: Socket }>();
  let held: Held = 'neither';
  let gone = false;
  const hold = (which: Held): void => {
    held = which;
    for (const { client, upstream } of pairs) {
      if (which === 'both') client.pause();
      else client.resume();
      if (which === 'neither') upstream.resume();
      else upstream.pause();
    }
  };
  const breakAll = (): void => {
    for (const { client, upstream } of pairs) for (const socket of [client, upstream]) socket.destroy();
  };
  const server = createServer((client) => {
    if (gone) return void client.on('error', () => undefined).destroy();
    const upstream = connect(Number(target.port), target.hostname);
    const pair = { client, upstream };
    pairs.add(pair);
    for (const socket of [client, upstream])
      socket
        .on('error', () => undefined)
        .on('close', () => {
          pairs.delete(pair);
          client.destroy();
          upstream.destroy();
        });
    client.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk) => client.write(chunk));
    hold(held);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    freeze: () => hold('both'),
    holdAnswers: () => hold('answers'),
    thaw: () => hold('neither'),
    cut() {
      gone = true;
      breakAll();
    },
    mend() {
      gone = false;
    },
    async close() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
