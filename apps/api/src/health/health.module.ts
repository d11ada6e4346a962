import { Module } from '@nestjs/common';
import { Drain } from './drain.js';
import { FaultLog } from './fault-log.js';
import { HealthController } from './health.controller.js';
import { Metrics } from './metrics.js';

@Module({ controllers: [HealthController], providers: [Drain, FaultLog, Metrics], exports: [Drain, FaultLog, Metrics] })
export class HealthModule {}
