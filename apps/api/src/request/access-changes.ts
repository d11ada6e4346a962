import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Publisher } from '@berth/browser-fleet';
import { accessChannel } from '@berth/database';
import type { Redis } from 'ioredis';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { PUBLISHER, SUBSCRIBER } from '../stores.module.js';
import { FactCache } from './fact-cache.js';

/**
 * Who may do what, as this process knows it, kept true by announcements: whoever changes keys, projects or the organization says so, and
 * every API process forgets what it knew. While Redis is away nothing is heard, and what is known is trusted for `BERTH_KEY_CACHE_SECONDS`
 * at most; when it is back everything is forgotten, because announcements may have been missed.
 */
@Injectable()
export class AccessChanges implements OnModuleInit {
  readonly facts: FactCache;

  constructor(
    @Inject(API_CONFIG) config: ApiConfig,
    @Inject(PUBLISHER) private readonly publisher: Publisher,
    @Inject(SUBSCRIBER) private readonly subscriber: Redis,
  ) {
    this.facts = new FactCache({ ttlMs: config.keyCacheSeconds * 1_000 });
  }

  onModuleInit(): void {
    this.subscriber.on('message', (channel: string, organizationId: string) => {
      if (channel === accessChannel) this.facts.drop(organizationId);
    });
    // Subscribing again changes nothing but tells when announcements are heard again.
    const listen = (): void =>
      void this.subscriber.subscribe(accessChannel).then(
        () => this.facts.dropAll(),
        () => undefined,
      );
    this.subscriber.on('ready', listen);
    if (this.subscriber.status === 'ready') listen();
  }

  /**
   * Call after the change is committed and before it is answered: this process knows at once, the others as fast as Redis is, or, without
   * it, when what they know is too old.
   */
  async announce(organizationId: string): Promise<void> {
    this.facts.drop(organizationId);
    await this.publisher.publish(accessChannel, organizationId).catch(() => undefined);
  }
}
