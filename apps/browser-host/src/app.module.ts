import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { BrowserStateController } from './gateway/browser-state.controller.js';
import { Doorkeeper } from './gateway/doorkeeper.js';
import { ErrorFilter } from './gateway/error-filter.js';
import { HealthChecks } from './health/health-checks.js';
import { HealthController } from './health/health.controller.js';
import { Metrics } from './health/metrics.js';
import type { Assembly } from './assembly.js';

/** The HTTP side of the host. Everything it serves is assembled before it, because browsers outlive requests. */
@Module({})
export class AppModule {
  static over({ doorkeeper, healthChecks, metrics }: Assembly): DynamicModule {
    return {
      module: AppModule,
      controllers: [BrowserStateController, HealthController],
      providers: [
        { provide: Doorkeeper, useValue: doorkeeper },
        { provide: HealthChecks, useValue: healthChecks },
        { provide: Metrics, useValue: metrics },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
