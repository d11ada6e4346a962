import { HealthModule } from '@berth/health';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { BrowserStateController } from './gateway/browser-state.controller.js';
import { Doorkeeper } from './gateway/doorkeeper.js';
import { ErrorFilter } from './gateway/error-filter.js';
import type { Assembly } from './assembly.js';

/** The HTTP side of the host. Everything it serves is assembled before it, because browsers outlive requests. */
@Module({})
export class AppModule {
  static over({ doorkeeper, health }: Assembly): DynamicModule {
    return {
      module: AppModule,
      imports: [HealthModule.over(health)],
      controllers: [BrowserStateController],
      providers: [
        { provide: Doorkeeper, useValue: doorkeeper },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
