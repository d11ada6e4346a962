import { type DynamicModule, Module } from '@nestjs/common';
import { HEALTH, type Health } from './health.js';
import { HealthController } from './health.controller.js';

/** Health and metrics of a process that was assembled before its HTTP side. */
@Module({})
export class HealthModule {
  static over(health: Health): DynamicModule {
    return { module: HealthModule, controllers: [HealthController], providers: [{ provide: HEALTH, useValue: health }] };
  }
}
