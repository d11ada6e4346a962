import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Admission } from '../src/index.js';
import { expectInvariant, type Fixture, lapse, newId, startFixture } from './fixture.js';

/** What the specification says is live: member → its project. Pools are a size each. */
interface Model {
  readonly live: Map<string, string>;
  /** Lapsed and not acquired anew. */
  readonly lapsed: Set<string>;
  readonly pools: Map<string, { project: string; size: number }>;
}

interface Real {
  readonly fixture: Fixture;
  readonly organizationId: string;
}

const PROJECTS = ['one', 'two'];
const POOLS: Readonly<Record<string, string>> = { p1: 'one', p2: 'two' };
const MEMBERS = Array.from({ length: 8 }, (_, index) => `m${index}`);
/** A member never moves between projects: ids are minted for one create. */
const projectOf = (member: string): string => PROJECTS[MEMBERS.indexOf(member) % 2]!;

const usedBy = (model: Model, project: string): number =>
  [...model.live.values()].filter((of) => of === project).length +
  [...model.pools.values()].filter((pool) => pool.project === project).reduce((sum, pool) => sum + pool.size, 0);
const used = (model: Model): number => PROJECTS.reduce((sum, project) => sum + usedBy(model, project), 0);

function verdict(
  model: Model,
  project: string,
  more: number,
  organizationLimit: number,
  projectLimit: number | null,
  take: () => void,
): Admission {
  if (more > 0 && projectLimit !== null && usedBy(model, project) + more > projectLimit) {
    return { admitted: false, full: 'project', limit: projectLimit, used: usedBy(model, project) };
  }
  if (more > 0 && used(model) + more > organizationLimit)
    return { admitted: false, full: 'organization', limit: organizationLimit, used: used(model) };
  take();
  return {
    admitted: true,
    organization: { limit: organizationLimit, used: used(model) },
    project: { limit: projectLimit, used: usedBy(model, project) },
  };
}

const checkUsage = async (model: Model, { fixture, organizationId }: Real): Promise<void> => {
  for (const project of PROJECTS) {
    expect(await fixture.live.usage(organizationId, project)).toEqual({ organization: used(model), project: usedBy(model, project) });
  }
};

abstract class Step implements fc.AsyncCommand<Model, Real, false> {
  check(): boolean {
    return true;
  }
  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real);
    await checkUsage(model, real);
  }
  abstract act(model: Model, real: Real): Promise<void>;
  abstract toString(): string;
}

class Acquire extends Step {
  constructor(
    readonly member: string,
    readonly organizationLimit: number,
    readonly projectLimit: number | null,
  ) {
    super();
  }
  async act(model: Model, { fixture, organizationId }: Real): Promise<void> {
    const projectId = projectOf(this.member);
    const { organizationLimit, projectLimit } = this;
    const expected = verdict(model, projectId, model.live.has(this.member) ? 0 : 1, organizationLimit, projectLimit, () => {
      model.live.set(this.member, projectId);
      model.lapsed.delete(this.member);
    });
    expect(
      await fixture.live.acquire({ organizationId, projectId, member: this.member, organizationLimit, projectLimit, leaseMs: 30_000 }),
    ).toEqual(expected);
  }
  toString(): string {
    return `acquire(${this.member}, ${this.organizationLimit}, ${this.projectLimit})`;
  }
}

class Release extends Step {
  constructor(readonly member: string) {
    super();
  }
  async act(model: Model, { fixture, organizationId }: Real): Promise<void> {
    const there = model.live.delete(this.member);
    const dead = model.lapsed.delete(this.member);
    const scope = { organizationId, projectId: projectOf(this.member) };
    expect(await fixture.live.release(scope, [this.member])).toEqual(there || dead ? [this.member] : []);
  }
  toString(): string {
    return `release(${this.member})`;
  }
}

class Renew extends Step {
  constructor(readonly members: readonly string[]) {
    super();
  }
  async act(model: Model, { fixture, organizationId }: Real): Promise<void> {
    const held = this.members.map((member) => ({ member, projectId: projectOf(member) }));
    const gone = await fixture.live.renew({ organizationId, members: held, leaseMs: 40_000 });
    expect(gone.map((one) => one.member).sort()).toEqual(this.members.filter((member) => !model.live.has(member)).sort());
  }
  toString(): string {
    return `renew(${this.members.join()})`;
  }
}

/** Its host or its API process died: nobody renews, the lease runs out. */
class Lapse extends Step {
  constructor(readonly member: string) {
    super();
  }
  async act(model: Model, { fixture, organizationId }: Real): Promise<void> {
    await lapse(fixture.server.admin, organizationId, projectOf(this.member), this.member);
    if (model.live.delete(this.member)) model.lapsed.add(this.member);
  }
  toString(): string {
    return `lapse(${this.member})`;
  }
}

class ResizePool extends Step {
  constructor(
    readonly poolId: string,
    readonly size: number,
    readonly organizationLimit: number,
    readonly projectLimit: number | null,
  ) {
    super();
  }
  async act(model: Model, { fixture, organizationId }: Real): Promise<void> {
    const projectId = POOLS[this.poolId]!;
    const { poolId, size, organizationLimit, projectLimit } = this;
    const before = model.pools.get(poolId)?.size ?? 0;
    const expected = verdict(model, projectId, Math.max(0, size - before), organizationLimit, projectLimit, () =>
      model.pools.set(poolId, { project: projectId, size }),
    );
    expect(
      await fixture.live.resizePool({ organizationId, projectId, poolId, size, organizationLimit, projectLimit, leaseMs: 30_000 }),
    ).toEqual(expected);
    if (expected.admitted) await fixture.live.holdPool({ organizationId, projectId, poolId, size });
  }
  toString(): string {
    return `resizePool(${this.poolId}, ${this.size}, ${this.organizationLimit}, ${this.projectLimit})`;
  }
}

class ReleasePool extends Step {
  constructor(readonly poolId: string) {
    super();
  }
  async act(model: Model, { fixture, organizationId }: Real): Promise<void> {
    await fixture.live.releasePool({ organizationId, projectId: POOLS[this.poolId]!, poolId: this.poolId });
    model.pools.delete(this.poolId);
  }
  toString(): string {
    return `releasePool(${this.poolId})`;
  }
}

class Sweep extends Step {
  async act(_model: Model, { fixture, organizationId }: Real): Promise<void> {
    await fixture.live.sweep(organizationId);
  }
  toString(): string {
    return 'sweep()';
  }
}

/** Redis loses everything; the rows are what is live at that moment. Lapsed sessions' rows have been ended. */
class Flush extends Step {
  async act(model: Model, { fixture, organizationId }: Real): Promise<void> {
    for (const member of MEMBERS) fixture.rows.end(organizationId, member);
    for (const [poolId] of Object.entries(POOLS)) for (let n = 1; n <= 6; n += 1) fixture.rows.end(organizationId, `pool:${poolId}:${n}`);
    for (const [member, project] of model.live) fixture.rows.insert(organizationId, project, member);
    for (const [poolId, pool] of model.pools) fixture.rows.insertPool(organizationId, pool.project, poolId, pool.size);
    await fixture.server.admin.flushall();
    model.lapsed.clear();
  }
  toString(): string {
    return 'flush()';
  }
}

describe('admission against its model', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(() => fixture.stop());

  it(
    'D22–D29: any order of acquire, release, renew, lapse, resize, sweep and loss of Redis keeps usage equal to what is live',
    async () => {
      const member = fc.constantFrom(...MEMBERS);
      const organizationLimit = fc.integer({ min: 1, max: 8 });
      const projectLimit = fc.option(fc.integer({ min: 1, max: 6 }), { nil: null });
      const pool = fc.constantFrom(...Object.keys(POOLS));
      const commands = fc.commands<Model, Real, false>(
        [
          fc.tuple(member, organizationLimit, projectLimit).map((args) => new Acquire(...args)),
          fc.tuple(member, organizationLimit, projectLimit).map((args) => new Acquire(...args)),
          member.map((one) => new Release(one)),
          fc.uniqueArray(member, { minLength: 1, maxLength: 5 }).map((members) => new Renew(members)),
          member.map((one) => new Lapse(one)),
          fc.tuple(pool, fc.integer({ min: 0, max: 5 }), organizationLimit, projectLimit).map((args) => new ResizePool(...args)),
          pool.map((one) => new ReleasePool(one)),
          fc.constant(new Sweep()),
          fc.constant(new Flush()),
        ],
        { maxCommands: 60 },
      );
      await fc.assert(
        fc.asyncProperty(commands, async (steps) => {
          const model: Model = { live: new Map(), lapsed: new Set(), pools: new Map() };
          const real: Real = { fixture, organizationId: newId() };
          await fc.asyncModelRun(() => ({ model, real }), steps);
        }),
        { numRuns: process.env.BERTH_TEST_LONG === '1' ? 3_000 : 150 },
      );
    },
    process.env.BERTH_TEST_LONG === '1' ? 900_000 : 60_000,
  );

  it('D28: whatever a burst of concurrent calls does, the sets agree with each other and with the replies', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 30 }),
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        async (organizationLimit, projectLimit, releases) => {
          const organizationId = newId();
          const live = { one: 0, two: 0 };
          await Promise.all(
            releases.map(async (release, index) => {
              const projectId = index % 3 === 0 ? 'two' : 'one';
              const reply = await fixture.live.acquire({
                organizationId,
                projectId,
                member: `b${index}`,
                organizationLimit,
                projectLimit,
                leaseMs: 30_000,
              });
              if (!reply.admitted) return;
              expect(reply.organization.used).toBeLessThanOrEqual(organizationLimit);
              expect(reply.project.used).toBeLessThanOrEqual(projectLimit);
              if (release) await fixture.live.release({ organizationId, projectId }, [`b${index}`]);
              else live[projectId] += 1;
            }),
          );
          await expectInvariant(fixture.live, fixture.server.admin, organizationId, live);
        },
      ),
      { numRuns: 60 },
    );
  });
});
