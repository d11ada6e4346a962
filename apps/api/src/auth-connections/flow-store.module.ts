import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@berth/database';
import { type FlowStore, type LoginJob, loginJobOptions, openLoginQueue, redisPublisher } from '@berth/login-flow';
import { Sealer } from '@berth/secrets';
import type { Redis } from 'ioredis';
import { Fleet } from '../admission/fleet.js';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { FaultLog } from '../health/fault-log.js';
import { HealthModule } from '../health/health.module.js';
import { REDIS } from '../stores.module.js';

/** Injection token of this process's `FlowStore`. */
export const FLOW_STORE = Symbol('FlowStore');

/** Puts flows before the workers. Adding a flow that is queued already changes nothing. */
@Injectable()
export class LoginQueue implements OnApplicationShutdown {
  readonly #queue;

  constructor(@Inject(API_CONFIG) { redisUrl }: ApiConfig) {
    this.#queue = openLoginQueue(redisUrl);
  }

  async enqueue(job: LoginJob): Promise<void> {
    await this.#queue.add('login', job, loginJobOptions(job));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#queue.close().catch(() => undefined);
  }
}

/** Login flows as the API touches them: started, answered, canceled, swept, read. */
@Global()
@Module({
  imports: [HealthModule],
  providers: [
    LoginQueue,
    {
      provide: FLOW_STORE,
      inject: [API_CONFIG, Database, Sealer, REDIS, Fleet, FaultLog],
      useFactory: (config: ApiConfig, database: Database, sealer: Sealer, redis: Redis, fleet: Fleet, faults: FaultLog): FlowStore => ({
        database,
        sealer,
        publicUrl: config.publicUrl,
        pauseMs: config.flowPauseSeconds * 1_000,
        totalMs: config.flowTotalSeconds * 1_000,
        // A state that could not be published is stored all the same; every relay looks at the rows by itself (D50).
        publisher: redisPublisher(redis, faults.of('a state was not published; relays read it by themselves')),
        endBrowser: ({ sessionId }) => fleet.endAndFree([sessionId]),
      }),
    },
  ],
  exports: [FLOW_STORE, LoginQueue],
})
export class FlowStoreModule {}
