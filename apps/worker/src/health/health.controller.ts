import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import type { Readiness } from '@berth/schema';
import type { FastifyReply } from 'fastify';
import { HealthChecks } from './health-checks.js';
import { Metrics } from './metrics.js';

/** D53: what an orchestrator and a Prometheus ask. */
@Controller()
export class HealthController {
  constructor(@Inject(HealthChecks) private readonly checks: HealthChecks, @Inject(Metrics) private readonly metrics: Metrics) {}

  @Get('health/live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('health/ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.checks.readiness();
    void reply.status(readiness.status === 'unavailable' ? 503 : 200);
    return readiness;
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  text(): Promise<string> {
    return this.metrics.text();
  }
}
