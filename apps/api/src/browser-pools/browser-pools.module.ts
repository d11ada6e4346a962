import { Inject, Module } from '@nestjs/common';
import { endpoints } from '@berth/schema';
import { BrowsersModule } from '../browsers/browsers.module.js';
import { BrowsersService } from '../browsers/browsers.service.js';
import { HealthModule } from '../health/health.module.js';
import { MadeBefore } from '../idempotency/made-before.js';
import { LimitsModule } from '../limits/limits.module.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { PathLookups } from '../request/path-lookups.js';
import { BrowserPoolsController } from './browser-pools.controller.js';
import { HostDoors } from './host-doors.js';
import { PoolKeeper } from './pool-keeper.js';
import { PoolLeases } from './pool-leases.js';
import { type PoolRow, poolView } from './pool-row.js';
import { PoolWaiters } from './pool-waiters.js';
import { PoolsRepository } from './pools.repository.js';
import { PoolsService } from './pools.service.js';

@Module({
  imports: [BrowsersModule, HealthModule, LimitsModule, ProfilesModule],
  controllers: [BrowserPoolsController],
  providers: [PoolsRepository, PoolsService, PoolKeeper, PoolWaiters, PoolLeases, HostDoors],
  exports: [PoolKeeper],
})
export class BrowserPoolsModule {
  constructor(
    @Inject(PathLookups) lookups: PathLookups,
    @Inject(MadeBefore) made: MadeBefore,
    @Inject(PoolsRepository) repository: PoolsRepository,
    @Inject(BrowsersService) browsers: BrowsersService,
  ) {
    lookups.register('browser_pool', (wanted, { scope }) => repository.find(scope.project, wanted));
    made.register(endpoints.createBrowserPool, async (id, { scope }) => {
      const pool = await repository.find(scope.project, id);
      return pool === undefined ? undefined : poolView(pool);
    });
    made.register(endpoints.acquireFromPool, async (leaseId, { scope, record }) => {
      const leased = await repository.leasedAs(scope.project, (record as PoolRow).id, leaseId);
      return leased === undefined ? undefined : browsers.view(scope.project, leased);
    });
  }
}
