import { Inject, Module } from '@nestjs/common';
import { BrowsersModule } from '../browsers/browsers.module.js';
import { PathLookups } from '../request/path-lookups.js';
import { BrowserPoolsController } from './browser-pools.controller.js';
import { LeasesRepository } from './leases.repository.js';
import { LeasesService } from './leases.service.js';
import { PoolKeeper } from './pool-keeper.js';
import { PoolsRepository } from './pools.repository.js';
import { PoolsService } from './pools.service.js';

@Module({
  imports: [BrowsersModule],
  controllers: [BrowserPoolsController],
  providers: [PoolsService, LeasesService, PoolKeeper, PoolsRepository, LeasesRepository],
  exports: [PoolKeeper],
})
export class BrowserPoolsModule {
  constructor(@Inject(PathLookups) lookups: PathLookups, @Inject(PoolsService) pools: PoolsService) {
    lookups.register('browser_pool', (wanted, { scope }) => pools.find(scope.project, wanted));
  }
}
