import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import { errorTraits, type Readiness } from '@berth/schema';
import type { FastifyReply } from 'fastify';
import { HEALTH, type Health } from './health.js';
import { metricsContentType } from './metrics-server.js';

const unavailable = errorTraits('service_unavailable');

/** D53: what an orchestrator and a Prometheus ask. */
@Controller()
export class HealthController {
  constructor(@Inject(HEALTH) private readonly health: Health) {}

  @Get('health/live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('health/ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.health.readiness();
    if (readiness.status === 'unavailable')
      void reply.status(unavailable.status).header('Retry-After', String(unavailable.retryAfterSeconds));
    return readiness;
  }

  @Get('metrics')
  @Header('Content-Type', metricsContentType)
  metrics(): Promise<string> {
    return this.health.metrics();
  }
}
