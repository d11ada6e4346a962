import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Publisher } from '@berth/browser-fleet';
import { Database } from '@berth/database';
import { connectRedis, connectSubscriber } from '@berth/live-sessions';
import { Sealer } from '@berth/secrets';
import type { Redis } from 'ioredis';
import { API_CONFIG, type ApiConfig } from './config.js';
import { within } from './patience.js';

/** Redis for commands. Subscribers and BullMQ have connections of their own. */
export const REDIS = Symbol('Redis');

/**
 * Tells others what is stored already, so that they look sooner: an answer waits for it a moment and no longer, whatever Redis does. A
 * `Publisher`.
 */
export const PUBLISHER = Symbol('Publisher');

/** Whoever was not told by then looks by himself. */
export const toldWithinMs = 250;

/**
 * The one Redis connection of a process that listens. It subscribes again by itself after a loss, or a silence; what was said meanwhile is
 * lost.
 */
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
        {
          provide: Database,
          useFactory: () =>
            new Database({ url: config.databaseUrl, maxConnections: config.databasePoolSize, applicationName: 'berth-api' }),
        },
        { provide: Sealer, useFactory: () => new Sealer({ current: config.secretKey, previous: config.secretKeysPrevious }) },
        // Commands fail within a second while Redis is away, instead of waiting for it (D29).
        { provide: REDIS, useFactory: () => connectRedis(config.redisUrl) },
        {
          provide: PUBLISHER,
          inject: [REDIS],
          useFactory: (redis: Redis): Publisher => ({
            publish: (channel, message) => within(toldWithinMs, redis.publish(channel, message)),
          }),
        },
        { provide: SUBSCRIBER, useFactory: () => connectSubscriber(config.redisUrl) },
      ],
      exports: [API_CONFIG, Database, Sealer, REDIS, PUBLISHER, SUBSCRIBER],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    this.redis.disconnect();
    this.subscriber.disconnect();
    await this.database.close();
  }
}
