import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fetchProfile, openProfile, profileUrl, type SessionStanding } from '@berth/browser-fleet';
import { Sealer } from '@berth/secrets';
import { type Browser, chromium, type Page } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { TestFleet, until } from './fleet.js';

let fleet: TestFleet;
let site: Server;
let origin: string;
let requests = 0;

beforeAll(async () => {
  site = createServer((request, response) => {
    requests += 1;
    if (request.url === '/login')
      response.setHeader('set-cookie', ['sid=secret; HttpOnly; Path=/', 'keep=1; Max-Age=3600; Path=/; SameSite=Lax']);
    response.setHeader('content-type', 'text/html').end(`<pre id=cookie>${request.headers.cookie ?? ''}</pre>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(site.address() as AddressInfo).port}`;
  fleet = await TestFleet.create();
  await fleet.startHost({ BERTH_HOST_WARM_BROWSERS: '1' });
});
afterAll(async () => {
  await fleet.close();
  site.closeAllConnections();
  site.close();
});

async function onPage<T>(on: TestFleet, session: SessionStanding, work: (page: Page, browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.connectOverCDP(on.cdp(session));
  try {
    return await work(browser.contexts()[0]?.pages()[0] as Page, browser);
  } finally {
    await browser.close();
  }
}

/** Runs in the page: leaves a value of every kind that a database can hold. */
const fillScript = `(async () => {
  localStorage.setItem('device', 'device-1');
  const open = indexedDB.open('vault', 3);
  open.onupgradeneeded = () => {
    const keys = open.result.createObjectStore('keys', { keyPath: 'id' });
    keys.createIndex('by-owner', 'owner', { unique: false });
    open.result.createObjectStore('loose', { autoIncrement: true });
  };
  await new Promise((resolve) => { open.onsuccess = resolve; });
  const shared = { deep: -0 };
  const transaction = open.result.transaction(['keys', 'loose'], 'readwrite');
  transaction.objectStore('keys').put({ id: 1, owner: 'ada', at: new Date(5), bytes: new Uint8Array([1, 2, 255]), big: 10n ** 20n, none: undefined, map: new Map([[shared, new Set([1])]]), shared });
  transaction.objectStore('loose').put(new Blob(['hello'], { type: 'text/plain' }));
  await new Promise((resolve) => { transaction.oncomplete = resolve; });
  open.result.close();
})()`;

const readScript = `(async () => {
  const open = indexedDB.open('vault');
  await new Promise((resolve) => { open.onsuccess = resolve; });
  const get = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const keys = open.result.transaction('keys').objectStore('keys');
  const [record, indexed] = await Promise.all([get(keys.get(1)), get(keys.index('by-owner').getKey('ada'))]);
  const blob = (await get(open.result.transaction('loose').objectStore('loose').getAll()))[0];
  const version = open.result.version;
  open.result.close();
  const [key, set] = [...record.map][0];
  return {
    device: localStorage.getItem('device'), version, indexed, at: record.at.getTime(), bytes: [...record.bytes], isBytes: record.bytes instanceof Uint8Array, big: String(record.big),
    hasNone: 'none' in record, same: key === record.shared, negativeZero: Object.is(key.deep, -0), set: [...set], blob: await blob.text(), type: blob.type,
  };
})()`;

const everything = {
  device: 'device-1',
  version: 3,
  indexed: 1,
  at: 5,
  bytes: [1, 2, 255],
  isBytes: true,
  big: '100000000000000000000',
  hasNone: true,
  same: true,
  negativeZero: true,
  set: [1],
  blob: 'hello',
  type: 'text/plain',
};

describe('profiles', () => {
  it('D44: a session cookie, localStorage and IndexedDB are there again in the next browser, before anybody connects and without asking the website', async () => {
    const profileId = await fleet.newProfile();
    const first = await fleet.run({ profileId, profileSaveChanges: true });
    await onPage(fleet, first, async (page) => {
      await page.goto(`${origin}/login`);
      await page.evaluate(fillScript);
    });
    expect(await fleet.end(first.id)).toBe(true);

    const stored = await fleet.access.prisma.profileState.findUniqueOrThrow({ where: { profileId } });
    expect(Buffer.from(stored.sealed).includes('secret')).toBe(false);
    const document = openProfile(fleet.sealer, stored.sealed);
    expect(document.cookies).toMatchObject([
      { name: 'keep', domain: 'localhost', sameSite: 'Lax' },
      { name: 'sid', value: 'secret', domain: 'localhost', httpOnly: true },
    ]);
    expect(document.cookies[1]?.expires).toBeUndefined();

    const asked = requests;
    const second = await fleet.run({ profileId });
    expect(requests).toBe(asked);
    await onPage(fleet, second, async (page) => {
      await page.goto(`${origin}/private`);
      expect(await page.textContent('#cookie')).toContain('sid=secret');
      expect(await page.evaluate(readScript)).toEqual(everything);
    });
    await fleet.end(second.id);
    const unchanged = await fleet.access.prisma.profileState.findUniqueOrThrow({ where: { profileId } });
    expect(unchanged.savedAt).toEqual(stored.savedAt);
  });

  it('D44: the login worker reads the state of a running browser from its host, of every origin visited so far', async () => {
    const session = await fleet.run({ kind: 'login', profileId: await fleet.newProfile() });
    await onPage(fleet, session, async (page) => {
      await page.goto(`${origin}/login`);
      await page.evaluate(fillScript);
      await page.goto('about:blank');
    });
    const { captured: document, loaded } = await fetchProfile(session.hostInternalUrl ?? '', session, fleet.sealer);
    expect(loaded).toBeNull();
    expect(document.origins.map((stored) => stored.origin)).toEqual([origin]);
    expect(document.cookies.map(({ name }) => name)).toEqual(['keep', 'sid']);
    const callersToken = fleet.cdp(session).split('token=')[1] ?? '';
    const refused = await fetch(
      profileUrl(session.hostInternalUrl ?? '', session, fleet.sealer).replace(/token=.*/, `token=${callersToken}`),
    );
    expect(refused.status).toBe(401);
    await fleet.end(session.id);
  });

  it('D44: what a browser did not touch stays as others have saved it meanwhile', async () => {
    const profileId = await fleet.newProfile();
    const [one, two] = [await fleet.run({ profileId, profileSaveChanges: true }), await fleet.run({ profileId, profileSaveChanges: true })];
    await onPage(fleet, one, (page) => page.goto(`${origin}/login`));
    await onPage(fleet, two, async (page) => page.context().addCookies([{ name: 'other', value: '2', domain: 'other.test', path: '/' }]));
    await Promise.all([fleet.end(one.id), fleet.end(two.id)]);
    const { sealed } = await fleet.access.prisma.profileState.findUniqueOrThrow({ where: { profileId } });
    expect(openProfile(fleet.sealer, sealed).cookies.map(({ name }) => name)).toEqual(['keep', 'sid', 'other']);
  });

  it('D33, D44: changes are kept too when the caller closes the browser itself', async () => {
    const profileId = await fleet.newProfile();
    const first = await fleet.run({ profileId, profileSaveChanges: true });
    const closing = await puppeteer.connect({ browserWSEndpoint: fleet.cdp(first) });
    const page = (await closing.pages())[0];
    await page?.goto(`${origin}/login`);
    await page?.evaluate(fillScript);
    // Session cookies are in no file: the host has them from its last look, at most a second ago.
    const leftAt = Date.now();
    await until('the host has looked', () => Date.now() - leftAt > 1_500);
    await closing.close();
    expect(await fleet.watcher.waitUntilEnded(first.id, 30_000)).toBe(true);
    const second = await fleet.run({ profileId });
    await onPage(fleet, second, async (open) => {
      await open.goto(`${origin}/private`);
      expect((await open.textContent('#cookie'))?.split('; ').sort()).toEqual(['keep=1', 'sid=secret']);
      expect(await open.evaluate(readScript)).toEqual(everything);
    });
    await fleet.end(second.id);
  });

  it('D45: after the secret key was replaced, profiles sealed with the former one load, addresses handed out before still open, and what is saved is sealed with the new one', async () => {
    const rotated = await TestFleet.create();
    try {
      const profileId = await rotated.newProfile();
      const before = await rotated.startHost();
      const first = await rotated.run({ profileId, profileSaveChanges: true });
      await onPage(rotated, first, (page) => page.goto(`${origin}/login`));
      expect(await rotated.end(first.id)).toBe(true);
      await rotated.stopHost(before);

      const key = 'd5'.repeat(32);
      await rotated.startHost({ BERTH_SECRET_KEY: key, BERTH_SECRET_KEYS_PREVIOUS: rotated.secretKey });
      const second = await rotated.run({ profileId, profileSaveChanges: true });
      await onPage(rotated, second, async (page) => {
        await page.goto(`${origin}/private`);
        expect(await page.textContent('#cookie')).toContain('sid=secret');
      });
      expect(await rotated.end(second.id)).toBe(true);
      const { sealed } = await rotated.access.prisma.profileState.findUniqueOrThrow({ where: { profileId } });
      expect(openProfile(new Sealer({ current: key }), sealed).cookies.map(({ name }) => name)).toEqual(['keep', 'sid']);
    } finally {
      await rotated.close();
    }
  });
});
