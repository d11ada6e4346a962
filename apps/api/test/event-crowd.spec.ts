import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiProcesses, startApiProcesses } from './api-processes.js';
import type { CallOptions, Reply } from './api-fixture.js';
import { createTenant } from '@berth/testkit';
import { LoginWorld, noHostEnv, passwordOffer } from './login-world.js';

const whole = 10_000;
/** Each stream takes one open file here and one in the API, and both need some hundreds beside. */
const filesBeside = 1_000;
const { open_files: openFiles } = (
  process.report.getReport() as unknown as { readonly userLimits: { readonly open_files: { readonly soft: number | 'unlimited' } } }
).userLimits;
const crowd = Math.min(whole, (openFiles.soft === 'unlimited' ? Infinity : openFiles.soft) - filesBeside);
if (crowd < whole) {
  const advice = `${openFiles.soft} open files allow ${Math.max(crowd, 0)} of ${whole} streams: raise the limit (\`ulimit -n ${whole + filesBeside}\`) and run this again`;
  if (crowd < whole / 10) throw new Error(advice);
  process.stderr.write(`event-crowd: ${advice}; tried with fewer now\n`);
}
const openingAtOnce = 200;

let apis: ApiProcesses;
let world: LoginWorld;
beforeAll(async () => {
  apis = await startApiProcesses(1, noHostEnv);
  const call = async <T>(method: string, path: string, { key, body }: CallOptions = {}): Promise<Reply<T>> => {
    const response = await fetch(`${apis.urls[0]}${path}`, {
      method,
      headers: { authorization: `Bearer ${key ?? ''}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  world = new LoginWorld({ stores: apis.stores, database: apis.database, call }, await createTenant(apis.database));
}, 120_000);
afterAll(async () => {
  world.close();
  await apis.stop();
});

/** The least that reads a stream, so that ten thousand of them fit into one process: the text so far, and promises of what it will hold. */
class PlainReader {
  text = '';
  connected = false;
  ended = false;
  #wake: (() => void) | undefined;

  constructor(id: string) {
    const { hostname, port } = new URL(apis.urls[0] ?? '');
    const socket = connect(Number(port), hostname);
    socket.on('connect', () => {
      this.connected = true;
      this.#wake?.();
    });
    socket.on('data', (chunk) => {
      this.text += chunk.toString('latin1');
      this.#wake?.();
    });
    socket.on('close', () => {
      this.ended = true;
      this.#wake?.();
    });
    socket.write(`GET /auth/connections/${id}/events HTTP/1.1\r\nHost: crowd\r\nAuthorization: Bearer ${world.tenant.key}\r\n\r\n`);
  }

  async until(done: () => boolean): Promise<void> {
    while (!done() && !this.ended) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

describe('a crowd on one process', () => {
  it(`issue 6: ${crowd} direct streams all receive a broadcast, the newest state, and a whole end`, async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => world.running()));
    const readers: PlainReader[] = [];
    await Promise.all(
      Array.from({ length: openingAtOnce }, async () => {
        while (readers.length < crowd) {
          const reader = new PlainReader(ids[readers.length % ids.length] ?? '');
          readers.push(reader);
          await reader.until(() => reader.text.includes('"DISCOVERING"'));
        }
      }),
    );
    for (const id of ids) await world.ask(id, passwordOffer);
    await Promise.all(readers.map((reader) => reader.until(() => reader.text.includes('"AWAITING_INPUT"'))));
    for (const id of ids) await world.succeed(id);
    await Promise.all(readers.map((reader) => reader.until(() => reader.ended)));
    const short = readers.filter(
      ({ text }) =>
        !['"DISCOVERING"', '"AWAITING_INPUT"', '"flow_status":"SUCCESS"'].every((part) => text.includes(part)) ||
        !text.endsWith('\n\n\r\n0\r\n\r\n'),
    );
    expect([readers.length, short.map(({ text }) => text.slice(-300)).slice(0, 3)]).toEqual([crowd, []]);
  }, 120_000);

  it('issue 6: a thousand that come while the process stands still wait for it, and none is turned away', async () => {
    const id = await world.running();
    process.kill(apis.pids[0] as number, 'SIGSTOP');
    const readers = Array.from({ length: 1_000 }, () => new PlainReader(id));
    try {
      await Promise.all(readers.map((reader) => reader.until(() => reader.connected)));
    } finally {
      process.kill(apis.pids[0] as number, 'SIGCONT');
    }
    await Promise.all(readers.map((reader) => reader.until(() => reader.text.includes('"DISCOVERING"'))));
    expect(readers.filter(({ ended }) => ended)).toHaveLength(0);
    await world.succeed(id);
    await Promise.all(readers.map((reader) => reader.until(() => reader.ended)));
    expect(readers.filter(({ text }) => !text.includes('"flow_status":"SUCCESS"'))).toHaveLength(0);
  }, 60_000);
});
