import { type DynamicModule, Module } from '@nestjs/common';
import type { Assembly } from './assembly.js';
import { HealthChecks } from './health/health-checks.js';
import { HealthController } from './health/health.controller.js';
import { Metrics } from './health/metrics.js';

/** The HTTP side of the worker: health and metrics only. The runs are assembled before it, because flows outlive requests. */
@Module({})
export class AppModule {
  static over({ healthChecks, metrics }: Assembly): DynamicModule {
    return {
      module: AppModule,
      controllers: [HealthController],
      providers: [{ provide: HealthChecks, useValue: healthChecks }, { provide: Metrics, useValue: metrics }],
    };
  }
}
