import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectScope } from '@berth/database/unscoped';
import type { Tenant } from '@berth/testkit';
import { EventStreams } from '../src/events/event-streams.js';
import { type ApiFixture, startApi } from './api-fixture.js';
import { until } from './processes.js';
import { rawRequest } from './raw-request.js';

interface Line {
  readonly level: string;
  readonly msg: string;
}

describe('a client that closes its connection', () => {
  const lines: Line[] = [];
  let api: ApiFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    api = await startApi({ BERTH_LOG_LEVEL: 'info' }, { write: (line) => void lines.push(JSON.parse(line) as Line) });
    tenant = await api.tenant();
  });
  afterAll(() => api.stop());

  async function send(bytes: Buffer): Promise<Socket> {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write(bytes, resolve));
    return socket;
  }

  const heard = (what: (line: Line) => boolean) => until(() => lines.some(what));
  const left = ({ level, msg }: Line): boolean => level === 'info' && msg === 'the client left before its answer';
  const told = (): string[] => lines.filter(({ level }) => level !== 'info').map(({ level, msg }) => `${level}: ${msg}`);

  it('D8: in the middle of its body is no fault of the service and told in one line of level info', async () => {
    lines.length = 0;
    const whole = rawRequest('POST /org/projects', {
      key: tenant.key,
      headers: ['Content-Type: application/json'],
      body: '{"name":"a name that is cut off"}',
    });
    const socket = await send(whole.subarray(0, whole.length - 10));
    // The request is under way: another one, sent later, is answered.
    await api.call('GET', '/org/projects', { key: tenant.key });
    socket.destroy();
    await heard(left);
    expect(told()).toEqual([]);
    expect((await api.call<{ name: string }[]>('GET', '/org/projects', { key: tenant.key })).body.map(({ name }) => name)).not.toContain(
      'a name that is cut off',
    );
  });

  it('D8: while its browser is being started is told alike, and nothing stays behind', async () => {
    lines.length = 0;
    const socket = await send(rawRequest('POST /browsers', { key: tenant.key, headers: ['Content-Type: application/json'], body: '{}' }));
    const rows = async (status: string): Promise<number> =>
      api.database
        .project(projectScope(tenant.organizationId, tenant.defaultProjectId))
        .browserSession.count({ where: { status: status as 'starting' } });
    await until(async () => (await rows('starting')) === 1);
    socket.destroy();
    await heard(left);
    await until(async () => (await rows('starting')) === 0);
    expect(told()).toEqual([]);
  });

  it('D8, D49: an event stream, open or just asked for, is left without a word', async () => {
    lines.length = 0;
    const { body: connection } = await api.call<{ id: string }>('POST', '/auth/connections', {
      key: tenant.key,
      body: { domain: 'a.test', profile_name: 'p' },
    });
    const request = rawRequest(`GET /auth/connections/${connection.id}/events`, { key: tenant.key });
    const open = await send(request);
    await once(open, 'data');
    open.destroy();
    (await send(request)).destroy();
    await until(() => api.app.get(EventStreams).counts.followers === 0);
    await api.call('GET', '/org/projects', { key: tenant.key });
    expect(told()).toEqual([]);
  });
});
