import { describe, expect, it } from '@jest/globals';
import type { Held, RenewRequest } from '@berth/live-sessions';
import { createLogger } from '@berth/logging';
import { LeaseRenewal } from './lease-renewal.js';
import type { Sessions } from './sessions.js';

interface Running {
  readonly id: string;
  readonly organizationId: string;
  readonly kind?: 'on_demand' | 'pool';
}

/** A host that runs these, before an admission that answers as told. */
function hostOf(running: readonly Running[], answer: (request: RenewRequest) => Promise<readonly Held[]>) {
  const asked: RenewRequest[] = [];
  const ended: string[] = [];
  const all = running.map(({ id, organizationId, kind = 'on_demand' }) => ({
    id,
    row: { organizationId, projectId: 'p', kind },
    ending: undefined,
  }));
  const sessions = {
    all,
    find: (id: string) => all.find((session) => session.id === id),
    end: async ({ id }: { id: string }) => void ended.push(id),
  };
  const admissions = {
    renew: (request: RenewRequest) => {
      asked.push(request);
      return answer(request);
    },
  };
  const renewal = new LeaseRenewal({
    sessions: sessions as unknown as Sessions,
    admissions,
    leaseMs: 30_000,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  return { asked, ended, renewal };
}

const members = (asked: readonly RenewRequest[]): string[] =>
  asked.flatMap((request) => request.members.map(({ member }) => member)).sort();

describe('LeaseRenewal', () => {
  it('house: one round trip an organization, for every browser but those of pools; what is gone is ended', async () => {
    const { asked, ended, renewal } = hostOf(
      [
        { id: 'a', organizationId: 'one' },
        { id: 'b', organizationId: 'one' },
        { id: 'c', organizationId: 'two' },
        { id: 'd', organizationId: 'two', kind: 'pool' },
      ],
      async ({ organizationId }) => (organizationId === 'one' ? [{ member: 'b', projectId: 'p' }] : []),
    );
    await renewal.round();
    expect([asked.length, members(asked)]).toEqual([2, ['a', 'b', 'c']]);
    expect(ended).toEqual(['b']);
  });

  it('issue 4: organizations that do not answer, more of them than are asked at once, delay no other; they are asked again when their answer is there', async () => {
    const slow = Array.from({ length: 20 }, (_, index) => ({ id: `s${index}`, organizationId: `slow${index}` }));
    const answers: (() => void)[] = [];
    const { asked, renewal } = hostOf([...slow, { id: 'quick', organizationId: 'quick' }], ({ organizationId }) =>
      organizationId === 'quick' ? Promise.resolve([]) : new Promise((resolve) => answers.push(() => resolve([]))),
    );
    await renewal.round();
    expect(members(asked)).toEqual([...slow.map(({ id }) => id), 'quick'].sort());
    await renewal.round();
    expect(members(asked.slice(21))).toEqual(['quick']);
    for (const answer of answers.splice(0)) answer();
    await new Promise(setImmediate);
    const third = renewal.round();
    await new Promise(setImmediate);
    for (const answer of answers) answer();
    await third;
    expect(members(asked.slice(22))).toContain('s0');
  });

  it('house: an organization that cannot be asked fails the round, so that the next one comes sooner, and is tried again in it', async () => {
    let down = true;
    const { asked, ended, renewal } = hostOf([{ id: 'a', organizationId: 'one' }], async () => {
      if (down) throw new Error('Redis did not answer');
      return [];
    });
    await expect(renewal.round()).rejects.toThrow('not asked: 1');
    down = false;
    await renewal.round();
    expect([asked.length, ended]).toEqual([2, []]);
  });
});
