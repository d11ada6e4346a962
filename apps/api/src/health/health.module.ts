import { Module } from '@nestjs/common';
import { FaultLog } from './fault-log.js';
import { HealthController } from './health.controller.js';
import { Metrics } from './metrics.js';

@Module({ controllers: [HealthController], providers: [FaultLog, Metrics], exports: [FaultLog, Metrics] })
export class HealthModule {}
