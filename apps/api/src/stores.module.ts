import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@berth/database';
import { Sealer } from '@berth/secrets';
import { Redis } from 'ioredis';
import { API_CONFIG, type ApiConfig } from './config.js';

/** Redis for commands. Subscribers and BullMQ have connections of their own. */
export const REDIS = Symbol('Redis');

/** The one Redis connection of a process that listens. It subscribes again by itself after a loss; what was said meanwhile is lost. */
export const SUBSCRIBER = Symbol('Subscriber');

@Global()
@Module({})
export class StoresModule implements OnApplicationShutdown {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(SUBSCRIBER) private readonly subscriber: Redis,
  ) {}

  static forRoot(config: ApiConfig): DynamicModule {
    return {
      module: StoresModule,
      providers: [
        { provide: API_CONFIG, useValue: config },
        { provide: Database, useFactory: () => new Database({ url: config.databaseUrl, maxConnections: config.databasePoolSize, applicationName: 'berth-api' }) },
        { provide: Sealer, useFactory: () => new Sealer({ current: config.secretKey, previous: config.secretKeysPrevious }) },
        {
          provide: REDIS,
          useFactory: () => {
            // Commands fail within a second while Redis is away, instead of waiting for it (D29).
            const redis = new Redis(config.redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 1_000, enableAutoPipelining: true, lazyConnect: false });
            redis.on('error', () => undefined);
            return redis;
          },
        },
        {
          provide: SUBSCRIBER,
          useFactory: () => new Redis(config.redisUrl, { maxRetriesPerRequest: null, retryStrategy: (attempt) => Math.min(50 * attempt, 500) }).on('error', () => undefined),
        },
      ],
      exports: [API_CONFIG, Database, Sealer, REDIS, SUBSCRIBER],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    this.redis.disconnect();
    this.subscriber.disconnect();
    await this.database.close();
  }
}
