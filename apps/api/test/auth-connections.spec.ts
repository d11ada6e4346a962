import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { finishSaved, readCurrentFlow } from '@berth/login-flow';
import { AuthConnection, type ErrorBody, LoginStarted, type OrganizationLimits, TimelineEvent } from '@berth/schema';
import { ConnectionsRepository } from '../src/auth-connections/connections.repository.js';
import { ConnectionsService } from '../src/auth-connections/connections.service.js';
import { type ApiFixture, startApi } from './api-fixture.js';
import { LoginWorld, methodOffer, noHostEnv, passwordOffer } from './login-world.js';

let api: ApiFixture;
let world: LoginWorld;
beforeAll(async () => {
  api = await startApi(noHostEnv);
  world = new LoginWorld(api, await api.tenant());
});
afterAll(async () => {
  world.close();
  await api.stop('forged');
});

const call = <T = AuthConnection>(method: string, path: string, body?: unknown) =>
  api.call<T>(method, path, { key: world.tenant.key, ...(body === undefined ? {} : { body }) });
const record = async (id: string) => AuthConnection.parse((await call('GET', `/auth/connections/${id}`)).body);
const used = async (key: string) => (await api.call<OrganizationLimits>('GET', '/org/limits', { key })).body.concurrent_sessions_used;

describe('POST /auth/connections', () => {
  it('D37: 201 with the record; a profile whose name is new is made, one that exists is used', async () => {
    await call('POST', '/profiles', { name: 'existing' });
    const first = await world.connect({ domain: 'Shop.Example.com', profile_name: 'existing' });
    expect(first.status).toBe(201);
    expect(AuthConnection.parse(first.body)).toEqual(first.body);
    expect(first.body).toMatchObject({
      domain: 'shop.example.com',
      profile_name: 'existing',
      status: 'NEEDS_AUTH',
      save_credentials: true,
      record_session: false,
      flow_status: null,
      flow_step: null,
      flow_type: null,
      flow_expires_at: null,
      can_reauth: false,
      can_reauth_reason: 'no_prior_successful_login',
      health_check_interval: 3600,
    });
    await world.connect({ domain: 'b.test', profile_name: 'made-with-it' });
    expect((await call('GET', '/profiles/made-with-it')).status).toBe(200);
  });

  it('D37: one per profile and domain, else 409 conflict; other profile or other port is fine', async () => {
    const body = { domain: 'one.test', profile_name: 'single' };
    expect((await world.connect(body)).status).toBe(201);
    const second = await call<ErrorBody>('POST', '/auth/connections', body);
    expect([second.status, second.body.code, second.headers.get('x-should-retry')]).toEqual([409, 'conflict', 'false']);
    expect((await world.connect({ ...body, profile_name: 'second' })).status).toBe(201);
    expect((await world.connect({ ...body, domain: 'one.test:8443' })).status).toBe(201);
  });

  it('racing creates that name the same new profile make one profile', async () => {
    const replies = await Promise.all(
      ['x.test', 'y.test', 'z.test', 'w.test'].map((domain) => world.connect({ domain, profile_name: 'raced' })),
    );
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await call<unknown[]>('GET', '/profiles?name=raced')).body).toHaveLength(1);
  });

  it.each([
    ['proxy', { proxy: { id: newId() } }],
    ['record_session', { record_session: true }],
    ['credential.provider', { credential: { provider: 'vault', path: 'a/b' } }],
    ['credential.name', { credential: {} }],
    ['browser_telemetry', { browser_telemetry: { enabled: true } }],
    ['credential.name', { credential: { name: 'unknown' } }],
    ['domain', { domain: 'https://a.test/' }],
    ['profile_name', { profile_name: 'a b' }],
    ['nonsense', { nonsense: 1 }],
    ['health_check_interval', { health_check_interval: 1 }],
  ])('D8, D30: what cannot be done or is not valid is 400 naming %s, and nothing is made', async (field, body) => {
    const profileName = `never-${newId()}`;
    const reply = await call<ErrorBody>('POST', '/auth/connections', { domain: 'c.test', profile_name: profileName, ...body });
    expect([reply.status, reply.body.code]).toEqual([400, 'bad_request']);
    expect(JSON.stringify(reply.body.details)).toContain(field);
    expect((await call('GET', `/profiles/${profileName}`)).status).toBe(404);
  });

  it('asking for telemetry or recordings to be off is fine; a credential is resolved by its name', async () => {
    await call('POST', '/credentials', { name: 'shop', domain: 'd.test', values: { username: 'a', password: 'b' } });
    const reply = await world.connect({ domain: 'd.test', browser_telemetry: null, record_session: false, credential: { name: 'shop' } });
    expect(reply.body.credential).toEqual({ name: 'shop' });
    await call('DELETE', '/credentials/shop');
    expect(await record(reply.body.id)).not.toHaveProperty('credential');
  });
});

describe('GET, PATCH /auth/connections', () => {
  it('filters by domain, profile and part of either, in the order of D15', async () => {
    const tenant = await api.tenant();
    const own = new LoginWorld(api, tenant);
    for (const [domain, profile_name] of [
      ['alpha.test', 'ann'],
      ['beta.test', 'ann'],
      ['alpha.test', 'bob'],
    ])
      await own.connect({ domain, profile_name });
    own.close();
    const found = async (query: string) => {
      const { body } = await api.call<AuthConnection[]>('GET', `/auth/connections${query}`, { key: tenant.key });
      return body.map((connection) => `${connection.profile_name}@${AuthConnection.parse(connection).domain}`);
    };
    expect(await found('')).toEqual(['ann@alpha.test', 'ann@beta.test', 'bob@alpha.test']);
    expect(await found('?domain=ALPHA.test')).toEqual(['ann@alpha.test', 'bob@alpha.test']);
    expect(await found('?profile_name=ann&limit=1')).toEqual(['ann@alpha.test']);
    expect(await found('?query=BET')).toEqual(['ann@beta.test']);
    expect(await found('?query=bo')).toEqual(['bob@alpha.test']);
  });

  it('another tenant’s connection and a malformed id are 404', async () => {
    const { body } = await world.connect();
    const stranger = await api.tenant();
    for (const [id, key] of [
      [body.id, stranger.key],
      ['nope', world.tenant.key],
      [newId(), world.tenant.key],
    ] as const) {
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/login'],
        ['POST', '/cancel'],
        ['GET', '/timeline'],
        ['GET', '/events'],
      ] as const) {
        const reply = await api.call<ErrorBody>(method, `/auth/connections/${id}${path}`, { key });
        expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
      }
    }
  });

  it('PATCH changes what it names, all or nothing; an empty one changes nothing', async () => {
    const { body } = await world.connect({ login_url: 'https://a.test/login' });
    const patched = await call('PATCH', `/auth/connections/${body.id}`, {
      save_credentials: false,
      allowed_domains: ['Cdn.test'],
      health_check_interval: 600,
    });
    expect(patched.body).toMatchObject({
      save_credentials: false,
      allowed_domains: ['cdn.test'],
      health_check_interval: 600,
      login_url: 'https://a.test/login',
    });
    expect((await call('PATCH', `/auth/connections/${body.id}`, {})).body).toEqual(patched.body);
    expect((await call('PATCH', `/auth/connections/${body.id}`, { auto_reauth: false, proxy: {} })).status).toBe(400);
    expect((await record(body.id)).auto_reauth).toBe(true);
  });
});

describe('POST /auth/connections/{id}/login', () => {
  it('D38: starts a flow with a login browser that counts as a session, and the record tells of it', async () => {
    const tenant = await api.tenant();
    const own = new LoginWorld(api, tenant);
    const { body: connection } = await own.connect();
    const started = await own.login(connection.id);
    own.close();
    expect(started.status).toBe(200);
    expect(LoginStarted.parse(started.body)).toMatchObject({ id: connection.id, flow_type: 'LOGIN' });
    expect(started.body.hosted_url).toMatch(/\/hosted\/[\w-]{43}$/);
    expect(await used(tenant.key)).toBe(1);
    const { body } = await api.call<AuthConnection>('GET', `/auth/connections/${connection.id}`, { key: tenant.key });
    expect(AuthConnection.parse(body)).toMatchObject({
      flow_status: 'IN_PROGRESS',
      flow_step: 'DISCOVERING',
      flow_type: 'LOGIN',
      hosted_url: started.body.hosted_url,
    });
    expect(body.browser_session_id).toMatch(/^[a-z][a-z0-9]{23}$/);
  });

  it('D38: a second one while it runs is 409 flow_in_progress, before any cap is asked', async () => {
    const tenant = await api.tenant({ maxConcurrentSessions: 1 });
    const own = new LoginWorld(api, tenant);
    const id = await own.running();
    const again = await own.login(id);
    own.close();
    expect([again.status, (again.body as unknown as ErrorBody).code]).toEqual([409, 'flow_in_progress']);
    expect(await used(tenant.key)).toBe(1);
  });

  it('D38, D28: no slot free is 429 with one detail, before any flow exists', async () => {
    const own = new LoginWorld(api, await api.tenant({ maxConcurrentSessions: 1 }));
    await own.running();
    const { body: second } = await own.connect();
    const refused = await own.login(second.id);
    const error = refused.body as unknown as ErrorBody;
    expect([refused.status, error.code, error.details?.length, error.details?.[0]?.code]).toEqual([
      429,
      'concurrency_limit_exceeded',
      1,
      'organization',
    ]);
    const after = await api.call<AuthConnection>('GET', `/auth/connections/${second.id}`, { key: own.tenant.key });
    own.close();
    expect(after.body.flow_status).toBeNull();
  });

  it('D38: one past its deadline is closed and replaced, also when it holds the last slot itself', async () => {
    const own = new LoginWorld(api, await api.tenant({ maxConcurrentSessions: 1 }));
    const id = await own.running();
    await unscoped(api.database).pool.query(`UPDATE login_flows SET expires_at = now() - interval '1 second' WHERE connection_id = $1`, [
      id,
    ]);
    expect((await own.login(id)).status).toBe(200);
    const timeline = await api.call<TimelineEvent[]>('GET', `/auth/connections/${id}/timeline`, { key: own.tenant.key });
    own.close();
    expect(timeline.body.map(({ status }) => status)).toEqual(['IN_PROGRESS', 'EXPIRED']);
    expect(await used(own.tenant.key)).toBe(1);
  });

  it('racing logins of one connection start one flow and take one slot', async () => {
    const own = new LoginWorld(api, await api.tenant());
    const { body } = await own.connect();
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => own.login(body.id)))).map(({ status }) => status).sort();
    own.close();
    expect(statuses).toEqual([200, 409, 409, 409]);
    expect(await used(own.tenant.key)).toBe(1);
  });

  it('D30: what cannot be done is refused by name', async () => {
    const { body } = await world.connect();
    const reply = await call<ErrorBody>('POST', `/auth/connections/${body.id}/login`, { record_session: true, proxy: { name: 'x' } });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body.details)).toMatch(/proxy.*record_session/);
  });
});

describe('POST /auth/connections/{id}/submit', () => {
  const submit = (id: string, body: unknown) => call<ErrorBody>('POST', `/auth/connections/${id}/submit`, body);
  const answer = { username: 'ann', password: 'correct horse' };

  it('D41: refusals in their order: body, no flow, interaction, ids; then 202 and the flow is SUBMITTING', async () => {
    const { body: connection } = await world.connect();
    const { id } = connection;
    const codes = async (body: unknown) => {
      const reply = await submit(id, body);
      return [reply.status, reply.body.code];
    };
    expect(await codes({})).toEqual([400, 'bad_request']);
    expect(await codes({ field_values: answer, selected_choice_id: 'x' })).toEqual([400, 'bad_request']);
    expect(await codes({ field_values: { username: 7 } })).toEqual([400, 'bad_request']);
    expect(await codes({ interaction_id: 'x', field_values: answer })).toEqual([409, 'no_active_flow']);
    await world.login(id);
    expect(await codes({ interaction_id: 'x', field_values: answer })).toEqual([409, 'stale_interaction']);
    await world.ask(id);
    expect(await codes({ field_values: answer })).toEqual([409, 'stale_interaction']);
    const { interaction_id } = await record(id);
    const invalid = await submit(id, { interaction_id, field_values: { ...answer, pin: '1' } });
    expect([invalid.status, invalid.body.code]).toEqual([422, 'invalid_submission']);
    expect(invalid.body.message).toContain('username, password');
    expect(await codes({ interaction_id, field_values: { username: 'ann' } })).toEqual([422, 'invalid_submission']);
    const accepted = await submit(id, { interaction_id, field_values: answer });
    expect([accepted.status, accepted.body]).toEqual([202, { accepted: true }]);
    expect(await record(id)).toMatchObject({ flow_step: 'SUBMITTING' });
    expect(await codes({ interaction_id, field_values: answer })).toEqual([409, 'stale_interaction']);
  });

  it('D41, D59: the older keys work without an interaction_id', async () => {
    const id = await world.running();
    await world.ask(id, methodOffer);
    expect((await submit(id, { mfa_option_id: 'call' })).status).toBe(422);
    expect((await submit(id, { mfa_option_id: 'totp' })).status).toBe(202);
  });
});

describe('cancel, delete and timeline', () => {
  it('D41: cancel ends a running flow CANCELED with 202 and frees its slot; none running is 409 no_active_flow', async () => {
    const own = new LoginWorld(api, await api.tenant());
    const id = await own.running();
    const cancel = () => api.call<ErrorBody>('POST', `/auth/connections/${id}/cancel`, { key: own.tenant.key });
    const canceled = await cancel();
    expect([canceled.status, canceled.body]).toEqual([202, { accepted: true }]);
    const again = await cancel();
    expect([again.status, again.body.code]).toEqual([409, 'no_active_flow']);
    const { body } = await api.call<AuthConnection>('GET', `/auth/connections/${id}`, { key: own.tenant.key });
    own.close();
    expect(AuthConnection.parse(body)).toMatchObject({ flow_status: 'CANCELED', flow_step: 'DISCOVERING', status: 'NEEDS_AUTH' });
    expect(await used(own.tenant.key)).toBe(0);
  });

  it('D40, D44: deleting a connection cancels its flow and keeps the profile; its name pair is free at once', async () => {
    const body = { domain: 'gone.test', profile_name: 'kept' };
    const { body: connection } = await world.connect(body);
    await world.login(connection.id);
    expect((await call('DELETE', `/auth/connections/${connection.id}`)).status).toBe(204);
    expect((await call('GET', `/auth/connections/${connection.id}`)).status).toBe(404);
    expect((await call('GET', '/profiles/kept')).status).toBe(200);
    const flow = await unscoped(api.database).prisma.loginFlow.findFirstOrThrow({ where: { connectionId: connection.id } });
    expect(flow.status).toBe('CANCELED');
    expect((await world.connect(body)).status).toBe(201);
  });

  it('the timeline is newest first, paged and filtered, with health checks', async () => {
    const id = await world.running();
    await call('POST', `/auth/connections/${id}/cancel`);
    await world.login(id);
    await world.play(id, { kind: 'fail', code: 'captcha_blocked', message: 'A captcha is in the way.' });
    await unscoped(api.database).prisma.healthCheck.create({
      data: { id: newId(), connectionId: id, status: 'NEEDS_AUTH', previousStatus: 'AUTHENTICATED' },
    });
    const timeline = async (query = '') => {
      const reply = await call<TimelineEvent[]>('GET', `/auth/connections/${id}/timeline${query}`);
      return { ...reply, body: reply.body.map((entry) => TimelineEvent.parse(entry)) };
    };
    expect((await timeline()).body.map(({ type, status, error_code }) => [type, status, error_code])).toEqual([
      ['health_check', 'NEEDS_AUTH', undefined],
      ['login', 'FAILED', 'captcha_blocked'],
      ['login', 'CANCELED', undefined],
    ]);
    expect((await timeline('?type=login&limit=1')).headers.get('x-next-offset')).toBe('1');
    expect((await timeline('?type=login&limit=1&offset=1')).body.map(({ status }) => status)).toEqual(['CANCELED']);
    expect((await timeline('?type=reauth')).body).toEqual([]);
  });

  it('D37: a record never shows a login that is done beside a connection that is not, when it ends while the record is read', async () => {
    const id = await world.running();
    const before = await api.app.get(ConnectionsRepository).find(world.scope, id);
    const flow = await readCurrentFlow(world.store, world.scope, id);
    if (before === undefined || flow === null) throw new Error('there is no login');
    await finishSaved(world.store, { ...flow, savedAt: new Date() });
    expect(await api.app.get(ConnectionsService).view(world.scope, before)).toMatchObject({
      flow_status: 'SUCCESS',
      status: 'AUTHENTICATED',
    });
    expect(await record(id)).toMatchObject({ flow_status: 'SUCCESS', status: 'AUTHENTICATED' });
  });

  it('D37: a failed LOGIN leaves the connection’s status, and its error stays readable', async () => {
    const id = await world.running();
    await world.ask(id, passwordOffer);
    await world.play(id, { kind: 'fail', code: 'credentials_invalid', message: 'Three times wrong.' });
    expect(await record(id)).toMatchObject({
      status: 'NEEDS_AUTH',
      flow_status: 'FAILED',
      flow_step: 'AWAITING_INPUT',
      error_code: 'credentials_invalid',
      error_message: 'Three times wrong.',
    });
  });
});
