import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Session } from './session.js';
import type { SessionRow } from './session-rows.js';

const row = (changes: Partial<SessionRow>): SessionRow => ({
  id: 's',
  organizationId: 'o',
  projectId: 'p',
  kind: 'pool',
  status: 'running',
  generation: 1,
  headless: true,
  kioskMode: null,
  timeoutSeconds: 1,
  startUrl: null,
  viewport: null,
  profileId: null,
  profileSaveChanges: null,
  leasedAt: null,
  createdAt: new Date(0),
  startedAt: new Date(0),
  ...changes,
});

describe('a pool browser whose row is read again', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 10_000 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function idlePoolBrowser() {
    const session = new Session('s');
    let idle = 0;
    let handedOn = 0;
    const follow = (changes: Partial<SessionRow>): void =>
      session.follow(row(changes), { onIdle: () => (idle += 1), onHandedOn: async () => void (handedOn += 1) });
    follow({});
    return { session, follow, idle: () => idle, handedOn: () => handedOn };
  }
  const leasedAt = new Date(10_000);

  it('D33: whoever came in before the lease was heard of counts as connected: the clock waits for them', () => {
    const { session, follow, idle } = idlePoolBrowser();
    const leave = session.enter({ cut: () => undefined });
    follow({ leasedAt });
    jest.advanceTimersByTime(60_000);
    expect(idle()).toBe(0);
    leave();
    jest.advanceTimersByTime(1_001);
    expect(idle()).toBe(1);
  });

  it("D34: given back it is nobody's, so it does not grow idle, and the doors of its last lease are cut", () => {
    const { session, follow, idle } = idlePoolBrowser();
    follow({ leasedAt });
    let cut = 0;
    session.enter({ cut: () => (cut += 1) })();
    session.enter({ cut: () => (cut += 1) });
    follow({ generation: 2 });
    jest.advanceTimersByTime(60_000);
    expect([cut, idle()]).toEqual([1, 0]);
    follow({ generation: 2, leasedAt: new Date(70_000) });
    jest.advanceTimersByTime(60_000);
    expect(idle()).toBe(0);
  });

  it('D34: an older reading that arrives late takes nothing back: the new caller keeps its door and its lease', () => {
    const { session, follow } = idlePoolBrowser();
    follow({ leasedAt });
    follow({ generation: 2, leasedAt: new Date(11_000) });
    let cut = 0;
    session.enter({ cut: () => (cut += 1) });
    follow({ leasedAt });
    follow({ generation: 2 });
    expect(session.row).toMatchObject({ generation: 2, leasedAt: new Date(11_000) });
    expect(cut).toBe(0);
  });

  it('D34: it is put right when it is handed on by one who came in, and only then', () => {
    const { session, follow, handedOn } = idlePoolBrowser();
    follow({ leasedAt });
    follow({ generation: 2 });
    expect(handedOn()).toBe(0);
    follow({ generation: 2, leasedAt });
    session.enter({ cut: () => undefined })();
    expect(handedOn()).toBe(0);
    follow({ generation: 3 });
    follow({ generation: 4 });
    expect(handedOn()).toBe(1);
  });
});
