import { Inject, Injectable } from '@nestjs/common';
import { newId, type ProjectScope, violatesUnique } from '@berth/database';
import type { BrowserPool, CreateBrowserPool, DeleteBrowserPool, ListBrowserPoolsQuery, UpdateBrowserPool } from '@berth/schema';
import { Fleet } from '../admission/fleet.js';
import { Slots } from '../admission/slots.js';
import { BrowsersService } from '../browsers/browsers.service.js';
import { ApiError, invalid, notFound, projectNotFound } from '../errors/api-error.js';
import type { Page } from '../request/paging.js';
import { PoolKeeper } from './pool-keeper.js';
import { type PoolConfig, type PoolRow, poolView } from './pool-row.js';
import { type PoolChanges, PoolsRepository } from './pools.repository.js';

const nameIndex = 'browser_pools_name_among_undeleted';

function nameTaken(): ApiError {
  return new ApiError('conflict', 'A pool with this name exists in the project.');
}

/** The part of a request that says what the pool's browsers are like, without what asks for nothing. */
function configOf(asked: CreateBrowserPool | UpdateBrowserPool): PoolConfig {
  const { headless, stealth, kiosk_mode, timeout_seconds, start_url, viewport, profile } = asked;
  return Object.fromEntries(
    Object.entries({ headless, stealth, kiosk_mode, timeout_seconds, start_url, viewport, profile }).filter(([, value]) => value !== undefined),
  );
}

/** Pools of one project (D34). A pool's size is reserved whole; its browsers are ordinary sessions that start before anybody asks. */
@Injectable()
export class PoolsService {
  constructor(
    @Inject(PoolsRepository) private readonly pools: PoolsRepository,
    @Inject(PoolKeeper) private readonly keeper: PoolKeeper,
    @Inject(Slots) private readonly slots: Slots,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(BrowsersService) private readonly browsers: BrowsersService,
  ) {}

  find(scope: ProjectScope, idOrName: string): Promise<PoolRow | undefined> {
    return this.pools.find(scope, idOrName);
  }

  async list(scope: ProjectScope, filter: ListBrowserPoolsQuery, page: Page): Promise<BrowserPool[]> {
    return (await this.pools.list(scope, filter, page)).map(poolView);
  }

  /** Reserves, then writes the row, then holds the reservation; a crash in between lapses. @throws ApiError bad_request, conflict, concurrency_limit_exceeded, usage_unavailable */
  async create(scope: ProjectScope, asked: CreateBrowserPool): Promise<BrowserPool> {
    const profileId = (await this.#assertValid(scope, asked)) ?? null;
    if (asked.name !== undefined && (await this.pools.nameIsTaken(scope, asked.name))) throw nameTaken();
    const id = newId();
    await this.slots.reservePool(scope, id, asked.size);
    try {
      const inserted = await this.pools.insert(scope, {
        id, name: asked.name ?? null, size: asked.size, fillRatePerMinute: asked.fill_rate_per_minute ?? null,
        refreshOnProfileUpdate: asked.refresh_on_profile_update ?? null, profileId, config: configOf(asked),
      });
      if (!inserted) throw projectNotFound();
    } catch (error) {
      await this.slots.shrinkPool(scope, id, 0);
      throw violatesUnique(error, nameIndex) ? nameTaken() : error;
    }
    await this.slots.holdPool(scope, id, asked.size);
    this.keeper.keepSoon(scope, id);
    return this.#viewOf(scope, id);
  }

  /** Growing reserves the difference or changes nothing; shrinking never touches leased browsers (D34). @throws as `create`, and not_found */
  async update(scope: ProjectScope, pool: PoolRow, asked: UpdateBrowserPool): Promise<BrowserPool> {
    const given = configOf(asked);
    const config = { ...pool.config, ...given };
    const profileId = await this.#assertValid(scope, { ...config, ...asked });
    if (asked.name !== undefined && (await this.pools.nameIsTaken(scope, asked.name, pool.id))) throw nameTaken();
    const replaces = Object.keys(given).length > 0 || asked.discard_all_idle === true;
    await this.#resize(scope, pool.id, asked.size, {
      ...(asked.name === undefined ? {} : { name: asked.name }),
      ...(asked.fill_rate_per_minute === undefined ? {} : { fillRatePerMinute: asked.fill_rate_per_minute }),
      ...(asked.refresh_on_profile_update === undefined ? {} : { refreshOnProfileUpdate: asked.refresh_on_profile_update }),
      ...(asked.profile === undefined || profileId === undefined ? {} : { profileId }),
      ...(Object.keys(given).length === 0 ? {} : { config }),
      ...(replaces ? { flushedAt: new Date() } : {}),
    });
    this.keeper.keepSoon(scope, pool.id);
    return this.#viewOf(scope, pool.id);
  }

  /** @throws ApiError resource_in_use while browsers are leased, unless forced */
  async delete(scope: ProjectScope, pool: PoolRow, { force }: DeleteBrowserPool): Promise<void> {
    const outcome = await this.pools.delete(scope, pool.id, force === true);
    if (outcome === 'leased') throw new ApiError('resource_in_use', 'Browsers of the pool are leased; release them first, or send force: true.');
    const ids = await this.pools.liveIds(scope, pool.id);
    await this.fleet.end(ids, 'deleted');
    await this.fleet.untilEnded(ids);
    await this.slots.shrinkPool(scope, pool.id, 0);
  }

  /** Replaces all idle browsers. */
  async flush(scope: ProjectScope, pool: PoolRow): Promise<void> {
    await this.#resize(scope, pool.id, undefined, { flushedAt: new Date() });
    this.keeper.keepSoon(scope, pool.id);
  }

  async #resize(scope: ProjectScope, id: string, size: number | undefined, changes: PoolChanges): Promise<void> {
    let reserved: number | undefined;
    try {
      await this.pools.resizing(scope, async (transaction) => {
        const now = await this.pools.sizes(transaction, scope, id);
        if (now === undefined) throw notFound();
        if (size !== undefined && size > Math.max(now.size, now.leased)) {
          reserved = size;
          await this.slots.reservePool(scope, id, size);
        }
        await this.pools.update(transaction, scope, id, { ...changes, ...(size === undefined ? {} : { size }) });
      });
    } catch (error) {
      if (reserved !== undefined) await this.keeper.syncReservation(scope, id);
      throw violatesUnique(error, nameIndex) ? nameTaken() : error;
    }
    if (reserved !== undefined) await this.slots.holdPool(scope, id, reserved);
    else if (size !== undefined) await this.keeper.syncReservation(scope, id);
  }

  /** @returns the id of the profile that is asked for */
  async #assertValid(scope: ProjectScope, asked: UpdateBrowserPool): Promise<string | undefined> {
    await this.browsers.assertPossible({ ...asked, ...(asked.telemetry === undefined ? {} : { telemetry: asked.telemetry }) });
    if (asked.profile === undefined) return undefined;
    // Many browsers at once would save over each other.
    if (asked.profile.save_changes === true) throw invalid({ field: 'profile.save_changes', message: 'browsers of a pool do not save their profile' });
    return this.browsers.profileId(scope, asked.profile);
  }

  async #viewOf(scope: ProjectScope, id: string): Promise<BrowserPool> {
    const row = await this.pools.find(scope, id);
    if (row === undefined) throw notFound();
    return poolView(row);
  }
}
