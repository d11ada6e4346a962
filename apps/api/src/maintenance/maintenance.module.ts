import { Inject, Module } from '@nestjs/common';
import { Database } from '@berth/database';
import { LiveSessions } from '@berth/live-sessions';
import type { FlowStore } from '@berth/login-flow';
import { Fleet } from '../admission/fleet.js';
import { FLOW_STORE, LoginQueue } from '../auth-connections/flow-store.module.js';
import { BrowserPoolsModule } from '../browser-pools/browser-pools.module.js';
import { PoolKeeper } from '../browser-pools/pool-keeper.js';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { loginFlowSweep } from './login-flow-sweep.js';
import { poolSweep } from './pool-sweep.js';
import { sessionSweeps } from './session-sweeps.js';
import { SweepSchedule } from './sweep-schedule.js';

/** Every sweep of the API, in one table. Each runs in every process, under a lock. */
@Module({ imports: [BrowserPoolsModule], providers: [SweepSchedule], exports: [SweepSchedule] })
export class MaintenanceModule {
  constructor(
    @Inject(SweepSchedule) schedule: SweepSchedule,
    @Inject(Database) database: Database,
    @Inject(LiveSessions) live: LiveSessions,
    @Inject(Fleet) fleet: Fleet,
    @Inject(PoolKeeper) pools: PoolKeeper,
    @Inject(FLOW_STORE) flows: FlowStore,
    @Inject(LoginQueue) logins: LoginQueue,
    @Inject(API_CONFIG) config: ApiConfig,
  ) {
    schedule.add(
      ...sessionSweeps(database, live, fleet, config),
      poolSweep(database, pools, Math.min(1_000, config.sweepSeconds * 1_000)),
      loginFlowSweep(flows, logins, config.sweepSeconds * 1_000),
    );
  }
}
