import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unscoped } from '@berth/database/unscoped';
import { type ErrorBody, ErrorBody as ErrorShape } from '@berth/schema';
import { EventStreams } from '../src/events/event-streams.js';
import { type ApiFixture, startApi } from './api-fixture.js';
import { type EventReader, readEvents } from './event-reader.js';
import { LoginWorld, noHostEnv, passwordOffer } from './login-world.js';

let api: ApiFixture;
let world: LoginWorld;
beforeAll(async () => {
  api = await startApi({ ...noHostEnv, BERTH_SSE_HEARTBEAT_SECONDS: '1' });
  world = new LoginWorld(api, await api.tenant());
});
afterAll(async () => {
  world.close();
  await api.stop('forged');
});

const follow = (id: string, headers: Record<string, string> = {}, key = world.tenant.key): Promise<EventReader> =>
  readEvents(`${api.url}/auth/connections/${id}/events`, { key, headers });
const counts = () => api.app.get(EventStreams).counts;
const steps = (reader: EventReader) => reader.states.map(({ flow_step, flow_status }) => `${flow_step} ${flow_status}`);
const ids = (reader: EventReader) => reader.frames.flatMap(({ id }) => id ?? []);
const cancel = (id: string) => api.call('POST', `/auth/connections/${id}/cancel`, { key: world.tenant.key });

async function settled(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await pause(10);
}

describe('statuses before the stream', () => {
  it('Errors 9, D47: 401 and 404 are real statuses with the Error body', async () => {
    const { body: connection } = await world.connect();
    const stranger = await api.tenant();
    const cases = [
      [`${api.url}/auth/connections/${connection.id}/events`, undefined, 401],
      [`${api.url}/auth/connections/${connection.id}/events`, stranger.key, 404],
      [`${api.url}/auth/connections/nope/events`, world.tenant.key, 404],
    ] as const;
    for (const [url, key, status] of cases) {
      const reader = await readEvents(url, key === undefined ? {} : { key });
      await reader.untilEnd();
      expect([reader.status, reader.headers['content-type']]).toEqual([status, 'application/json; charset=utf-8']);
      expect(ErrorShape.safeParse(JSON.parse(reader.body)).success).toBe(true);
    }
    expect(counts()).toMatchObject({ followers: 0, subscriptions: 0, timers: 0 });
  });
});

describe('the stream', () => {
  it('Endpoints 11, D46, D47: headers; retry as its own block; id and one data line; heartbeats without id; the terminal frame whole, then the end', async () => {
    const id = await world.running();
    const reader = await follow(id, { 'accept-encoding': 'gzip, br' });
    expect(reader.status).toBe(200);
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-sse-content-type': 'application/json',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(reader.headers).not.toHaveProperty('content-encoding');
    expect(reader.headers['x-request-id']).toMatch(/^[a-z0-9]{24}$/);
    await reader.until(({ frames }) => frames.length >= 1);
    expect(reader.others).toEqual(['retry: 3000']);
    await reader.until(({ frames }) => frames.some(({ event }) => event.event === 'sse_heartbeat'));
    expect(reader.frames.find(({ event }) => event.event === 'sse_heartbeat')?.id).toBeUndefined();
    await cancel(id);
    await reader.untilEnd();
    expect([reader.complete, reader.body]).toEqual([true, '']);
    expect(reader.frames.at(-1)?.event).toMatchObject({ flow_status: 'CANCELED' });
  });

  it('Service 4, States 5, Events 1, D48, D58: every stored state arrives whole, in order, with its presence rules, up to SUCCESS', async () => {
    const id = await world.running();
    const reader = await follow(id);
    await world.ask(id, passwordOffer);
    const asking = await reader.untilState(({ flow_step }) => flow_step === 'AWAITING_INPUT');
    expect(asking).toMatchObject({
      flow_type: 'LOGIN',
      fields: [{ id: 'username' }, { id: 'password' }],
      discovered_fields: [{ name: 'username' }, { name: 'password' }],
    });
    expect(asking.interaction_id).toBeDefined();
    await api.call('POST', `/auth/connections/${id}/submit`, {
      key: world.tenant.key,
      body: { interaction_id: asking.interaction_id, field_values: { username: 'ann', password: 'pw' } },
    });
    const submitting = await reader.untilState(({ flow_step }) => flow_step === 'SUBMITTING');
    for (const absent of ['interaction_id', 'fields', 'discovered_fields', 'post_login_url']) expect(submitting).not.toHaveProperty(absent);
    await world.play(id, { kind: 'wait', message: 'Approve it on your phone.', offer: { fields: [], choices: [] } });
    expect(await reader.untilState(({ flow_step }) => flow_step === 'AWAITING_EXTERNAL_ACTION')).toMatchObject({
      external_action_message: 'Approve it on your phone.',
    });
    await world.succeed(id);
    await reader.untilEnd();
    expect(steps(reader)).toEqual([
      'DISCOVERING IN_PROGRESS',
      'AWAITING_INPUT IN_PROGRESS',
      'SUBMITTING IN_PROGRESS',
      'AWAITING_EXTERNAL_ACTION IN_PROGRESS',
      'COMPLETED SUCCESS',
    ]);
    expect(reader.states.at(-1)).toMatchObject({ post_login_url: 'https://site.test/home' });
    expect(new Set(reader.states.slice(0, -1).map(({ hosted_url }) => hosted_url)).size).toBe(1);
    expect(ids(reader)).toEqual([1, 2, 3, 4, 5]);
  });

  it('D49: without a flow one heartbeat at once, more until one starts, then its states', async () => {
    const { body: connection } = await world.connect();
    const reader = await follow(connection.id);
    await reader.until(({ frames }) => frames.filter(({ event }) => event.event === 'sse_heartbeat').length >= 2);
    await world.login(connection.id);
    await reader.untilState(({ flow_step }) => flow_step === 'DISCOVERING');
    reader.close();
  });

  it('D48: a reconnect gets the current state again while the flow runs, whatever its Last-Event-ID', async () => {
    const id = await world.running();
    for (const lastEventId of ['1', '99']) {
      const reader = await follow(id, { 'last-event-id': lastEventId });
      await reader.untilState(({ flow_step }) => flow_step === 'DISCOVERING');
      reader.close();
    }
  });

  it('D49: a flow that has ended: its terminal state, then the end; 204 with Last-Event-ID at or past it; a malformed one is ignored', async () => {
    const id = await world.running();
    await cancel(id);
    for (const [headers, status] of [
      [{}, 200],
      [{ 'last-event-id': '1' }, 200],
      [{ 'last-event-id': 'two' }, 200],
      [{ 'last-event-id': '2' }, 204],
      [{ 'last-event-id': '3' }, 204],
      [{ 'last-event-id': '9'.repeat(21) }, 204],
    ] as const) {
      const reader = await follow(id, headers);
      await reader.untilEnd();
      expect([reader.status, ids(reader), reader.complete]).toEqual([status, status === 204 ? [] : [2], true]);
    }
  });

  it('D46: the sequence goes on across flows; a follower of the first flow ends with it', async () => {
    const id = await world.running();
    const first = await follow(id);
    await first.until(({ states }) => states.length === 1);
    await cancel(id);
    await world.login(id);
    await first.untilEnd();
    expect(first.frames.flatMap((frame) => frame.id ?? [])).toEqual([1, 2]);
    const second = await follow(id);
    await second.until(({ states }) => states.length === 1);
    expect(ids(second)).toEqual([3]);
    second.close();
  });

  it('D50: states whose publishing was lost arrive by a look at the rows, the terminal one included', async () => {
    const silent = new LoginWorld(api, world.tenant, false);
    const id = await world.running();
    const reader = await follow(id);
    await silent.ask(id, passwordOffer);
    await reader.untilState(({ flow_step }) => flow_step === 'AWAITING_INPUT');
    await silent.succeed(id);
    await reader.untilEnd();
    silent.close();
    expect(reader.states.at(-1)).toMatchObject({ flow_status: 'SUCCESS' });
  });

  it('D50: a follower whose flow ended unheard gets that end, though the next flow runs already', async () => {
    const silent = new LoginWorld(api, world.tenant, false);
    const id = await world.running();
    const reader = await follow(id);
    await reader.until(({ states }) => states.length === 1);
    await silent.play(id, { kind: 'fail', code: 'flow_failed', message: 'It failed.' });
    silent.close();
    await world.login(id);
    await reader.untilEnd();
    expect(steps(reader)).toEqual(['DISCOVERING IN_PROGRESS', 'DISCOVERING FAILED']);
  });

  it('D39: a flow that expires with no worker alive ends EXPIRED on the stream', async () => {
    const id = await world.running();
    const reader = await follow(id);
    await unscoped(api.database).pool.query(`UPDATE login_flows SET expires_at = now() - interval '1 second' WHERE connection_id = $1`, [
      id,
    ]);
    await reader.untilEnd();
    expect(steps(reader).at(-1)).toBe('DISCOVERING EXPIRED');
    expect(reader.states.at(-1)).not.toHaveProperty('error_code');
  });
});

/** Everything that a plain socket hears. */
function hear(): { socket: ReturnType<typeof connect>; heard: () => string } {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString('utf8')));
  return { socket, heard: () => text };
}
const request = (path: string, ...headers: string[]): string =>
  `${path} HTTP/1.1\r\nHost: berth.test\r\nAuthorization: Bearer ${world.tenant.key}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;

describe('a connection that is used in unusual ways', () => {
  it('D47: a stream asked for behind a request that is not answered yet begins when that answer is out', async () => {
    const id = await world.running();
    const { socket, heard } = hear();
    const body = JSON.stringify({ name: `pipelined-${id}` });
    socket.write(
      `${request('POST /org/projects', 'Content-Type: application/json', `Content-Length: ${body.length}`)}${body}${request(`GET /auth/connections/${id}/events`)}`,
    );
    await settled(() => heard().includes('"managed_auth_state"'));
    expect(heard().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200']);
    const closed = once(socket, 'close');
    await cancel(id);
    await closed;
    expect(heard().endsWith('0\r\n\r\n')).toBe(true);
  });

  it('D47: bytes that are no HTTP, sent by a client on its open stream, end it; nothing but frames is written on it', async () => {
    const { socket, heard } = hear();
    socket.write(request(`GET /auth/connections/${await world.running()}/events`));
    await settled(() => heard().includes('"managed_auth_state"'));
    const before = heard();
    const closed = once(socket, 'close');
    socket.write('\x00\xff garbage\r\n\r\n');
    await closed;
    expect([heard().slice(0, before.length), heard().slice(before.length).includes('HTTP/1.1')]).toEqual([before, false]);
    await settled(() => counts().followers === 0);
  });

  it('issue 6: a client that leaves with its request body half sent is gone from the counts', async () => {
    const { socket, heard } = hear();
    socket.write(request(`GET /auth/connections/${await world.running()}/events`, 'Content-Length: 100000000'));
    socket.write(Buffer.alloc(2_000_000));
    await settled(() => heard().includes('"managed_auth_state"') && counts().followers === 1);
    socket.destroy();
    await settled(() => counts().followers === 0);
    expect(counts()).toMatchObject({ followers: 0, subscriptions: 0 });
  });
});

describe('ends from outside (D49)', () => {
  it('D49: connection deleted mid-stream: CANCELED, then the end', async () => {
    const id = await world.running();
    const reader = await follow(id);
    await reader.until(({ states }) => states.length === 1);
    await api.call('DELETE', `/auth/connections/${id}`, { key: world.tenant.key });
    await reader.untilEnd();
    expect([steps(reader).at(-1), reader.complete]).toEqual(['DISCOVERING CANCELED', true]);
  });

  it('D49: connection without a flow deleted mid-stream: just the end', async () => {
    const { body: connection } = await world.connect();
    const reader = await follow(connection.id);
    await reader.until(({ frames }) => frames.length >= 1);
    await api.call('DELETE', `/auth/connections/${connection.id}`, { key: world.tenant.key });
    await reader.untilEnd();
    expect([reader.states, reader.complete]).toEqual([[], true]);
  });

  it('D49: key revoked mid-stream: one error event, then the end; streams of other keys go on', async () => {
    const id = await world.running();
    const { body: key } = await api.call<{ id: string; key: string }>('POST', '/org/api_keys', {
      key: world.tenant.key,
      body: { name: 'short-lived' },
    });
    const [revoked, other] = await Promise.all([follow(id, {}, key.key), follow(id)]);
    await revoked.until(({ states }) => states.length === 1);
    expect((await api.call('DELETE', `/org/api_keys/${key.id}`, { key: world.tenant.key })).status).toBe(204);
    await revoked.untilEnd();
    expect(revoked.frames.at(-1)).toMatchObject({
      id: undefined,
      event: { event: 'error', error: { code: 'unauthorized' } satisfies Partial<ErrorBody> },
    });
    expect(revoked.complete).toBe(true);
    expect(other.ended).toBe(false);
    other.close();
  });

  it('D49, D20: project archived mid-stream: one error event, then the end; its flow goes on', async () => {
    const tenant = await api.tenant();
    const { body: project } = await api.call<{ id: string }>('POST', '/org/projects', { key: tenant.key, body: { name: 'soon archived' } });
    const inProject = { key: tenant.key, project: project.id };
    const { body: connection } = await api.call<{ id: string }>('POST', '/auth/connections', {
      ...inProject,
      body: { domain: 'a.test', profile_name: 'p' },
    });
    await api.call('POST', `/auth/connections/${connection.id}/login`, inProject);
    const reader = await follow(connection.id, { 'x-service-project-id': project.id }, tenant.key);
    await reader.until(({ states }) => states.length === 1);
    await api.call('PATCH', `/org/projects/${project.id}`, { key: tenant.key, body: { status: 'archived' } });
    await reader.untilEnd();
    expect(reader.frames.at(-1)?.event).toMatchObject({ event: 'error', error: { code: 'project_not_found' } });
    const flow = await unscoped(api.database).prisma.loginFlow.findFirstOrThrow({ where: { connectionId: connection.id } });
    expect(flow.status).toBe('IN_PROGRESS');
  });

  it('D49: an internal fault mid-stream: one error event, then the end', async () => {
    const id = await world.running();
    const reader = await follow(id);
    await reader.until(({ states }) => states.length === 1);
    await unscoped(api.database).pool.query(
      `WITH c AS (UPDATE auth_connections SET sequence = sequence + 1 WHERE id = $1) UPDATE login_flows SET state = '{"status":"nonsense"}' WHERE connection_id = $1`,
      [id],
    );
    await reader.untilEnd();
    expect(reader.frames.at(-1)?.event).toMatchObject({ event: 'error', error: { code: 'internal_error' } });
    expect(JSON.stringify(reader.frames.at(-1))).not.toMatch(/zod|nonsense|invalid_/i);
  });
});

describe('leaks', () => {
  it('issue 6: clients that leave early or while it is quiet take subscription, timer and socket with them', async () => {
    const id = await world.running();
    const { body: quiet } = await world.connect();
    await settled(() => counts().followers === 0);
    const readers = await Promise.all([follow(id), follow(quiet.id), follow(quiet.id)]);
    expect(counts()).toMatchObject({ followers: 3, subscriptions: 2, timers: 1 });
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).toMatch(/^berth_event_streams 3$/m);
    expect(metrics).toMatch(/^berth_event_subscriptions 2$/m);
    for (const reader of readers) reader.close();
    await settled(() => counts().followers === 0);
    expect(counts()).toMatchObject({ followers: 0, subscriptions: 0, timers: 0 });
  });

  it('issue 6: 1 000 clients that connect and vanish within 20 ms leave subscriber, timer and socket counts at zero', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => world.running()));
    const server: Server = api.app.getHttpServer();
    const sockets = (): Promise<number> =>
      new Promise((resolve, reject) => server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))));
    const before = await sockets();
    const { hostname, port } = new URL(api.url);
    await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(
          `GET /auth/connections/${ids[index % ids.length] ?? ''}/events HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${world.tenant.key}\r\n\r\n`,
        );
        await pause(index % 20);
        socket.destroy();
      }),
    );
    await settled(async () => counts().followers === 0 && (await sockets()) <= before);
    expect(counts()).toEqual({ followers: 0, subscriptions: 0, timers: 0 });
    const reader = await follow(ids[0] ?? '');
    await reader.untilState(({ flow_step }) => flow_step === 'DISCOVERING');
    reader.close();
  });

  it('D48: a slow reader misses states in between, and gets the newest and the terminal one', async () => {
    // With the heartbeats of the others it would be taken for stalled after four seconds.
    const patient = await startApi(noHostEnv);
    const slow = new LoginWorld(patient, await patient.tenant());
    const id = await slow.running();
    const reader = await readEvents(`${patient.url}/auth/connections/${id}/events`, { key: slow.tenant.key });
    await reader.until(({ states }) => states.length === 1);
    reader.pause();
    const long = 'x'.repeat(60_000);
    const rounds = 150;
    for (let round = 1; round <= rounds; round += 1)
      await slow.play(id, { kind: 'wait', message: `${round} ${long}`, offer: { fields: [], choices: [] } });
    await slow.succeed(id);
    reader.resume();
    await reader.untilEnd();
    slow.close();
    await patient.stop('forged');
    const sequence = reader.frames.flatMap((frame) => frame.id ?? []);
    expect(sequence).toEqual([...sequence].sort((a, b) => a - b));
    expect(sequence.length).toBeLessThan(rounds);
    expect(reader.states.at(-1)).toMatchObject({ flow_status: 'SUCCESS' });
  });
});
