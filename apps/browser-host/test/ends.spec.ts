import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { baseUrl, type SessionStanding } from '@berth/browser-fleet';
import puppeteer from 'puppeteer-core';
import type { Session } from '../src/sessions/session.js';
import type { RunningHost } from '../src/start.js';
import { isRunning, TestFleet, until } from './fleet.js';
import { handshake } from './handshake.js';

let fleet: TestFleet;
let host: RunningHost;

beforeAll(async () => {
  fleet = await TestFleet.create();
  host = await fleet.startHost({ BERTH_HOST_ID: 'host-a', BERTH_HOST_WARM_BROWSERS: '1' });
});
afterAll(() => fleet.close());

interface Subject {
  readonly standing: SessionStanding;
  readonly session: Session;
  readonly pid: number;
}

/** A session that changes its profile, with what its host has of it. */
async function saving(timeoutSeconds = 60): Promise<Subject> {
  const standing = await fleet.run({ profileId: await fleet.newProfile(), profileSaveChanges: true, timeoutSeconds });
  const session = host.assembly.sessions.find(standing.id) as Session;
  return { standing, session, pid: session.chromium?.pid ?? 0 };
}

async function closeBrowser({ standing }: Subject): Promise<void> {
  const browser = await puppeteer.connect({ browserWSEndpoint: fleet.cdp(standing) });
  await browser.close();
}

const stored = async ({ id }: SessionStanding): Promise<boolean> =>
  (await fleet.access.prisma.profileState.count({ where: { profileId: (await fleet.row(id)).profileId ?? '' } })) === 1;

/** Keeps what was read of a profile from being stored while `work` runs. */
async function whileNothingIsStored(work: () => Promise<void>): Promise<void> {
  const client = await fleet.access.pool.connect();
  try {
    await client.query('BEGIN; LOCK TABLE profile_states IN SHARE ROW EXCLUSIVE MODE');
    await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

const ends: readonly (readonly [by: string, timeoutSeconds: number, end: (subject: Subject) => Promise<void>])[] = [
  ['its idle time-out', 1, () => Promise.resolve()],
  ['CDP Browser.close', 60, closeBrowser],
  ['the death of its Chromium', 60, ({ pid }) => Promise.resolve(void process.kill(pid, 'SIGKILL'))],
];

describe('a session that ends by itself and keeps its profile', () => {
  it.each(ends)(
    'D27, D33: by %s: once its browser is gone it is in no list and takes no slot, however long its profile takes',
    async (_by, seconds, end) => {
      const subject = await saving(seconds);
      const { standing, pid } = subject;
      await whileNothingIsStored(async () => {
        await end(subject);
        await until('it is over for callers', async () => (await fleet.row(standing.id)).deletedAt !== null);
        expect(await fleet.row(standing.id)).toMatchObject({ status: 'ending' });
        expect(isRunning(pid)).toBe(false);
        await fleet.settlesAt(0);
        expect(await stored(standing)).toBe(false);
      });
      expect(await fleet.watcher.waitUntilEnded(standing.id, 20_000)).toBe(true);
      expect(await stored(standing)).toBe(true);
      await fleet.settlesAt(0);
    },
  );

  it('D33: while the host reads from its browser it is listed, counted and there; its doors are shut, and a launch of its profile waits', async () => {
    const { standing, session, pid } = await saving(1);
    const profileId = (await fleet.row(standing.id)).profileId ?? '';
    process.kill(pid, 'SIGSTOP');
    let next: string;
    try {
      await until('its time is over', () => session.ending !== undefined);
      expect(await handshake(fleet.cdp(standing))).toBe(404);
      const state = await fetch(baseUrl(standing.hostPublicUrl ?? '', standing, fleet.sealer));
      expect([state.status, await state.json()]).toEqual([200, { session_id: standing.id, status: 'ending' }]);
      expect(await fleet.row(standing.id)).toMatchObject({ status: 'running', endingAt: null });
      expect(await fleet.used()).toBe(1);
      next = await fleet.request({ profileId });
      expect(await fleet.watcher.waitUntilRunning(next, 1_000)).toMatchObject({ status: 'starting' });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect(await fleet.watcher.waitUntilEnded(standing.id, 20_000)).toBe(true);
    expect(await fleet.row(standing.id)).toMatchObject({ endReason: 'idle_timeout' });
    expect(await stored(standing)).toBe(true);
    expect(await fleet.watcher.waitUntilRunning(next, 30_000)).toMatchObject({ status: 'running' });
    expect(await fleet.end(next)).toBe(true);
    await fleet.settlesAt(0);
  });

  it('D33: a browser that cannot be read is unlisted within 5 s of its time-out all the same, and counted until it is killed', async () => {
    const { standing, pid } = await saving(1);
    process.kill(pid, 'SIGSTOP');
    await until('it is unlisted', async () => (await fleet.row(standing.id)).status === 'ending');
    const { startedAt, endingAt, deletedAt } = await fleet.row(standing.id);
    expect((endingAt?.getTime() ?? 0) - (startedAt?.getTime() ?? 0)).toBeLessThan(6_000);
    expect([deletedAt, isRunning(pid), await fleet.used()]).toEqual([null, true, 1]);
    expect(await fleet.watcher.waitUntilEnded(standing.id, 25_000)).toBe(true);
    expect(isRunning(pid)).toBe(false);
    await fleet.settlesAt(0);
  });

  it('D34: a profile that is deleted while it is being stored stays empty', async () => {
    const subject = await saving();
    const { standing } = subject;
    const profileId = (await fleet.row(standing.id)).profileId ?? '';
    await whileNothingIsStored(async () => {
      await fleet.access.prisma.profile.update({ where: { id: profileId }, data: { deletedAt: new Date() } });
      await closeBrowser(subject);
      await until('it is over for callers', async () => (await fleet.row(standing.id)).deletedAt !== null);
    });
    expect(await fleet.watcher.waitUntilEnded(standing.id, 20_000)).toBe(true);
    expect(await stored(standing)).toBe(false);
  });
});
