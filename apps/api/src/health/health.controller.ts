import { Controller, Header, Inject, Res } from '@nestjs/common';
import { Database } from '@berth/database';
import { storeChecks } from '@berth/health';
import { endpoints, errorTraits, type Readiness } from '@berth/schema';
import type { FastifyReply } from 'fastify';
import { Redis } from 'ioredis';
import { noSuchRoute } from '../errors/api-error.js';
import { Serves } from '../request/serves.js';
import { REDIS } from '../stores.module.js';
import { Drain } from './drain.js';
import { Metrics } from './metrics.js';

const unavailable = errorTraits('service_unavailable');

@Controller()
export class HealthController {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(Drain) private readonly drain: Drain,
  ) {}

  @Serves(endpoints.live)
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Fails before the server stops listening (D55). 503 names what is down; Redis down is degraded, because reads do without it (D53). */
  @Serves(endpoints.ready)
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const { postgres, redis } = await storeChecks({ postgres: this.database, redis: this.redis });
    const status = postgres === 'down' || this.drain.isStopping ? 'unavailable' : redis === 'down' ? 'degraded' : 'ok';
    if (status === 'unavailable') void reply.status(unavailable.status).header('Retry-After', String(unavailable.retryAfterSeconds));
    return { status, checks: { postgres, redis, ...(this.drain.isStopping ? { process: 'stopping' as const } : {}) } };
  }

  @Serves(endpoints.metrics)
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  async prometheus(): Promise<string> {
    if (!this.metrics.isOnMainPort) throw noSuchRoute();
    return this.metrics.registry.metrics();
  }
}
