import { Inject, Injectable } from '@nestjs/common';
import { newId, type ProjectScope } from '@berth/database';
import { AdvisoryLocks } from '../admission/advisory-locks.js';
import { Fleet } from '../admission/fleet.js';
import { Slots } from '../admission/slots.js';
import { LeasesRepository } from './leases.repository.js';
import { PoolsRepository } from './pools.repository.js';

/** Browsers of one pool that start at once: filling a pool must not keep everybody else's creates waiting in the launch queue. */
const startingAtOnce = 4;

/** Brings a pool's browsers to what its row says. Pools are filled from their own reservation, so nothing here asks a cap. */
@Injectable()
export class PoolKeeper {
  constructor(
    @Inject(AdvisoryLocks) private readonly locks: AdvisoryLocks,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(Slots) private readonly slots: Slots,
    @Inject(PoolsRepository) private readonly pools: PoolsRepository,
    @Inject(LeasesRepository) private readonly leases: LeasesRepository,
  ) {}

  /**
   * Retires what is too many or stale, and starts what is missing. One process at a time for each pool; whoever comes second leaves it to the first and to the
   * next sweep. A launch that fails leaves an ended row and is made good by the next run.
   */
  async keep(scope: ProjectScope, poolId: string): Promise<void> {
    await this.locks.tryWith(`pool:${poolId}`, async () => {
      const retired = await this.leases.retire(scope, poolId);
      await Promise.all(retired.map(({ id, hostId }) => this.fleet.tellHost(hostId, id)));
      const ids = Array.from({ length: startingAtOnce }, () => newId());
      for (const id of await this.leases.refill(scope, poolId, ids, startingAtOnce)) await this.fleet.launch(id);
    });
  }

  /** The same, for whoever changed a pool and waits for nothing: what fails is done by the next sweep. */
  keepSoon(scope: ProjectScope, poolId: string): void {
    this.keep(scope, poolId).catch(() => undefined);
  }

  /** Lets the reservation fall to max(size, leased), as the row says now (D34). */
  async syncReservation(scope: ProjectScope, poolId: string): Promise<void> {
    await this.pools.resizing(scope, async (transaction) => {
      const sizes = await this.pools.sizes(transaction, scope, poolId);
      if (sizes !== undefined) await this.slots.shrinkPool(scope, poolId, Math.max(sizes.size, sizes.leased));
    });
  }
}
