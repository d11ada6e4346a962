import { HealthModule } from '@berth/health';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Assembly } from './assembly.js';

/** The HTTP side of the worker: health and metrics only. The runs are assembled before it, because flows outlive requests. */
@Module({})
export class AppModule {
  static over({ health }: Assembly): DynamicModule {
    return { module: AppModule, imports: [HealthModule.over(health)] };
  }
}
