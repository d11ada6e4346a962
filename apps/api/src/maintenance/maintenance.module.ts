import { Module } from '@nestjs/common';
import { BrowserPoolsModule } from '../browser-pools/browser-pools.module.js';
import { FlowSweep } from './flow-sweep.js';
import { PoolSweep } from './pool-sweep.js';
import { Schedule } from './schedule.js';
import { SessionSweeps } from './session-sweeps.js';

@Module({ imports: [BrowserPoolsModule], providers: [Schedule, SessionSweeps, FlowSweep, PoolSweep] })
export class MaintenanceModule {}
