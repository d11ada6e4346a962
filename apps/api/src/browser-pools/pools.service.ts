import { Inject, Injectable } from '@nestjs/common';
import { type ProjectScope, type Transaction, violatesUnique } from '@berth/database';
import type { AcquireFromPool, CreateBrowserPool, ProfileReference, ReleaseToPool, UpdateBrowserPool } from '@berth/schema';
import { Fleet } from '../admission/fleet.js';
import { PoolSlots } from '../admission/pool-slots.js';
import { refuseUnsupported } from '../browsers/capabilities.js';
import { References } from '../browsers/references.js';
import { nameTaken } from '../browsers/start-session.js';
import { ApiError, invalid, notFound, projectNotFound } from '../errors/api-error.js';
import { Caps } from '../limits/caps.js';
import { setRight } from '../patience.js';
import { ProfilesService } from '../profiles/profiles.service.js';
import { PoolKeeper } from './pool-keeper.js';
import { PoolLeases } from './pool-leases.js';
import { choicesOf, type PoolChoices, type PoolRow } from './pool-row.js';
import { type PlacedSession, PoolsRepository, type PoolValues } from './pools.repository.js';

const defaultWaitSeconds = 60;

const poolNameTaken = (cause?: unknown): ApiError =>
  new ApiError('conflict', 'Another pool of the project has this name; choose another one.', { cause });

const takenBy = { browser_pools_name_among_undeleted: poolNameTaken, browser_sessions_name_among_live: nameTaken } as const;

async function nameFree<T>(work: Promise<T>, index: keyof typeof takenBy): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw violatesUnique(error, index) ? takenBy[index](error) : error;
  }
}

/**
 * What a pool's row says for these choices, its profile and size apart.
 * @throws ApiError bad_request naming what this deployment cannot do, or what does not go together
 */
function valuesOf(given: PoolChoices, display: boolean): Omit<PoolValues, 'size' | 'profileId'> {
  refuseUnsupported(given, { display });
  const { name, fill_rate_per_minute: fillRate, refresh_on_profile_update: refresh, ...choices } = given;
  if (refresh === true && given.profile === undefined) throw invalid({ field: 'refresh_on_profile_update', message: 'needs a profile' });
  return {
    name: name ?? null,
    fillRatePerMinute: fillRate ?? null,
    refreshOnProfileUpdate: refresh ?? null,
    config: { ...choices, headless: choices.headless ?? !display },
  };
}

@Injectable()
export class PoolsService {
  constructor(
    @Inject(PoolsRepository) private readonly pools: PoolsRepository,
    @Inject(References) private readonly references: References,
    @Inject(ProfilesService) private readonly profiles: ProfilesService,
    @Inject(Caps) private readonly caps: Caps,
    @Inject(PoolSlots) private readonly slots: PoolSlots,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(PoolKeeper) private readonly keeper: PoolKeeper,
    @Inject(PoolLeases) private readonly leases: PoolLeases,
  ) {}

  /** The whole size is reserved, or nothing is made (D34). */
  async create(scope: ProjectScope, id: string, given: CreateBrowserPool): Promise<PoolRow> {
    const { size, ...choices } = given;
    const decided = valuesOf(choices, await this.fleet.hasDisplay());
    const values = { ...decided, size, profileId: await this.profileOf(scope, given.profile) };
    if (given.name !== undefined && (await this.pools.nameIsTaken(scope, given.name))) throw poolNameTaken();
    const caps = await this.caps.ofProject(scope);
    await this.slots.reserve(scope, id, values.size, caps);
    try {
      await nameFree(
        this.pools.insert(scope, id, values, (transaction) => this.holdReferred(scope, values.profileId, transaction)),
        'browser_pools_name_among_undeleted',
      );
      await this.slots.confirm(scope, id, values.size, caps);
    } catch (error) {
      await setRight(() => this.undoCreate(scope, id));
      throw error;
    }
    this.tendSoon(scope, id);
    return this.read(scope, id);
  }

  /**
   * What is not given stays as it is in the row that is locked: others may have changed it since `row` was read. What is given is judged
   * before, so that a bad request takes no lock.
   */
  async update(scope: ProjectScope, row: PoolRow, given: UpdateBrowserPool): Promise<PoolRow> {
    const { size, discard_all_idle: discard, ...choices } = given;
    const display = await this.fleet.hasDisplay();
    valuesOf({ ...choicesOf(row), ...choices }, display);
    const profileId = await this.profileOf(scope, choices.profile);
    const caps = await this.caps.ofProject(scope);
    await this.slots.prepare(scope);
    await nameFree(
      this.pools.underLock(scope, row.id, async (pool) => {
        if (pool.row.deletedAt !== null) throw notFound();
        const values = {
          ...valuesOf({ ...choicesOf(pool.row), ...choices }, display),
          profileId: profileId ?? pool.row.profileId,
          size: size ?? pool.row.size,
        };
        await this.holdReferred(scope, values.profileId, pool.transaction);
        const reserved = Math.max(pool.row.reserved, values.size);
        await this.pools.change(pool, { ...values, reserved, ...(discard === true ? { flushedAt: new Date() } : {}) });
        // Last before the commit: what the database refuses (a name that is taken) reserves nothing.
        if (values.size > pool.row.size) await this.slots.grow(scope, row.id, values.size, caps);
      }),
      'browser_pools_name_among_undeleted',
    );
    await this.fleet.untilEnded(await this.keeper.tend(scope, row.id));
    await this.keeper.settle(scope, row.id);
    return this.read(scope, row.id);
  }

  /** Leased browsers are ended only when told to; their slots follow their ends (D34). */
  async delete(scope: ProjectScope, row: PoolRow, force: boolean): Promise<void> {
    await this.pools.underLock(scope, row.id, async (pool) => {
      const leased = await pool.tables.browserSession.count({
        where: { poolId: row.id, leasedAt: { not: null }, status: { in: ['starting', 'running'] } },
      });
      if (leased > 0 && !force) throw new ApiError('resource_in_use', 'Browsers of the pool are leased; `force: true` ends them.');
      await this.pools.change(pool, { deletedAt: new Date() });
    });
    this.leases.poolDeleted();
    await this.fleet.untilEnded(await this.keeper.tend(scope, row.id));
    // What cannot be settled now, the sweep does.
    await this.keeper.settle(scope, row.id).catch(() => undefined);
  }

  /** Undefined when no browser came free in time. */
  async acquire(
    scope: ProjectScope,
    row: PoolRow,
    leaseId: string,
    given: AcquireFromPool,
    isWanted: () => boolean,
  ): Promise<PlacedSession | undefined> {
    refuseUnsupported({ telemetry: given.telemetry }, { display: false });
    if (given.start_url !== undefined)
      throw invalid({ field: 'start_url', message: 'cannot be opened at a lease; choose it for the pool' });
    const request = { scope, poolId: row.id, leaseId, name: given.name ?? null, tags: given.tags ?? null, isWanted };
    const leased = await nameFree(
      this.leases.lease(request, (given.acquire_timeout_seconds ?? defaultWaitSeconds) * 1_000),
      'browser_sessions_name_among_live',
    );
    if (leased === undefined) return undefined;
    if (!isWanted()) {
      await this.freeAgain(scope, row.id, leased.id);
      return undefined;
    }
    await this.fleet.tellHost(leased.hostId, leased.id);
    return leased;
  }

  async release(scope: ProjectScope, row: PoolRow, { session_id: sessionId, reuse }: ReleaseToPool): Promise<void> {
    const held = reuse === false ? await this.pools.hasLeased(scope, row.id, sessionId) : await this.freeAgain(scope, row.id, sessionId);
    if (!held) throw invalid({ field: 'session_id', message: 'names no browser that this pool has leased' });
    if (reuse === false) await this.fleet.end([sessionId], 'deleted');
    this.tendSoon(scope, row.id);
  }

  /** Idle browsers are replaced; leased ones are not touched. */
  async flush(scope: ProjectScope, row: PoolRow): Promise<void> {
    await this.pools.underLock(scope, row.id, (pool) => this.pools.change(pool, { flushedAt: new Date() }));
    this.tendSoon(scope, row.id);
  }

  private async freeAgain(scope: ProjectScope, poolId: string, sessionId: string): Promise<boolean> {
    const freed = await this.pools.giveBack(scope, poolId, sessionId);
    if (freed === undefined) return false;
    await this.fleet.tellHost(freed.hostId, freed.id);
    await this.fleet.announceIdle(freed.id);
    return true;
  }

  /** @throws ApiError bad_request */
  private async profileOf(scope: ProjectScope, given: ProfileReference | undefined): Promise<string | null> {
    return given === undefined ? null : this.references.profile(scope, given);
  }

  /**
   * Until the transaction's end the project stays active and the profile undeleted, so no pool is made or changed in an archived or deleted
   * project, nor refers to a deleted profile. The profile first: creating a browser locks the two in this order.
   * @throws ApiError bad_request, project_not_found
   */
  private async holdReferred(scope: ProjectScope, profileId: string | null, transaction: Transaction): Promise<void> {
    if (profileId !== null) await this.profiles.use(scope, profileId, 'profile', transaction);
    if (!(await transaction.holdActiveProject(scope))) throw projectNotFound();
  }

  private async undoCreate(scope: ProjectScope, id: string): Promise<void> {
    await this.pools.underLock(scope, id, (pool) => this.pools.change(pool, { deletedAt: new Date() }));
    await this.slots.free(scope, id);
  }

  /** The answer does not wait for browsers; a round that fails comes again with the sweep. */
  private tendSoon(scope: ProjectScope, poolId: string): void {
    this.keeper.tend(scope, poolId).catch(() => undefined);
  }

  private async read(scope: ProjectScope, id: string): Promise<PoolRow> {
    const row = await this.pools.find(scope, id);
    if (row === undefined) throw notFound();
    return row;
  }
}
