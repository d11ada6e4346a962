import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cancelLaunch, requestEnd } from '@berth/browser-fleet';
import { chromium } from 'playwright-core';
import type { RunningHost } from '../src/start.js';
import { isRunning, shortLeaseSeconds, TestFleet, until } from './fleet.js';

let fleet: TestFleet;
let host: RunningHost;

beforeAll(async () => {
  fleet = await TestFleet.create(shortLeaseSeconds);
  host = await fleet.startHost({
    BERTH_HOST_ID: 'host-a',
    BERTH_HOST_CAPACITY: '3',
    BERTH_HOST_WARM_BROWSERS: '1',
    BERTH_LAUNCH_TIMEOUT_SECONDS: '10',
  });
});
afterAll(() => fleet.close());

const pidOf = (sessionId: string): number => host.assembly.sessions.find(sessionId)?.chromium?.pid ?? 0;
const browserFolders = (id: string): string[] =>
  existsSync(join(fleet.dataDir, 'hosts', id, 'browsers')) ? readdirSync(join(fleet.dataDir, 'hosts', id, 'browsers')) : [];

describe('the life of a session', () => {
  it('D33: ends not before its idle time-out and within 5 s after; a connection stops the clock', async () => {
    const session = await fleet.run({ timeoutSeconds: 2 });
    const startedAt = (await fleet.row(session.id)).startedAt?.getTime() ?? 0;
    const browser = await chromium.connectOverCDP(fleet.cdp(session));
    await until('the time-out has passed', () => Date.now() - startedAt > 2_500);
    expect((await fleet.row(session.id)).status).toBe('running');
    const leftAt = Date.now();
    await browser.close();
    expect(await fleet.watcher.waitUntilEnded(session.id, 30_000)).toBe(true);
    const row = await fleet.row(session.id);
    expect(row.endReason).toBe('idle_timeout');
    const idleMs = (row.endingAt?.getTime() ?? 0) - leftAt;
    expect(idleMs).toBeGreaterThanOrEqual(1_990);
    expect((row.deletedAt?.getTime() ?? 0) - leftAt).toBeLessThan(7_000);
  });

  it('D33: an end asked for is confirmed when processes and files are gone and the slot is free', async () => {
    const session = await fleet.run();
    const pid = pidOf(session.id);
    expect(isRunning(pid)).toBe(true);
    expect(await fleet.used()).toBe(1);
    expect(await fleet.end(session.id)).toBe(true);
    expect(isRunning(pid)).toBe(false);
    expect(await fleet.used()).toBe(0);
    expect(await fleet.row(session.id)).toMatchObject({ status: 'ended', endReason: 'deleted' });
    await until('only the standby browser has a folder', () => browserFolders('host-a').length === host.assembly.sessions.all.length + 1);
  });

  it('issue 4: a Chromium killed from outside ends its session and frees the slot', async () => {
    const session = await fleet.run();
    process.kill(pidOf(session.id), 'SIGKILL');
    expect(await fleet.watcher.waitUntilEnded(session.id, 30_000)).toBe(true);
    expect(await fleet.row(session.id)).toMatchObject({ endReason: 'browser_crashed' });
    await until('slot free', async () => (await fleet.used()) === 0);
  });

  it('issue 4: a launch that fails costs no slot', async () => {
    const id = await fleet.request({ profileId: await brokenProfile() });
    expect(await fleet.watcher.waitUntilEnded(id, 30_000)).toBe(true);
    expect(await fleet.row(id)).toMatchObject({ status: 'ended', endReason: 'launch_failed', startedAt: null });
    await until('slot free', async () => (await fleet.used()) === 0);
  });

  it('house: the warm browser is handed over, and replaced afterwards', async () => {
    await until('warm', async () => (await host.assembly.health.metrics()).includes('berth_host_standby_browsers 1'));
    const before = browserFolders('host-a');
    const session = await fleet.run();
    expect(before).toContain(host.assembly.sessions.find(session.id)?.chromium?.folder.root.split('/').at(-1));
    await until('warm again', async () => (await host.assembly.health.metrics()).includes('berth_host_standby_browsers 1'));
    await fleet.end(session.id);
  });

  it('issue 5: a start page that opens a dialog before anybody has connected keeps nobody from it', async () => {
    const asks = "alert('Maintenance on Sunday'); document.title = String(confirm('Go on?')) + prompt('Name?')";
    const session = await fleet.run({ startUrl: `data:text/html,<script>${asks}</script><h1>there</h1>` });
    const browser = await chromium.connectOverCDP(fleet.cdp(session));
    const page = browser.contexts()[0]?.pages()[0];
    await page?.waitForSelector('h1');
    expect(await page?.title()).toBe('falsenull');
    await browser.close();
    await fleet.end(session.id);
  });

  it('D30: viewport and start_url are what the page sees', async () => {
    const session = await fleet.run({ viewport: { width: 801, height: 602 }, startUrl: 'data:text/html,<title>start</title>' });
    const browser = await chromium.connectOverCDP(fleet.cdp(session));
    const page = browser.contexts()[0]?.pages()[0];
    await page?.waitForURL(/^data:/);
    expect(await page?.title()).toBe('start');
    expect(await page?.evaluate('[innerWidth, innerHeight]')).toEqual([801, 602]);
    const second = await browser.contexts()[0]?.newPage();
    expect(await second?.evaluate('[innerWidth, innerHeight]')).toEqual([801, 602]);
    await browser.close();
    await fleet.end(session.id);
  });

  it('issue 5: a page is told a language that it can format numbers and dates in', async () => {
    const session = await fleet.run();
    const browser = await chromium.connectOverCDP(fleet.cdp(session));
    const page = browser.contexts()[0]?.pages()[0];
    expect(await page?.evaluate('[...navigator.languages, (1234).toLocaleString(navigator.language)]')).toEqual(['en-US', 'en', '1,234']);
    await browser.close();
    await fleet.end(session.id);
  });

  it('house: leases are renewed for as long as the browser runs, and a lost one ends it', async () => {
    const session = await fleet.run();
    const { organizationId, defaultProjectId: projectId } = fleet.tenant;
    const { startedAt } = await fleet.row(session.id);
    await until('several leases have passed', () => Date.now() - (startedAt?.getTime() ?? 0) > 5_000);
    expect(await fleet.used()).toBe(1);
    await fleet.admissions.release({ organizationId, projectId }, [session.id]);
    expect(await fleet.watcher.waitUntilEnded(session.id, 30_000)).toBe(true);
    expect(await fleet.row(session.id)).toMatchObject({ endReason: 'lease_lost' });
  });

  it('D34: an idle pool browser has no idle clock until it is leased, and new tokens replace the old ones', async () => {
    const session = await fleet.run({ kind: 'pool', timeoutSeconds: 1 });
    await until('its time-out has passed', () => Date.now() - (session.startedAt?.getTime() ?? 0) > 1_500);
    expect((await fleet.row(session.id)).status).toBe('running');
    const leased = await fleet.access.prisma.browserSession.update({
      where: { id: session.id },
      data: { leasedAt: new Date(), generation: 2 },
    });
    const browser = await chromium.connectOverCDP(fleet.cdp({ ...session, generation: leased.generation }));
    await expect(chromium.connectOverCDP(fleet.cdp(session))).rejects.toThrow('401');
    await browser.close();
    expect(await fleet.watcher.waitUntilEnded(session.id, 30_000)).toBe(true);
    expect(await fleet.row(session.id)).toMatchObject({ endReason: 'idle_timeout' });
  });
});

describe('launches', () => {
  it('house: a host takes no more than it has room for; the next one waits for room or for another host', async () => {
    const held = await Promise.all([fleet.run(), fleet.run(), fleet.run()]);
    expect(held.map(({ hostPublicUrl }) => hostPublicUrl)).toEqual(Array(3).fill(held[0]?.hostPublicUrl));
    const waiting = await fleet.request();
    expect((await fleet.watcher.waitUntilRunning(waiting, 700))?.status).toBe('starting');
    expect((await fleet.row(waiting)).hostId).toBeNull();
    const other = await fleet.startHost({ BERTH_HOST_ID: 'host-b', BERTH_HOST_CAPACITY: '1' });
    expect((await fleet.watcher.waitUntilRunning(waiting, 30_000))?.status).toBe('running');
    expect((await fleet.row(waiting)).hostId).toBe('host-b');
    const last = await fleet.request();
    await fleet.end(held[0]?.id ?? '');
    expect((await fleet.watcher.waitUntilRunning(last, 30_000))?.status).toBe('running');
    expect((await fleet.row(last)).hostId).toBe('host-a');
    await Promise.all([...held.slice(1).map(({ id }) => id), waiting, last].map((id) => fleet.end(id)));
    await fleet.stopHost(other);
  });

  it('house: a launch that was taken back starts no browser later', async () => {
    const held = await Promise.all([fleet.run(), fleet.run(), fleet.run()]);
    const waiting = await fleet.request();
    await cancelLaunch(fleet.queue, waiting);
    await requestEnd(fleet.ports, [waiting], 'launch_unclaimed');
    expect(await fleet.watcher.waitUntilEnded(waiting, 0)).toBe(true);
    await Promise.all(held.map(({ id }) => fleet.end(id)));
    const next = await fleet.run();
    expect(await fleet.row(waiting)).toMatchObject({ status: 'ended', hostId: null, endReason: 'launch_unclaimed' });
    await fleet.end(next.id);
    expect(await fleet.used()).toBe(0);
  });
});

/** A profile whose stored state was sealed for something else, so that no launch with it can succeed. */
async function brokenProfile(): Promise<string> {
  const profileId = await fleet.newProfile();
  await fleet.access.prisma.profileState.create({ data: { profileId, sealed: fleet.sealer.seal('something else', '{}') } });
  return profileId;
}
