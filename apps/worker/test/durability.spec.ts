import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium } from 'playwright-core';
import { requestEnd } from '@berth/browser-fleet';
import type { LoginStateEvent } from '@berth/schema';
import type { GuardedProcess } from '@berth/local-stack';
import { type Account, startWebsite, totpCode, type Website } from '@berth/testkit';
import type { Follower } from './follower.js';
import { killed, LoginWorld } from './login-world.js';
import { startRotatingWebsite } from './rotating-website.js';
import { leaksOf } from './secrets.js';

let world: LoginWorld;
let site: Website;
let worker: GuardedProcess;
const secrets: string[] = [];
beforeAll(async () => {
  [world, site] = await Promise.all([LoginWorld.create(), startWebsite()]);
  worker = await world.startWorker();
}, 60_000);
afterAll(async () => {
  await world.close();
  await site.stop();
}, 60_000);

function person(scenario: string): Account {
  const account = site.addAccountFor(scenario);
  secrets.push(account.password, account.smsCode, account.emailCode, ...(account.totpSecret === undefined ? [] : [account.totpSecret]));
  return account;
}
const connect = (scenario: string) => world.connect({ domain: `${scenario}.localhost`, loginUrl: site.startUrl(scenario) });
const give = (follower: Follower, state: LoginStateEvent, value: (type: string) => string) =>
  world.submit(follower.connectionId, {
    interaction_id: state.interaction_id ?? '',
    field_values: Object.fromEntries((state.fields ?? []).map(({ id, type }) => [id, value(type)])),
  });
const valueOf =
  ({ username, password, totpSecret }: Account) =>
  (type: string) =>
    type === 'identifier' ? username : type === 'password' ? password : totpCode(totpSecret ?? '');

async function logIn(account: Account, connectionId: string): Promise<LoginStateEvent> {
  const follower = await world.login(connectionId);
  for (;;) {
    const state = await follower.paused();
    if (state.flow_status !== 'IN_PROGRESS') return state;
    await give(follower, state, valueOf(account));
  }
}

interface Held {
  readonly profileId: string;
  readonly sessionId: string;
}

const flowOf = ({ connectionId }: Follower) =>
  world.access.prisma.loginFlow.findFirstOrThrow({ where: { connectionId }, orderBy: { createdAt: 'desc' } });

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10);
}

/** Ends the worker without a word and starts another. */
async function replaceWorker(): Promise<void> {
  await killed(worker);
  worker = await world.startWorker();
}

describe('a worker that is killed', () => {
  it('while a person is waited for: the next one goes on in the same page', async () => {
    const account = person('identifier-first');
    const follower = await world.login(await connect('identifier-first'));
    await give(follower, await follower.paused(), valueOf(account));
    const asked = await follower.paused();
    await replaceWorker();
    await give(follower, asked, valueOf(account));
    expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS' });
    expect(site.stats.counts({ username: account.username })['identifier-first']).toMatchObject({
      login: { posts: 1, duplicate: 0 },
      password: { posts: 1, duplicate: 0 },
    });
  });

  it('with an accepted answer still to be sent: it is sent once, by the next one', async () => {
    const account = person('one-page');
    const follower = await world.login(await connect('one-page'));
    const asked = await follower.paused();
    await killed(worker);
    await give(follower, asked, valueOf(account));
    worker = await world.startWorker();
    expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS' });
    expect(site.stats.counts({ username: account.username })['one-page']?.['login']).toMatchObject({ posts: 1, duplicate: 0 });
  });

  it('D41: while the website answers: nothing is sent twice, whatever the website did with it', async () => {
    const account = person('one-page');
    const follower = await world.login(await connect('one-page'));
    const asked = await follower.paused();
    site.delayNext({ ms: 4_000, scenario: 'one-page', step: 'login' });
    await give(follower, asked, valueOf(account));
    await follower.next((state) => state.flow_step === 'SUBMITTING');
    while (
      (await world.access.prisma.loginFlow.count({ where: { connectionId: follower.connectionId, NOT: { sealedAnswer: null } } })) > 0
    );
    await replaceWorker();
    // Killed before the click, the form is still there and is asked about again; killed after it, the website's answer is found.
    const found = await follower.paused(40_000);
    if (found.flow_status === 'IN_PROGRESS') {
      expect(found.fields?.map(({ reason }) => reason)).toEqual(['missing', 'missing']);
      await give(follower, found, valueOf(account));
    }
    expect(found.flow_status === 'IN_PROGRESS' ? await follower.ended() : found).toMatchObject({ flow_status: 'SUCCESS' });
    expect(site.stats.counts({ username: account.username })['one-page']?.['login']).toMatchObject({ posts: 1, duplicate: 0 });
  });

  it('D41: while it discovers: the next one finds the same browser and goes on', async () => {
    const account = person('identifier-first');
    const before = await world.access.prisma.browserSession.count();
    site.delayNext({ ms: 4_000, scenario: 'identifier-first', step: 'login' });
    const follower = await world.login(await connect('identifier-first'));
    await until(async () => (await flowOf(follower)).ownerEpoch > 0);
    await replaceWorker();
    expect((await flowOf(follower)).step).toBe('DISCOVERING');
    for (const types of [['identifier'], ['password']]) {
      const asked = await follower.paused();
      expect(asked.fields?.map(({ type }) => type)).toEqual(types);
      await give(follower, asked, valueOf(account));
    }
    expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS' });
    expect(site.stats.counts({ username: account.username })['identifier-first']).toMatchObject({
      login: { posts: 1, duplicate: 0 },
      password: { posts: 1, duplicate: 0 },
    });
    expect([await world.access.prisma.browserSession.count(), await world.used()]).toEqual([before + 1, 0]);
  });

  it.each([
    // Whoever saves waits for the profile; whoever finishes ends the browser's session first.
    [
      'saves the profile',
      'profiles',
      ({ profileId }: Held) => profileId,
      async () => (await world.access.pool.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length > 0,
    ],
    [
      'finishes what is saved',
      'browser_sessions',
      ({ sessionId }: Held) => sessionId,
      async (follower: Follower) => (await flowOf(follower)).savedAt !== null,
    ],
  ] as const)(
    'D44: while it %s: the next one ends it with SUCCESS, the slot is free, nothing is sent again',
    async (_when, table, rowOf, isThere) => {
      const account = person('one-page');
      const follower = await world.login(await connect('one-page'));
      const asked = await follower.paused();
      const {
        browserSessionId,
        connection: { profileId },
      } = await world.access.prisma.loginFlow.findFirstOrThrow({
        where: { connectionId: follower.connectionId },
        include: { connection: true },
      });
      const holder = await world.access.pool.connect();
      try {
        await holder.query('BEGIN');
        await holder.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [
          rowOf({ profileId, sessionId: browserSessionId ?? '' }),
        ]);
        await give(follower, asked, valueOf(account));
        await until(() => isThere(follower));
        await killed(worker);
      } finally {
        await holder.query('ROLLBACK');
        holder.release();
      }
      worker = await world.startWorker();
      expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS', flow_step: 'COMPLETED' });
      expect(site.stats.counts({ username: account.username })['one-page']?.['login']).toMatchObject({ posts: 1, duplicate: 0 });
      expect(await world.access.prisma.profileState.count({ where: { profileId } })).toBe(1);
      expect(await world.used()).toBe(0);
    },
  );

  it('D55: told to stop, it hands the flow over and another worker goes on', async () => {
    const account = person('identifier-first');
    const follower = await world.login(await connect('identifier-first'));
    const asked = await follower.paused();
    const next = await world.startWorker();
    const flowOf = (): Promise<{ ownerEpoch: number; ownerSeenAt: Date | null }> =>
      world.access.prisma.loginFlow.findFirstOrThrow({
        where: { connectionId: follower.connectionId },
        select: { ownerEpoch: true, ownerSeenAt: true },
      });
    const { ownerEpoch } = await flowOf();
    expect(await worker.stop()).toMatchObject({ code: 0 });
    worker = next;
    const left = await flowOf();
    // Given up, or taken by the next one already: nobody has to wait until its owner counts as dead.
    expect(left.ownerSeenAt === null || left.ownerEpoch > ownerEpoch).toBe(true);
    await give(follower, asked, valueOf(account));
    const then = await follower.paused();
    expect(then.fields?.map(({ type }) => type)).toEqual(['password']);
    await give(follower, then, valueOf(account));
    expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS' });
  });
});

describe('ends', () => {
  it('D38: a deleted login browser ends the flow FAILED browser_error', async () => {
    const follower = await world.login(await connect('one-page'));
    await follower.paused();
    const flow = await world.access.prisma.loginFlow.findFirstOrThrow({ where: { connectionId: follower.connectionId } });
    await requestEnd({ access: world.access, admissions: world.admissions, redis: world.redis }, [flow.browserSessionId ?? ''], 'deleted');
    expect(await follower.ended()).toMatchObject({ flow_status: 'FAILED', error_code: 'browser_error', flow_step: 'AWAITING_INPUT' });
  });

  it('D41: a canceled flow ends at once and its browser with it', async () => {
    const follower = await world.login(await connect('one-page'));
    expect(await follower.paused()).toMatchObject({ flow_status: 'IN_PROGRESS', flow_step: 'AWAITING_INPUT' });
    await world.call('POST', `/auth/connections/${follower.connectionId}/cancel`);
    expect(await follower.ended()).toMatchObject({ flow_status: 'CANCELED', flow_step: 'AWAITING_INPUT' });
    expect(await world.used()).toBe(0);
  });

  it('D44: SUCCESS comes with the slot free, and a browser with the profile is logged in', async () => {
    const account = person('main-totp');
    const connectionId = await connect('main-totp');
    expect(await logIn(account, connectionId)).toMatchObject({ flow_status: 'SUCCESS' });
    expect(await world.used()).toBe(0);
    const connection = await world.access.prisma.authConnection.findUniqueOrThrow({ where: { id: connectionId } });
    expect(connection).toMatchObject({ status: 'AUTHENTICATED' });
    const session = await world.openBrowser(connection.profileId);
    const browser = await chromium.connectOverCDP(session.cdp_ws_url);
    try {
      const page = browser.contexts()[0]?.pages()[0] ?? (await browser.newPage());
      await page.goto(`${site.hosts['main-totp']}/account`);
      expect(await page.textContent('#signed-in-as')).toContain(account.username);
      await page.goto(`${site.hosts['main-totp']}/vault`);
    } finally {
      await browser.close();
      await world.call('DELETE', `/browsers/${session.session_id}`);
    }
  });
});

describe('REAUTH', () => {
  it('D44: logs an expired session in again from the stored credential, without a person', async () => {
    const account = person('identifier-first');
    const connectionId = await connect('identifier-first');
    expect(await logIn(account, connectionId)).toMatchObject({ flow_status: 'SUCCESS' });
    const { credentialId } = await world.access.prisma.authConnection.findUniqueOrThrow({ where: { id: connectionId } });
    const credential = await world.access.prisma.credential.findUniqueOrThrow({ where: { id: credentialId ?? '' } });
    expect(credential.valueKeys).toEqual(['password', 'username']);
    site.expireSessions(account.username);
    const follower = await world.reauthenticate(connectionId);
    const end = await follower.ended();
    expect(end).toMatchObject({ flow_status: 'SUCCESS', flow_type: 'REAUTH' });
    expect(follower.states.every(({ flow_step }) => !flow_step.startsWith('AWAITING'))).toBe(true);
  });

  it('D44: a code that only a person has ends mfa_required and the connection NEEDS_AUTH', async () => {
    const account = site.addAccountFor('sms-code');
    secrets.push(account.password);
    const connectionId = await connect('sms-code');
    const follower = await world.login(connectionId);
    await give(follower, await follower.paused(), valueOf(account));
    await give(follower, await follower.paused(), () => account.smsCode);
    expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS' });
    site.expireSessions(account.username);
    expect(await (await world.reauthenticate(connectionId)).ended()).toMatchObject({ flow_status: 'FAILED', error_code: 'mfa_required' });
    expect(await world.access.prisma.authConnection.findUniqueOrThrow({ where: { id: connectionId } })).toMatchObject({
      status: 'NEEDS_AUTH',
    });
  });
});

describe('REAUTH at a page that waits for its person', () => {
  it('D42, D44: ends external_action_required: nobody is there to open a link', async () => {
    const account = site.addAccountFor('magic-link');
    const connectionId = await connect('magic-link');
    const follower = await world.login(connectionId);
    await give(follower, await follower.paused(), () => account.email);
    expect(await follower.paused()).toMatchObject({ flow_step: 'AWAITING_EXTERNAL_ACTION' });
    site.openMagicLink(account.username);
    expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS' });
    site.expireSessions(account.username);
    expect(await (await world.reauthenticate(connectionId)).ended()).toMatchObject({
      flow_status: 'FAILED',
      error_code: 'external_action_required',
    });
  });
});

describe('REAUTH at a page that keeps its button locked', () => {
  it('D44: ends element_not_found: nothing is sent, and what is stored is not blamed', async () => {
    const account = person('locked-button');
    const connectionId = await connect('locked-button');
    const follower = await world.login(connectionId);
    await give(follower, await follower.paused(), () => account.email);
    await give(follower, await follower.paused(), valueOf(account));
    expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS' });
    const { credentialId } = await world.access.prisma.authConnection.findUniqueOrThrow({ where: { id: connectionId } });
    await world.call('PATCH', `/credentials/${credentialId ?? ''}`, { values: { username: 'nobody.at.all' } });
    site.expireSessions(account.username);
    expect(await (await world.reauthenticate(connectionId)).ended()).toMatchObject({
      flow_status: 'FAILED',
      error_code: 'element_not_found',
    });
    expect(site.stats.counts({ username: account.username })['locked-button']?.['login']).toMatchObject({ posts: 1 });
  });
});

const due = (connectionId: string) =>
  world.access.pool.query(`UPDATE auth_connections SET next_check_at = now() WHERE id = $1`, [connectionId]);

describe('health checks', () => {
  it('D44: finds an expired session by schedule and logs it in again by a REAUTH flow, without a person', async () => {
    const account = person('identifier-first');
    const connectionId = await world.connect({ domain: 'identifier-first.localhost', loginUrl: site.startUrl('identifier-first') });
    expect(await logIn(account, connectionId)).toMatchObject({ flow_status: 'SUCCESS' });
    site.expireSessions(account.username);
    await due(connectionId);
    const reauth = () => world.access.prisma.loginFlow.count({ where: { connectionId, type: 'REAUTH' } });
    // A check that found no browser is made again after a minute: hence the long time-out.
    while ((await reauth()) === 0) await delay(50);
    expect(await world.follow(connectionId).ended()).toMatchObject({ flow_status: 'SUCCESS', flow_type: 'REAUTH' });
    expect(await world.access.prisma.healthCheck.findMany({ where: { connectionId } })).toMatchObject([
      { status: 'NEEDS_AUTH', previousStatus: 'AUTHENTICATED' },
    ]);
  }, 150_000);
});

describe('a health check of a website whose cookies are good for one visit', () => {
  it('D44: leaves the profile logged in: what the website gave in exchange is kept', async () => {
    const website = await startRotatingWebsite();
    try {
      const connectionId = await world.connect({ domain: 'localhost', loginUrl: website.url });
      const follower = await world.login(connectionId);
      await give(follower, await follower.paused(), (type) => (type === 'identifier' ? 'ada' : 'any password'));
      expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS' });
      for (const checks of [1, 2]) {
        await due(connectionId);
        while ((await world.access.prisma.healthCheck.count({ where: { connectionId } })) < checks) await delay(50);
      }
      expect(await world.access.prisma.healthCheck.findMany({ where: { connectionId } })).toMatchObject([
        { status: 'AUTHENTICATED' },
        { status: 'AUTHENTICATED' },
      ]);
      expect(website.hasSeenOld()).toBe(false);
    } finally {
      website.stop();
    }
  }, 150_000);
});

describe('a login without a person that wants a code of one', () => {
  it('D44: is not tried again at the next check: each try has another code sent', async () => {
    const account = person('sms-code');
    const connectionId = await connect('sms-code');
    const follower = await world.login(connectionId);
    await give(follower, await follower.paused(), valueOf(account));
    await give(follower, await follower.paused(), () => account.smsCode);
    expect(await follower.ended()).toMatchObject({ flow_status: 'SUCCESS' });
    // As a website that wants it only since then.
    await world.access.pool.query(`UPDATE auth_connections SET requirements = jsonb_set(requirements, '{fields}', '[]') WHERE id = $1`, [
      connectionId,
    ]);
    site.expireSessions(account.username);
    const reauths = () => world.access.prisma.loginFlow.count({ where: { connectionId, type: 'REAUTH' } });
    await due(connectionId);
    while ((await reauths()) === 0) await delay(50);
    expect(await world.follow(connectionId).ended()).toMatchObject({ flow_status: 'FAILED', error_code: 'mfa_required' });
    await due(connectionId);
    while ((await world.access.prisma.healthCheck.count({ where: { connectionId } })) < 2) await delay(50);
    const before = site.stats.counts({ username: account.username })['sms-code'];
    await due(connectionId);
    while ((await world.access.prisma.healthCheck.count({ where: { connectionId } })) < 3) await delay(50);
    expect(await reauths()).toBe(1);
    expect(site.stats.counts({ username: account.username })['sms-code']).toEqual(before);
  }, 150_000);
});

describe('a website that takes the connection and never answers', () => {
  it('D43: could not be reached, and no browser is blamed', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const follower = await world.login(await world.connect({ domain: host, loginUrl: `http://${host}/login` }));
    expect(await follower.ended()).toMatchObject({ flow_status: 'FAILED', error_code: 'network_error' });
    silent.close();
    silent.closeAllConnections();
  }, 90_000);
});

describe('a health check beside a login', () => {
  it('D44: what it has seen of the profile of before is not written after the login has moved on', async () => {
    const account = person('identifier-first');
    const connectionId = await world.connect({ domain: 'identifier-first.localhost', loginUrl: site.startUrl('identifier-first') });
    expect(await logIn(account, connectionId)).toMatchObject({ flow_status: 'SUCCESS' });
    site.expireSessions(account.username);
    const { profileId } = await world.access.prisma.authConnection.findUniqueOrThrow({ where: { id: connectionId } });
    const checks = (ended: boolean) =>
      world.access.prisma.browserSession.count({ where: { kind: 'health_check', profileId, deletedAt: ended ? { not: null } : null } });
    await due(connectionId);
    while ((await checks(false)) === 0) await delay(5);
    // As every state of a flow does.
    await world.access.pool.query(`UPDATE auth_connections SET sequence = sequence + 1 WHERE id = $1`, [connectionId]);
    while ((await checks(true)) === 0) await delay(50);
    await due(connectionId);
    while ((await checks(true)) < 2) await delay(50);
    // The second check's, and only that.
    while ((await world.access.prisma.healthCheck.count({ where: { connectionId } })) === 0) await delay(50);
    expect(await world.access.prisma.healthCheck.count({ where: { connectionId } })).toBe(1);
  }, 150_000);
});

describe('a health check of values that were refused', () => {
  it('D44: the website is not sent them again until the credential is another', async () => {
    const account = person('identifier-first');
    const connectionId = await world.connect({ domain: 'identifier-first.localhost', loginUrl: site.startUrl('identifier-first') });
    expect(await logIn(account, connectionId)).toMatchObject({ flow_status: 'SUCCESS' });
    // The password is changed behind our back.
    secrets.push(site.addAccountFor('identifier-first', { username: account.username }).password);
    site.expireSessions(account.username);
    const checked = async (checks: number): Promise<void> => {
      await due(connectionId);
      while ((await world.access.prisma.healthCheck.count({ where: { connectionId } })) < checks) await delay(50);
    };
    const reauths = () => world.access.prisma.loginFlow.findMany({ where: { connectionId, type: 'REAUTH' } });
    await checked(1);
    while ((await reauths()).length === 0) await delay(50);
    expect(await world.follow(connectionId).ended()).toMatchObject({ flow_status: 'FAILED', error_code: 'credentials_invalid' });
    await checked(2);
    const { credentialId } = await world.access.prisma.authConnection.findUniqueOrThrow({ where: { id: connectionId } });
    await world.access.prisma.credential.update({ where: { id: credentialId ?? '' }, data: { updatedAt: new Date() } });
    await checked(3);
    while ((await reauths()).length < 2) await delay(50);
    await world.follow(connectionId).ended();
    expect(await reauths()).toHaveLength(2);
  }, 150_000);
});

describe('secrets', () => {
  it('D45: no password, code or seed is readable in PostgreSQL, Redis, logs, events or answers', async () => {
    expect(secrets.length).toBeGreaterThan(5);
    // What is kept in the open is found, or finding nothing would say nothing.
    await world.redis.set('control', `${'padding '.repeat(20)}open value`);
    expect(await leaksOf(world, ['identifier-first.localhost', 'open value'])).toEqual(
      expect.arrayContaining(['logs, answers and events', 'table auth_connections', 'key control']),
    );
    expect(await leaksOf(world, secrets)).toEqual([]);
  });
});
