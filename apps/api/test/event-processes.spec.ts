import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '@berth/database';
import { type Server, startRedis } from '@berth/local-stack';
import { connectSubscriber } from '@berth/live-sessions';
import { claimFlow, connectionChannel, readCurrentFlow } from '@berth/login-flow';
import type { ConnectionEvent, OrganizationLimits } from '@berth/schema';
import { createTenant, freshStores, type FreshStores } from '@berth/testkit';
import Kernel from '@onkernel/sdk';
import { Redis } from 'ioredis';
import type { CallOptions, Reply } from './api-fixture.js';
import { type EventReader, readEvents } from './event-reader.js';
import { LoginWorld, methodOffer, noHostEnv, passwordOffer } from './login-world.js';
import { type Nginx, startNginx } from './nginx.js';
import { type AppProcess, startApiProcess, until } from './processes.js';

let stores: FreshStores;
let redis: Server;
let database: Database;
let apis: AppProcess[];
let world: LoginWorld;
const folder = mkdtempSync(join(tmpdir(), 'berth-events-'));
const url = (index: number): string => (apis[index] as AppProcess).url;

async function call<T>(method: string, path: string, { key, body }: CallOptions = {}): Promise<Reply<T>> {
  const response = await fetch(`${url(0)}${path}`, {
    method,
    headers: { authorization: `Bearer ${key ?? ''}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text === '' ? undefined : JSON.parse(text)) as T };
}

beforeAll(async () => {
  stores = await freshStores();
  redis = await startRedis({ dataDir: join(folder, 'redis'), durable: false });
  database = new Database({ url: stores.databaseUrl, maxConnections: 3 });
  const places = { databaseUrl: stores.databaseUrl, redisUrl: redis.url };
  apis = await Promise.all([1, 2, 3].map(() => startApiProcess(places, { ...noHostEnv, BERTH_SSE_HEARTBEAT_SECONDS: '1' })));
  world = new LoginWorld({ stores: { redisUrl: redis.url }, database, call }, await createTenant(database));
}, 120_000);
/** A test that had Redis killed or held leaves it to the next one with its organization to be rebuilt: until then no login is let in (D29). */
beforeEach(() =>
  until(
    async () => (await call<OrganizationLimits>('GET', '/org/limits', { key: world.tenant.key })).body.concurrent_sessions_used !== null,
  ),
);
afterAll(async () => {
  world.close();
  await Promise.all(apis.map((api) => api.kill('SIGTERM')));
  await database.close();
  await redis.stop();
  await stores.drop();
  rmSync(folder, { recursive: true, force: true });
});

const follow = (id: string, base = url(0), headers: Record<string, string> = {}): Promise<EventReader> =>
  readEvents(`${base}/auth/connections/${id}/events`, { key: world.tenant.key, headers });
const seen = (reader: EventReader) => reader.frames.flatMap(({ id, event }) => (id === undefined ? [] : [[id, event]]));
const asks = ({ flow_step }: { flow_step: string }): boolean => flow_step === 'AWAITING_INPUT';

describe('three API processes', () => {
  it('issue 6: followers of one connection on different processes see the same sequence', async () => {
    const id = await world.running();
    const readers = await Promise.all([0, 1, 2].map((index) => follow(id, url(index))));
    await Promise.all(readers.map((reader) => reader.until(({ states }) => states.length === 1)));
    for (const offer of [passwordOffer, methodOffer, passwordOffer]) await world.ask(id, offer);
    await world.succeed(id);
    await Promise.all(readers.map((reader) => reader.untilEnd()));
    const [first] = readers.map(seen);
    expect(first).toHaveLength(5);
    for (const reader of readers) expect(seen(reader)).toEqual(first);
  });

  it('D50: Redis killed mid-flow: streams stay open and new ones open, states arrive, and the terminal one too', async () => {
    const id = await world.running();
    const before = await follow(id, url(1));
    await before.until(({ states }) => states.length === 1);
    process.kill(redis.pid() as number, 'SIGKILL');
    await world.ask(id, passwordOffer);
    const during = await follow(id, url(2));
    expect(during.status).toBe(200);
    await Promise.all([before, during].map((reader) => reader.untilState(asks)));
    await world.ask(id, methodOffer);
    await world.succeed(id);
    await Promise.all([before, during].map((reader) => reader.untilEnd()));
    for (const reader of [before, during]) expect([reader.states.at(-1)?.flow_status, reader.complete]).toEqual(['SUCCESS', true]);
  });

  it.each(['SIGSTOP', 'SIGKILL'] as const)(
    'issue 6: streams that end while Redis is away (%s) leave no subscription behind, as Redis itself counts them',
    async (signal) => {
      const admin = new Redis(redis.url).on('error', () => undefined);
      const channels = async (): Promise<string[]> => (await admin.pubsub('CHANNELS', 'berth:connection*')) as string[];
      const [leaving, staying] = [await world.running(), await world.running()];
      const [reader, stays] = [await follow(leaving, url(1)), await follow(staying, url(1))];
      await Promise.all([reader, stays].map((each) => each.until(({ states }) => states.length === 1)));
      // It notices that Redis is away as the process does: by silence, or at once.
      const noticing = connectSubscriber(redis.url);
      await once(noticing, 'ready');
      process.kill(redis.pid() as number, signal);
      await once(noticing, 'close');
      noticing.disconnect();
      reader.close();
      await until(async () => (await fetch(`${url(1)}/metrics`).then((answer) => answer.text())).includes('berth_event_streams 1'));
      if (signal === 'SIGSTOP') process.kill(redis.pid() as number, 'SIGCONT');
      await until(async () => JSON.stringify(await channels()) === JSON.stringify([connectionChannel(staying)]));
      stays.close();
      await until(async () => (await channels()).length === 0);
      admin.disconnect();
    },
  );

  it('D50: Redis that hangs without closing its connections: states arrive with the next look', async () => {
    const id = await world.running();
    const reader = await follow(id, url(1));
    await reader.until(({ states }) => states.length === 1);
    const silent = new LoginWorld({ stores: { redisUrl: redis.url }, database, call }, world.tenant, false);
    process.kill(redis.pid() as number, 'SIGSTOP');
    await silent.ask(id, passwordOffer);
    await reader.untilState(asks);
    process.kill(redis.pid() as number, 'SIGCONT');
    await silent.succeed(id);
    await reader.untilEnd();
    silent.close();
    expect(reader.states.at(-1)?.flow_status).toBe('SUCCESS');
  });
});

describe('readers', () => {
  it('the published client follows a flow to its end', async () => {
    const id = await world.running();
    const client = new Kernel({ apiKey: world.tenant.key, baseURL: url(1) });
    const kinds: string[] = [];
    for await (const event of await client.auth.connections.follow(id)) {
      kinds.push(event.event === 'managed_auth_state' ? event.flow_status : event.event);
      if (kinds.length === 1) await world.succeed(id);
    }
    expect(kinds.filter((kind) => kind !== 'sse_heartbeat')).toEqual(['IN_PROGRESS', 'SUCCESS']);
  });

  it('issue 6: curl -N prints each event as it happens, and ends without an error', async () => {
    const id = await world.running();
    const curl = spawn(
      'curl',
      ['-sSN', '--fail', '-H', `Authorization: Bearer ${world.tenant.key}`, `${url(1)}/auth/connections/${id}/events`],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exited = once(curl, 'exit');
    let text = '';
    for await (const chunk of curl.stdout) {
      text += String(chunk);
      if (text.includes('DISCOVERING') && !text.includes('AWAITING_INPUT')) await world.ask(id);
      else if (text.includes('AWAITING_INPUT') && !text.includes('SUCCESS')) await world.succeed(id);
    }
    expect(await exited).toEqual([0, null]);
    expect(text.endsWith('\n\n')).toBe(true);
  });

  it('D44: a worker that takes a flow over goes on where the last one was, on the same stream', async () => {
    const id = await world.running();
    const reader = await follow(id);
    await world.ask(id);
    await reader.untilState(asks);
    const flow = await readCurrentFlow(world.store, world.scope, id);
    if (flow === null) throw new Error('the flow is gone');
    const claimed = await claimFlow(world.store, { flowId: flow.id, epoch: flow.ownerEpoch });
    expect(claimed?.flow.ownerEpoch).toBe(flow.ownerEpoch + 1);
    await world.succeed(id);
    await reader.untilEnd();
    const numbers = reader.frames.flatMap((frame) => frame.id ?? []);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect([reader.states.at(-1)?.flow_status, reader.complete]).toEqual(['SUCCESS', true]);
  });

  it('a fetch reader gets each event by itself, as it happens', async () => {
    const id = await world.running();
    const response = await fetch(`${url(2)}/auth/connections/${id}/events`, { headers: { authorization: `Bearer ${world.tenant.key}` } });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes('DISCOVERING') && !text.includes('AWAITING_INPUT')) await world.ask(id);
      else if (text.includes('AWAITING_INPUT') && !text.includes('SUCCESS')) await world.succeed(id);
    }
    expect(text.startsWith('retry: 3000\n\n')).toBe(true);
    expect(text.endsWith('\n\n')).toBe(true);
  });
});

describe('behind nginx', () => {
  let stock: Nginx;
  let compressing: Nginx;
  beforeAll(async () => {
    [stock, compressing] = await Promise.all([
      startNginx(url(1)),
      startNginx(url(2), 'gzip on; gzip_types *; gzip_min_length 0; gzip_proxied any;'),
    ]);
  });
  afterAll(async () => {
    await Promise.all([stock, compressing].map((nginx) => nginx.stop()));
  });

  it('issue 6: stock settings: every event arrives before the next is caused, and the end is clean', async () => {
    const id = await world.running();
    const reader = await follow(id, stock.url);
    await reader.until(({ states }) => states.length === 1);
    await world.ask(id);
    await reader.untilState(asks);
    await reader.until(({ frames }) => frames.some(({ event }) => event.event === 'sse_heartbeat'));
    await world.succeed(id);
    await reader.untilEnd();
    expect([reader.states.at(-1)?.flow_status, reader.complete]).toEqual(['SUCCESS', true]);
  });

  it('issue 6: with compression on for every type: every event still arrives before the next is caused', async () => {
    const id = await world.running();
    const reader = await follow(id, compressing.url, { 'accept-encoding': 'gzip' });
    expect(reader.headers['content-encoding']).toBe('gzip');
    await reader.until(({ states }) => states.length === 1);
    await world.ask(id);
    await reader.untilState(asks);
    await world.succeed(id);
    await reader.untilEnd();
    expect([reader.states.at(-1)?.flow_status, reader.complete]).toEqual(['SUCCESS', true]);
  });

  it.each(['stock settings', 'compression on'])(
    'issue 6: 2 000 streams through it at once, %s: all get every state, in order, and a clean end',
    async (settings) => {
      const nginx = settings === 'compression on' ? compressing : stock;
      const ids = await Promise.all(Array.from({ length: 10 }, () => world.running()));
      const readers = await Promise.all(
        Array.from({ length: 2_000 }, (_, index) => follow(ids[index % ids.length] ?? '', nginx.url, { 'accept-encoding': 'gzip' })),
      );
      // Each state is out before the next one comes, so that even a slow reader is not spared one (D48).
      const steps: ((id: string) => Promise<void>)[] = [
        async () => undefined,
        (id) => world.ask(id, passwordOffer),
        (id) => world.ask(id, methodOffer),
        (id) => world.succeed(id),
      ];
      for (const [index, step] of steps.entries()) {
        for (const id of ids) await step(id);
        await Promise.all(readers.map((reader) => reader.until(({ states }) => states.length > index)));
      }
      await Promise.all(readers.map((reader) => reader.untilEnd()));
      const told = readers.map(({ frames, complete }) =>
        JSON.stringify([
          ...frames.flatMap(({ id, event }) =>
            event.event === 'managed_auth_state' ? [[id, event.flow_step, event.choices?.length]] : [],
          ),
          complete ? 'whole' : 'torn',
        ]),
      );
      expect([...new Set(told)].map((text) => JSON.parse(text) as unknown)).toEqual([
        [[1, 'DISCOVERING', null], [2, 'AWAITING_INPUT', null], [3, 'AWAITING_INPUT', 2], [4, 'COMPLETED', null], 'whole'],
      ]);
    },
    60_000,
  );
});

describe('an API process that stops', () => {
  it('D55: SIGTERM ends its streams cleanly without a terminal state; their clients go on elsewhere', async () => {
    const id = await world.running();
    const reader = await follow(id, url(2));
    await reader.until(({ states }) => states.length === 1);
    await (apis[2] as AppProcess).kill('SIGTERM');
    await reader.untilEnd();
    expect(reader.complete).toBe(true);
    expect(reader.frames.map(({ event }: { event: ConnectionEvent }) => event.event)).not.toContain('error');
    expect(reader.states.at(-1)?.flow_status).toBe('IN_PROGRESS');
    const again = await follow(id, url(1), { 'last-event-id': String(reader.frames.at(-1)?.id ?? '') });
    await again.until(({ states }) => states.length === 1);
    again.close();
  });
});
