import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SessionStanding } from '@berth/browser-fleet';
import { newId } from '@berth/database';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { TestFleet, until } from './fleet.js';

let fleet: TestFleet;
let site: Server;
let origin: string;

beforeAll(async () => {
  site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>site</title>'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(site.address() as AddressInfo).port}`;
  fleet = await TestFleet.create();
  // With one place each, a browser and the next of its profile run on different hosts.
  for (const id of ['one', 'two'])
    await fleet.startHost({
      BERTH_HOST_ID: id,
      BERTH_HOST_CAPACITY: '1',
      BERTH_HOST_WARM_BROWSERS: '1',
      BERTH_LAUNCH_TIMEOUT_SECONDS: '15',
    });
});
afterAll(async () => {
  await fleet.close();
  site.closeAllConnections();
  site.close();
});

async function onSite<T>(session: SessionStanding, work: (page: Page, browser: Browser) => Promise<T>): Promise<T> {
  const browser = await puppeteer.connect({ browserWSEndpoint: fleet.cdp(session) });
  const page = (await browser.pages())[0] as Page;
  await page.goto(origin);
  return work(page, browser).finally(() => browser.disconnect());
}

const write = (page: Page, device: string): Promise<unknown> => page.evaluate(`localStorage.setItem('device', '${device}')`);
const deviceOf = (session: SessionStanding): Promise<unknown> => onSite(session, (page) => page.evaluate("localStorage.getItem('device')"));

/** A profile in which a browser has saved `old`. */
async function savedProfile(): Promise<string> {
  const profileId = await fleet.newProfile();
  const first = await fleet.run({ profileId, profileSaveChanges: true });
  await onSite(first, (page) => write(page, 'old'));
  expect(await fleet.end(first.id)).toBe(true);
  return profileId;
}

/** Keeps savers from saving while `work` runs; what is stored can be read. */
async function whileNobodySaves<T>(profileId: string, work: () => Promise<T>): Promise<T> {
  const client = await fleet.access.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM profile_states WHERE profile_id = $1 FOR UPDATE', [profileId]);
    return await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

describe('a browser whose profile another one is about to save', () => {
  it.each([
    ['its idle time-out', 1, async () => undefined],
    ['CDP Browser.close', 60, (browser: Browser) => browser.close()],
  ] as const)(
    'D33, D44: waits for one that ends by %s, on another host, and starts with what it saves',
    async (_, timeoutSeconds, leave) => {
      const profileId = await savedProfile();
      const ending = await fleet.run({ profileId, profileSaveChanges: true, timeoutSeconds });
      const next = await whileNobodySaves(profileId, async () => {
        await onSite(ending, async (page, browser) => {
          await write(page, 'new');
          await leave(browser);
        });
        await until('it is ending', async () => (await fleet.row(ending.id)).status === 'ending');
        const id = await fleet.request({ profileId });
        expect(await fleet.watcher.waitUntilRunning(id, 1_500)).toMatchObject({ status: 'starting' });
        return id;
      });
      const standing = await fleet.watcher.waitUntilRunning(next, 30_000);
      expect(standing?.status).toBe('running');
      expect(await deviceOf(standing as SessionStanding)).toBe('new');
      expect((await fleet.row(next)).hostId).not.toBe((await fleet.row(ending.id)).hostId);
      expect(await fleet.end(next)).toBe(true);
    },
  );

  it('D33, D44: has it also when it is asked for as soon as the caller has closed the other', async () => {
    const profileId = await savedProfile();
    const closed = await fleet.run({ profileId, profileSaveChanges: true });
    await onSite(closed, async (page, browser) => {
      await write(page, 'new');
      await browser.close();
    });
    const next = await fleet.run({ profileId });
    expect(await deviceOf(next)).toBe('new');
    expect(await fleet.end(next.id)).toBe(true);
  });

  it('issue 4: starts in time with what is stored when the other never comes to its end', async () => {
    const profileId = await savedProfile();
    const { organizationId, defaultProjectId: projectId } = fleet.tenant;
    await fleet.access.prisma.browserHost.create({
      data: {
        id: 'stuck',
        internalUrl: 'http://stuck',
        publicUrl: 'http://stuck',
        capacity: 1,
        heartbeatAt: new Date(Date.now() + 600_000),
      },
    });
    const stuck = { id: newId(), kind: 'on_demand', status: 'ending', hostId: 'stuck', profileId, profileSaveChanges: true } as const;
    await fleet.access.prisma.browserSession.create({ data: { ...stuck, organizationId, projectId, headless: true, timeoutSeconds: 60 } });
    const next = await fleet.run({ profileId });
    expect(await deviceOf(next)).toBe('old');
    expect(await fleet.end(next.id)).toBe(true);
    await fleet.access.prisma.browserSession.update({ where: { id: stuck.id }, data: { status: 'ended', deletedAt: new Date() } });
  });
});
