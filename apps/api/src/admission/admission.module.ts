import { Global, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { liveRows } from '@berth/browser-fleet';
import { Database } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import { connectRedis, LiveSessions } from '@berth/live-sessions';
import type { Redis } from 'ioredis';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { LimitsModule } from '../limits/limits.module.js';
import { Fleet } from './fleet.js';
import { PoolSlots } from './pool-slots.js';
import { Slots } from './slots.js';

/**
 * The connection that admission decides on: no offline queue and short timeouts, so that no decision is taken after its caller was told 503
 * (D29).
 */
const ADMISSION_REDIS = Symbol('AdmissionRedis');

@Global()
@Module({
  imports: [LimitsModule],
  providers: [
    Fleet,
    Slots,
    PoolSlots,
    { provide: ADMISSION_REDIS, inject: [API_CONFIG], useFactory: ({ redisUrl }: ApiConfig) => connectRedis(redisUrl) },
    {
      provide: LiveSessions,
      inject: [ADMISSION_REDIS, Database, API_CONFIG],
      useFactory: (redis: Redis, database: Database, { leaseSeconds }: ApiConfig) => {
        const leaseMs = leaseSeconds * 1_000;
        return new LiveSessions({ redis, rows: liveRows(unscoped(database), leaseMs), leaseMs });
      },
    },
  ],
  exports: [LiveSessions, Fleet, Slots, PoolSlots],
})
export class AdmissionModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(ADMISSION_REDIS) private readonly redis: Redis,
    @Inject(LiveSessions) private readonly sessions: LiveSessions,
  ) {}

  /** Before the server listens. Without Redis it boots all the same: reads do without it, and creates are 503 until it is back (D29). */
  async onModuleInit(): Promise<void> {
    await this.sessions.prepare().catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
