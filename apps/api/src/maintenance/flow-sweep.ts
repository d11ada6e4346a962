import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@berth/database';
import { type FlowStore, type LoginJob, loginJobOptions, loginQueueName, redisPublisher, sweepFlows } from '@berth/login-flow';
import { Sealer } from '@berth/secrets';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { Fleet } from '../admission/fleet.js';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { REDIS } from '../stores.module.js';

/** Ends login flows that nobody else can end any more, in every API process, so that a deadline holds even when no worker lives (D39). */
@Injectable()
export class FlowSweep implements OnApplicationShutdown {
  readonly #store: FlowStore;
  readonly #queue: Queue<LoginJob>;

  constructor(
    @Inject(API_CONFIG) config: ApiConfig,
    @Inject(Database) database: Database,
    @Inject(Sealer) sealer: Sealer,
    @Inject(REDIS) redis: Redis,
    @Inject(Fleet) fleet: Fleet,
  ) {
    this.#queue = new Queue<LoginJob>(loginQueueName, { connection: { url: config.redisUrl, enableOfflineQueue: false, maxRetriesPerRequest: 0 } });
    this.#queue.on('error', () => undefined);
    this.#store = {
      database,
      sealer,
      publicUrl: config.publicUrl,
      pauseMs: config.flowPauseSeconds * 1_000,
      totalMs: config.flowTotalSeconds * 1_000,
      // A state that could not be published is stored all the same; relays look at the rows by themselves (D50).
      publisher: redisPublisher(redis, () => undefined),
      endBrowser: async ({ sessionId }) => void (await fleet.end([sessionId], 'deleted')),
    };
  }

  async run(): Promise<void> {
    await sweepFlows(this.#store, (job) => this.#queue.add('login', job, loginJobOptions(job)));
  }

  async onApplicationShutdown(): Promise<void> {
    // While Redis is away a close may wait for it; the process must not.
    await Promise.race([this.#queue.close().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
  }
}
