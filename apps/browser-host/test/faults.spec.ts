import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DeadHosts,
  endStaleEnding,
  endUnclaimedLaunches,
  forgetHosts,
  handOnFromDeadHosts,
  hostChannel,
  hostListens,
  type SessionStanding,
  waitingAgain,
} from '@berth/browser-fleet';
import { newId } from '@berth/database';
import { connectSubscriber } from '@berth/live-sessions';
import { createLogger } from '@berth/logging';
import { browserProcesses as processesBelow, startDatabaseProxy } from '@berth/testkit';
import { chromium } from 'playwright-core';
import { readHostConfig } from '../src/config.js';
import { startHost } from '../src/start.js';
import { shortLeaseSeconds, TestFleet, until } from './fleet.js';
import { handshake } from './handshake.js';
import { killed, startHostProcess } from './host-process.js';

let fleet: TestFleet;

beforeAll(async () => {
  fleet = await TestFleet.create(shortLeaseSeconds);
});
// A host that a failed test left behind would claim the launches of the next.
afterEach(() => fleet.stopHosts());
afterAll(() => fleet.close());

const browserProcesses = (): number[] => processesBelow(fleet.dataDir);

/** The children of a process that watch over its browsers. */
const guardiansOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '' && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('guardian-process'))
    .map(Number);

describe('a host process', () => {
  it('issue 4: killed with SIGKILL, it takes its browsers along; a sweep ends the rows and frees the slots after a lease', async () => {
    const { child } = await startHostProcess(fleet, { BERTH_HOST_ID: 'doomed', BERTH_HOST_WARM_BROWSERS: '1' });
    const sessions = [await fleet.run(), await fleet.run()];
    expect(browserProcesses().length).toBeGreaterThanOrEqual(2);
    child.kill('SIGKILL');
    await killed(child);
    await until('no browser is left', () => browserProcesses().length === 0);
    const ids = sessions.map(({ id }) => id).sort();
    let ended: readonly string[] = [];
    const deadHosts = new DeadHosts(fleet.ports, shortLeaseSeconds);
    await until('a lease and a half have passed', async () => (ended = await deadHosts.endSessions()).length > 0);
    expect([...ended].sort()).toEqual(ids);
    expect(await fleet.used()).toBe(0);
    expect(await fleet.row(ids[0] ?? '')).toMatchObject({ status: 'ended', endReason: 'host_lost' });
  });

  it('D31: opens to whoever has read that a browser runs, before it has the answer to having written that itself', async () => {
    const proxy = await startDatabaseProxy(fleet.stores.databaseUrl);
    // Its own rounds, every third of a lease, must not wait for the answers before the launch does.
    const host = await fleet.startHost({ BERTH_DATABASE_URL: proxy.url, BERTH_LEASE_SECONDS: '600' });
    const id = await fleet.request();
    await until('it is claimed', () => host.assembly.sessions.find(id)?.row !== undefined);
    proxy.holdAnswers();
    const standing = await fleet.watcher.waitUntilRunning(id, 20_000);
    expect(standing?.status).toBe('running');
    const url = fleet.cdp(standing as SessionStanding);
    const knock = handshake(url);
    expect(await handshake(url.replace('/cdp?', '/nothing?'))).toBe(404);
    expect(host.assembly.sessions.find(id)?.row?.status).toBe('starting');
    proxy.thaw();
    expect(await knock).toBe(101);
    await fleet.stopHost(host);
    await proxy.close();
  });

  it('issue 4: killed while no API process lives, another host ends its sessions, and every slot is back', async () => {
    const { child } = await startHostProcess(fleet, { BERTH_HOST_ID: 'alone' });
    const sessions = [await fleet.run(), await fleet.run(), await fleet.run({ kind: 'login' })];
    const neighbour = await fleet.startHost({ BERTH_HOST_ID: 'neighbour' });
    child.kill('SIGKILL');
    await killed(child);
    for (const { id } of sessions) {
      expect(await fleet.watcher.waitUntilEnded(id, 20_000)).toBe(true);
      expect(await fleet.row(id)).toMatchObject({ status: 'ended', endReason: 'host_lost' });
    }
    await fleet.settlesAt(0);
    await until('no browser is left', () => browserProcesses().length === 0);
    await fleet.stopHost(neighbour);
  });

  it('issue 4: killed, and another started on its machine: what it left is ended by that start, not a lease later', async () => {
    const { child } = await startHostProcess(fleet, { BERTH_HOST_ID: 'former', BERTH_LEASE_SECONDS: '600' });
    const sessions = [await fleet.run(), await fleet.run()];
    child.kill('SIGKILL');
    await killed(child);
    await until('no browser is left', () => browserProcesses().length === 0);
    const next = await fleet.startHost({ BERTH_HOST_ID: 'latter', BERTH_LEASE_SECONDS: '600' });
    for (const { id } of sessions) expect(await fleet.row(id)).toMatchObject({ status: 'ended', endReason: 'host_lost' });
    await fleet.settlesAt(0);
    await fleet.stopHost(next);
  });

  it('issue 4: frozen for two leases, its sessions are ended by others; awake again it serves none of them, kills them and goes on', async () => {
    const { child } = await startHostProcess(fleet, { BERTH_HOST_ID: 'sleeper' });
    const sessions = [await fleet.run(), await fleet.run()];
    const neighbour = await fleet.startHost({ BERTH_HOST_ID: 'neighbour' });
    const chromiums = browserProcesses();
    expect(chromiums.length).toBeGreaterThanOrEqual(2);
    child.kill('SIGSTOP');
    try {
      for (const { id } of sessions) expect(await fleet.watcher.waitUntilEnded(id, 20_000)).toBe(true);
      await fleet.settlesAt(0);
      // Its slot is given to another while the frozen host's browsers still run.
      const successor = await fleet.run();
      await fleet.settlesAt(1);
      const knocking = sessions.map((session) => handshake(fleet.cdp(session)));
      child.kill('SIGCONT');
      expect(await Promise.all(knocking)).toEqual([404, 404]);
      await until('its old browsers are gone', () => chromiums.every((pid) => !browserProcesses().includes(pid)));
      await fleet.settlesAt(1);
      for (const { id } of sessions) expect(await fleet.row(id)).toMatchObject({ status: 'ended', endReason: 'host_lost' });
      expect(await fleet.end(successor.id)).toBe(true);
    } finally {
      child.kill('SIGCONT');
    }
    await fleet.stopHost(neighbour);
    const next = await fleet.run();
    expect((await fleet.row(next.id)).hostId).toBe('sleeper');
    await fleet.settlesAt(1);
    expect(await fleet.end(next.id)).toBe(true);
    await fleet.settlesAt(0);
    child.kill('SIGTERM');
    await killed(child);
    await until('no browser is left', () => browserProcesses().length === 0);
  });

  it('issue 4: started again under its name, it ends what its former life left and removes the files', async () => {
    const first = await startHostProcess(fleet, { BERTH_HOST_ID: 'phoenix' });
    const session = await fleet.run();
    first.child.kill('SIGKILL');
    await killed(first.child);
    const again = await startHostProcess(fleet, { BERTH_HOST_ID: 'phoenix' });
    expect(await fleet.watcher.waitUntilEnded(session.id, 30_000)).toBe(true);
    expect(await fleet.row(session.id)).toMatchObject({ endReason: 'host_lost' });
    await until('slot free', async () => (await fleet.used()) === 0);
    await until('no browser is left', () => browserProcesses().length === 0);
    const next = await fleet.run();
    expect(readdirSync(`${fleet.dataDir}/hosts/phoenix/browsers`)).toHaveLength(1);
    expect(readdirSync(`${fleet.dataDir}/hosts`)).toEqual(['phoenix']);
    expect(await fleet.end(next.id)).toBe(true);
    again.child.kill('SIGTERM');
    await killed(again.child);
  });

  it('issue 4: killed together with its guardian, its browsers are killed by the next start of a host on its data folder, and no others', async () => {
    const { child } = await startHostProcess(fleet, { BERTH_HOST_ID: 'orphaned' });
    const session = await fleet.run();
    const elsewhere = await TestFleet.create();
    await elsewhere.startHost();
    const stranger = await elsewhere.run();
    const guardians = guardiansOf(child.pid ?? 0);
    expect(guardians).toHaveLength(1);
    // Stopped first: neither may see the other die.
    for (const pid of guardians) process.kill(pid, 'SIGSTOP');
    child.kill('SIGKILL');
    await killed(child);
    for (const pid of guardians) process.kill(pid, 'SIGKILL');
    // Asked now: a helper of a browser that has just started may end by itself.
    const orphans = browserProcesses();
    expect(orphans).not.toEqual([]);
    const next = await fleet.startHost({ BERTH_HOST_ID: 'heir' });
    expect(browserProcesses().filter((pid) => orphans.includes(pid))).toEqual([]);
    expect(readdirSync(`${fleet.dataDir}/hosts`)).toEqual(['heir']);
    expect(await fleet.row(session.id)).toMatchObject({ status: 'ended', endReason: 'host_lost' });
    expect(await handshake(elsewhere.cdp(stranger))).toBe(101);
    await fleet.stopHost(next);
    await elsewhere.close();
  });

  it('D55: told to stop, it fails readiness, ends its browsers, frees the slots and exits cleanly', async () => {
    const { child, url } = await startHostProcess(fleet, { BERTH_HOST_ID: 'leaver', BERTH_HOST_WARM_BROWSERS: '1' });
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(await (await fetch(`${url}/health/live`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('berth_host_capacity 20');
    const session = await fleet.run();
    child.kill('SIGTERM');
    await killed(child);
    expect(child.exitCode).toBe(0);
    expect(await fleet.row(session.id)).toMatchObject({ status: 'ended', endReason: 'host_stopped' });
    expect(await fleet.used()).toBe(0);
    expect(browserProcesses()).toEqual([]);
    expect(await fleet.access.prisma.browserHost.count({ where: { id: 'leaver' } })).toBe(0);
    expect(readdirSync(`${fleet.dataDir}/hosts`)).toEqual([]);
  });
});

describe('a host', () => {
  it('issue 4: ends a session whose browser takes more memory than allowed', async () => {
    const host = await fleet.startHost({ BERTH_BROWSER_MEMORY_MB: '300' });
    const session = await fleet.run();
    const browser = await chromium.connectOverCDP(fleet.cdp(session));
    expect((await fleet.row(session.id)).status).toBe('running');
    const page = browser.contexts()[0]?.pages()[0];
    // The browser may be gone before the page has answered.
    await page
      ?.evaluate('globalThis.kept = Array.from({ length: 50 }, () => new Uint8Array(8 * 1024 * 1024).fill(1)); 0')
      .catch(() => undefined);
    expect(await fleet.watcher.waitUntilEnded(session.id, 30_000)).toBe(true);
    expect(await fleet.row(session.id)).toMatchObject({ endReason: 'memory_exceeded' });
    await fleet.stopHost(host);
  });

  it('D30: says that it has windows only when its display and its Chromium really give one', async () => {
    const config = { ...readHostConfig(await fleet.environment({ BERTH_HOST_ID: 'blind' })), display: ':9' };
    const host = await startHost(config, createLogger({ name: 'browser-host', level: 'fatal' }));
    expect(await fleet.access.prisma.browserHost.findUnique({ where: { id: 'blind' } })).toMatchObject({ headful: false, draining: false });
    await host.stop();
  });

  it('house: refuses to start with a Chromium that does not', async () => {
    await expect(fleet.startHost({ BERTH_CHROMIUM_PATH: process.execPath, BERTH_HOST_ID: 'wrong' })).rejects.toThrow('BERTH_CHROMIUM_PATH');
  });
});

describe('sweeps', () => {
  // Rows without browsers or slots, for the sweeps alone.
  afterAll(() =>
    fleet.access.prisma.browserSession.updateMany({
      where: { status: { not: 'ended' } },
      data: { status: 'ended', deletedAt: new Date() },
    }),
  );

  const insert = async (data: object): Promise<string> => {
    const id = newId();
    const { organizationId, defaultProjectId: projectId } = fleet.tenant;
    await fleet.access.prisma.browserSession.create({
      data: { id, organizationId, projectId, kind: 'on_demand', headless: true, timeoutSeconds: 60, ...data },
    });
    return id;
  };
  const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

  it('house: rows that no host claimed, and ends that no host confirmed, are ended when they are old enough, and only then', async () => {
    const [oldLaunch, newLaunch] = [await insert({ createdAt: minutesAgo(2) }), await insert({})];
    await fleet.access.prisma.browserHost.create({
      data: { id: 'stuck', internalUrl: 'http://stuck', publicUrl: 'http://stuck', capacity: 1 },
    });
    const [oldEnd, newEnd] = [
      await insert({ status: 'ending', hostId: 'stuck', endingAt: minutesAgo(3), endReason: 'idle_timeout' }),
      await insert({ status: 'ending', hostId: 'stuck', endingAt: new Date() }),
    ];
    expect(await endUnclaimedLaunches(fleet.ports, 60)).toEqual([oldLaunch]);
    expect(await endStaleEnding(fleet.ports, 60)).toEqual([oldEnd]);
    expect(await fleet.row(oldLaunch)).toMatchObject({ endReason: 'launch_unclaimed' });
    expect(await fleet.row(oldEnd)).toMatchObject({ status: 'ended', endReason: 'idle_timeout' });
    expect(await Promise.all([newLaunch, newEnd].map(async (id) => (await fleet.row(id)).status))).toEqual(['starting', 'ending']);
  });

  it('issue 4: a host that has missed two heartbeats is dead at the first look when its door refuses, and not while it answers', async () => {
    const leaseSeconds = 600;
    const living = await fleet.startHost({ BERTH_HOST_ID: 'late' });
    const door = (await fleet.access.prisma.browserHost.findUniqueOrThrow({ where: { id: 'late' } })).internalUrl;
    await fleet.stopHost(living);
    const lives = createServer((_, response) => response.end());
    await new Promise<void>((resolve) => lives.listen(0, '127.0.0.1', resolve));
    const host = async (id: string, internalUrl: string, silentSeconds: number): Promise<string> => {
      await fleet.access.prisma.browserHost.create({
        data: { id, internalUrl, publicUrl: internalUrl, capacity: 1, heartbeatAt: new Date(Date.now() - silentSeconds * 1_000) },
      });
      return insert({ status: 'running', hostId: id });
    };
    const [dead, cutOff, slow] = [
      await host('dead', door, leaseSeconds * 0.7),
      await host('cut off from us', door, leaseSeconds * 0.4),
      await host('slow', `http://127.0.0.1:${(lives.address() as AddressInfo).port}`, leaseSeconds * 0.9),
    ];
    expect(await new DeadHosts(fleet.ports, leaseSeconds).endSessions()).toEqual([dead]);
    lives.close();
    expect(await Promise.all([dead, cutOff, slow].map(async (id) => (await fleet.row(id)).status))).toEqual([
      'ended',
      'running',
      'running',
    ]);
  });

  describe('a launch of a host that is dead', () => {
    let refusing: string;
    beforeAll(async () => {
      const gone = await fleet.startHost({ BERTH_HOST_ID: 'gone' });
      refusing = (await fleet.access.prisma.browserHost.findUniqueOrThrow({ where: { id: 'gone' } })).internalUrl;
      await fleet.stopHost(gone);
    });

    const launching = async (hostId: string, generation = 1): Promise<string> => {
      await fleet.access.prisma.browserHost.create({
        data: { id: hostId, internalUrl: refusing, publicUrl: refusing, capacity: 1, heartbeatAt: minutesAgo(2) },
      });
      return insert({ hostId, hostInternalUrl: refusing, hostPublicUrl: refusing, generation, createdAt: minutesAgo(0.05) });
    };
    const unplaced = { status: 'starting', hostId: null, hostInternalUrl: null, hostPublicUrl: null, generation: 2 };

    it('issue 4: is handed on once, when its door refuses and nobody listens as it', async () => {
      const [first, second] = [await launching('dies'), await launching('dies too', 2)];
      await handOnFromDeadHosts(fleet.access, (hostId) => hostListens(fleet.redis, hostId));
      expect(await fleet.row(first)).toMatchObject(unplaced);
      expect(await fleet.row(second)).toMatchObject({ status: 'starting', hostId: 'dies too' });
      expect(await waitingAgain(fleet.access)).toEqual([first]);
    });

    it('issue 4: stays where it is while somebody listens as its host: this process may be cut off from a living one', async () => {
      const id = await launching('cut off');
      const itself = connectSubscriber(fleet.stores.redisUrl);
      await itself.subscribe(hostChannel('cut off'));
      await handOnFromDeadHosts(fleet.access, (hostId) => hostListens(fleet.redis, hostId));
      expect(await fleet.row(id)).toMatchObject({ status: 'starting', hostId: 'cut off' });
      itself.disconnect();
    });

    it('house: is handed on by the sweep of dead hosts too, which ends only what was handed on before', async () => {
      const [first, second] = [await launching('died'), await launching('died too', 2)];
      const ended = await new DeadHosts(fleet.ports, 60).endSessions();
      expect(ended).toContain(second);
      expect(ended).not.toContain(first);
      expect(await fleet.row(first)).toMatchObject(unplaced);
      expect(await fleet.row(second)).toMatchObject({ status: 'ended', endReason: 'host_lost' });
    });

    it('issue 4: is not ended by the host that had it, when that one lives after all', async () => {
      const host = await fleet.startHost({ BERTH_HOST_ID: 'robbed' });
      // For as long as this takes nobody takes it for dead.
      await fleet.access.prisma.browserHost.create({
        data: { id: 'robber', internalUrl: refusing, publicUrl: refusing, capacity: 1, heartbeatAt: minutesAgo(-60) },
      });
      const id = await fleet.request({ profileId: await fleet.newProfile() });
      // It may claim the launch and then hears of nothing until the row is another's.
      const client = await fleet.access.pool.connect();
      try {
        await client.query('BEGIN; LOCK TABLE profile_states IN ACCESS EXCLUSIVE MODE');
        await until('it is claimed', async () => (await fleet.row(id)).hostId === 'robbed');
        await client.query(`UPDATE browser_sessions SET host_id = 'robber', generation = 2 WHERE id = $1`, [id]);
        await client.query('COMMIT');
      } finally {
        client.release();
      }
      await until('it has let go', () => host.assembly.sessions.find(id) === undefined);
      expect(await fleet.row(id)).toMatchObject({ status: 'starting', hostId: 'robber' });
      expect(browserProcesses()).toEqual([]);
      await fleet.stopHost(host);
    });
  });

  it('house: a host that looks dead only because PostgreSQL was away is given time for its next heartbeat', async () => {
    const leaseMs = 1_000;
    await fleet.access.prisma.browserHost.create({
      data: { id: 'muted', internalUrl: 'http://muted', publicUrl: 'http://muted', capacity: 1 },
    });
    const session = await insert({ status: 'running', hostId: 'muted' });
    const deadHosts = new DeadHosts(fleet.ports, leaseMs / 1_000);
    // At every look it has been silent for an hour, and yet it has beaten since the last one.
    const started = Date.now();
    for (let beats = 0; Date.now() - started < 2 * leaseMs; beats += 1) {
      await fleet.access.prisma.browserHost.update({
        where: { id: 'muted' },
        data: { heartbeatAt: new Date(started - 3_600_000 + beats) },
      });
      expect(await deadHosts.endSessions()).not.toContain(session);
    }
    await until('silence over half a lease convicts it', async () => (await deadHosts.endSessions()).includes(session));
    expect(await fleet.row(session)).toMatchObject({ status: 'ended', endReason: 'host_lost' });
  });

  it('house: hosts not heard of for an hour are forgotten, unless a live session names them', async () => {
    const host = async (id: string, silentMinutes: number): Promise<void> => {
      const url = `http://${id}`;
      await fleet.access.prisma.browserHost.create({
        data: { id, internalUrl: url, publicUrl: url, capacity: 1, heartbeatAt: minutesAgo(silentMinutes) },
      });
    };
    await Promise.all([host('forgotten', 61), host('named', 61), host('silent', 59)]);
    await insert({ status: 'running', hostId: 'named' });
    await insert({ status: 'ended', hostId: 'forgotten', deletedAt: new Date() });
    expect(await forgetHosts(fleet.ports, 3_600)).toContain('forgotten');
    const left = await fleet.access.prisma.browserHost.findMany({ where: { id: { in: ['forgotten', 'named', 'silent'] } } });
    expect(left.map(({ id }) => id).sort()).toEqual(['named', 'silent']);
  });

  it('house: of processes that sweep at once, none ends a row twice', async () => {
    const old = await insert({ createdAt: minutesAgo(2) });
    const swept = await Promise.all([1, 2, 3].map(() => endUnclaimedLaunches(fleet.ports, 60)));
    expect(swept.flat().filter((id) => id === old)).toEqual([old]);
  });
});
