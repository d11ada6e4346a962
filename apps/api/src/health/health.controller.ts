import { Controller, Inject, Res } from '@nestjs/common';
import { Database } from '@berth/database';
import { endpoints, type Readiness } from '@berth/schema';
import type { FastifyReply } from 'fastify';
import { Redis } from 'ioredis';
import { Serves } from '../request/serves.js';
import { REDIS } from '../stores.module.js';

@Controller()
export class HealthController {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  @Serves(endpoints.live)
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 503 names what is down; Redis down is degraded, because reads do without it (D53). */
  @Serves(endpoints.ready)
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const up = async (check: Promise<unknown>): Promise<'up' | 'down'> => check.then(() => 'up' as const, () => 'down' as const);
    const [postgres, redis] = await Promise.all([up(this.database.ping()), up(this.redis.ping())]);
    const status = postgres === 'down' ? 'unavailable' : redis === 'down' ? 'degraded' : 'ok';
    if (status === 'unavailable') void reply.status(503);
    return { status, checks: { postgres, redis } };
  }
}
