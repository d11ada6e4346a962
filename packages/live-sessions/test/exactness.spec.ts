import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Admission } from '../src/index.js';
import { keys } from '../src/keys.js';
import { heldBy } from '../src/members.js';
import { expectInvariant, type Fixture, newId, startFixture } from './fixture.js';
import { type Executed, Monitor } from './monitor.js';

const long = process.env.BERTH_TEST_LONG === '1';
const PROCESSES = 4;
const ACQUIRES = long ? 1_000_000 : 10_000;

interface Race {
  readonly projects: number;
  readonly organizationLimit: number;
  readonly projectLimit: number | null;
  readonly callers: number;
}

describe('exactness: racing processes', () => {
  let fixture: Fixture;
  let folder: string;
  const started: ChildProcess[] = [];
  beforeAll(async () => {
    fixture = await startFixture([], 600_000);
    folder = mkdtempSync(join(tmpdir(), 'berth-race-'));
  });
  afterAll(async () => {
    for (const racer of started) racer.kill('SIGKILL');
    await fixture.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const share = Math.ceil(ACQUIRES / PROCESSES);

  async function lineUp(
    organizationId: string,
    projects: readonly string[],
    race: Race,
    acquires: number,
    leaseMs: (index: number) => number = () => 600_000,
  ): Promise<{ racers: ChildProcess[]; files: string[] }> {
    const files = Array.from({ length: PROCESSES }, (_, index) => join(folder, `${organizationId}-${index}`));
    const racers = files.map((file, index) =>
      fork(
        fileURLToPath(new URL('racer.mjs', import.meta.url)),
        [
          JSON.stringify({
            url: fixture.server.url,
            name: `r${index}`,
            organizationId,
            projects,
            file,
            acquires,
            callers: race.callers,
            organizationLimit: race.organizationLimit,
            projectLimit: race.projectLimit,
            leaseMs: leaseMs(index),
          }),
        ],
        { execArgv: [] },
      ),
    );
    started.push(...racers);
    await Promise.all(racers.map((racer) => once(racer, 'message')));
    return { racers, files };
  }

  it.each<[string, Race]>([
    ['cap 1', { projects: 1, organizationLimit: 1, projectLimit: null, callers: 8 }],
    ['cap 10', { projects: 2, organizationLimit: 10, projectLimit: null, callers: 8 }],
    ['project cap 90 under organization cap 100', { projects: 2, organizationLimit: 100, projectLimit: 90, callers: 40 }],
    ['cap 1 000', { projects: 3, organizationLimit: 1_000, projectLimit: 400, callers: 300 }],
  ])(
    `D28: ${ACQUIRES} acquires from ${PROCESSES} processes at %s: never one too many, never a refusal below the cap`,
    async (_name, race) => {
      const organizationId = newId();
      const projects = Array.from({ length: race.projects }, newId);
      const { racers, files } = await lineUp(organizationId, projects, race, share);
      const monitor = await Monitor.of(fixture.server.port, keys.organization(organizationId));
      for (const racer of racers) racer.send('go');
      await Promise.all(racers.map((racer) => once(racer, 'message')));
      await monitor.caughtUp(fixture.server.admin);
      monitor.close();

      const outcome = replay(monitor.executed, await repliesIn(files));
      expect(outcome.wrong).toEqual([]);
      expect(outcome.acquires).toBe(share * PROCESSES);
      expect(outcome.unanswered).toBe(0);
      expect(outcome.highest).toBeLessThanOrEqual(race.organizationLimit);
      // A race that never reached the cap would prove nothing.
      expect(outcome.refused).toBeGreaterThan(0);
      await expectInvariant(
        fixture.live,
        fixture.server.admin,
        organizationId,
        Object.fromEntries(projects.map((project) => [project, 0])),
      );
    },
    long ? 1_200_000 : 60_000,
  );

  it('D28: processes killed in mid-race cost no slot for longer than its lease, and the others stay exact', async () => {
    const organizationId = newId();
    const projects = [newId(), newId()];
    const race: Race = { projects: 2, organizationLimit: 50, projectLimit: 40, callers: 40 };
    const leaseMs = 6_000;
    const isDoomed = (index: number): boolean => index < 2;
    const endless = Number.MAX_SAFE_INTEGER;
    const leaseOf = (index: number): number => (isDoomed(index) ? leaseMs : 600_000);
    const { racers, files } = await lineUp(organizationId, projects, race, endless, leaseOf);
    const monitor = await Monitor.of(fixture.server.port, keys.organization(organizationId));
    const now = async (): Promise<number> => {
      const [seconds, micros] = await fixture.server.admin.time();
      return Number(seconds) * 1_000 + Number(micros) / 1_000;
    };
    for (const racer of racers) racer.send('go');
    const [doomed, survivors] = [racers.filter((_, index) => isDoomed(index)), racers.filter((_, index) => !isDoomed(index))];
    const done = survivors.map((racer) => once(racer, 'message'));
    while ((await fixture.live.usage(organizationId)).organization < 40) await delay(1);
    const ofDoomed = (member: string): boolean => /^r[01]-/.test(member);
    const endsOfDoomed = async (): Promise<number[]> => {
      const set = await fixture.server.admin.zrange(keys.organization(organizationId), '0', '-1', 'WITHSCORES');
      return set.flatMap((member, index) => (index % 2 === 0 && ofDoomed(heldBy(member).member) ? [Number(set[index + 1])] : []));
    };
    // Killed in a moment in which they hold something: in another the survivors may hold it all.
    let ends: number[] = [];
    while (ends.length === 0) {
      for (const racer of doomed) racer.kill('SIGCONT');
      while ((await endsOfDoomed()).length === 0) await delay(1);
      for (const racer of doomed) racer.kill('SIGSTOP');
      await endsOfDoomed(); // What they had sent before is executed now.
      ends = await endsOfDoomed();
    }
    const deaths = doomed.map((racer) => once(racer, 'exit'));
    for (const racer of doomed) racer.kill('SIGKILL');
    await Promise.all(deaths);
    const killedAt = await now();
    const racedOn = (): Executed[] => monitor.executed.filter(({ kind, at }) => kind === 'acquire' && at > killedAt);
    while (racedOn().length < 1_000) await delay(1);
    for (const racer of survivors) racer.send('enough');
    await Promise.all(done);
    await monitor.caughtUp(fixture.server.admin);
    monitor.close();

    // Until the first lease of a killed one ends, nothing but acquires and releases changes what is held.
    const executed = monitor.executed.filter(({ at }) => at < Math.min(...ends));
    const outcome = replay(executed, await repliesIn(files.filter((_, index) => !isDoomed(index))));
    expect(outcome.wrong).toEqual([]);
    expect(outcome.unanswered).toBe(executed.filter((command) => command.kind === 'acquire' && ofDoomed(command.member)).length);
    expect(racedOn().filter(({ at }) => at < Math.min(...ends)).length).toBeGreaterThanOrEqual(1_000);

    // The others have released what they held.
    expect(await endsOfDoomed()).toEqual(ends);
    expect(Math.max(...ends)).toBeLessThanOrEqual(killedAt + leaseMs);
    const liveAt = (time: number): number => ends.filter((end) => end > time).length;
    for (let used = Infinity; used > 0;) {
      const before = await now();
      used = (await fixture.live.usage(organizationId)).organization;
      // Not freed early, and not held a moment longer.
      expect(used).toBeLessThanOrEqual(liveAt(before - 1));
      expect(used).toBeGreaterThanOrEqual(liveAt(await now()));
    }
    const caps = { organizationLimit: 50, projectLimit: 40, leaseMs };
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        fixture.live.acquire({ organizationId, projectId: projects[0] as string, member: `after-${index}`, ...caps }),
      ),
    );
    expect(answers.filter((answer) => answer.admitted)).toHaveLength(40);
  });
});

async function repliesIn(files: readonly string[]): Promise<Map<string, Admission>> {
  const replies = new Map<string, Admission>();
  for (const file of files) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const [member, reply] = JSON.parse(line) as [string, Admission];
      replies.set(member, reply);
    }
  }
  return replies;
}

interface Outcome {
  acquires: number;
  refused: number;
  unanswered: number;
  highest: number;
  /** The first replies that differ from what the caps say at their place in Redis' order. */
  wrong: { member: string; expected: Admission; got: Admission }[];
}

/** Plays Redis' order against plain sets and compares every reply, counts and caps included, with what it had to be. */
function replay(executed: readonly Executed[], replies: ReadonlyMap<string, Admission>): Outcome {
  const live = new Map<string, string>();
  const inProject = new Map<string, number>();
  const count = (project: string, change: number): number => {
    const now = (inProject.get(project) ?? 0) + change;
    inProject.set(project, now);
    return now;
  };
  const outcome: Outcome = { acquires: 0, refused: 0, unanswered: 0, highest: 0, wrong: [] };
  for (const command of executed) {
    if (command.kind === 'release') {
      for (const member of command.members) if (live.delete(member)) count(command.project, -1);
      continue;
    }
    const { project, member, organizationLimit, projectLimit } = command;
    let expected: Admission;
    if (projectLimit !== null && count(project, 0) >= projectLimit)
      expected = { admitted: false, full: 'project', limit: projectLimit, used: count(project, 0) };
    else if (live.size >= organizationLimit)
      expected = { admitted: false, full: 'organization', limit: organizationLimit, used: live.size };
    else {
      live.set(member, project);
      expected = {
        admitted: true,
        organization: { limit: organizationLimit, used: live.size },
        project: { limit: projectLimit, used: count(project, 1) },
      };
    }
    outcome.acquires += 1;
    outcome.highest = Math.max(outcome.highest, live.size);
    if (!expected.admitted) outcome.refused += 1;
    const got = replies.get(member);
    if (!got) outcome.unanswered += 1;
    else if (JSON.stringify(got) !== JSON.stringify(expected) && outcome.wrong.length < 5) outcome.wrong.push({ member, expected, got });
  }
  return outcome;
}
