import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import type { LoginFlowRow } from '@berth/database';
import { type FlowStore, readHostedFlow } from '@berth/login-flow';
import { endpoints, type SubmitAccepted, type SubmitLogin } from '@berth/schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FLOW_STORE } from '../auth-connections/flow-store.module.js';
import { LoginsService } from '../auth-connections/logins.service.js';
import { notFound } from '../errors/api-error.js';
import { EventStreams } from '../events/event-streams.js';
import { ParsedBody, PathRow, Serves } from '../request/serves.js';
import { hostedCookie } from './hosted-cookie.js';
import { hostedPage, pageHeaders } from './hosted-page.js';

/**
 * The hosted login page: its link is exchanged for a cookie that is good for one flow, and with it the page follows and answers that flow
 * (D58).
 */
@Controller()
export class HostedController {
  constructor(
    @Inject(FLOW_STORE) private readonly store: FlowStore,
    @Inject(LoginsService) private readonly logins: LoginsService,
    @Inject(EventStreams) private readonly streams: EventStreams,
  ) {}

  @Serves(endpoints.openHostedPage)
  async open(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const flow = await readHostedFlow(this.store, token);
    if (flow === null) throw notFound();
    const { sealer, publicUrl, totalMs } = this.store;
    reply.headers({
      ...pageHeaders,
      'Set-Cookie': hostedCookie(sealer, flow.id, { publicUrl, maxAgeSeconds: Math.ceil(totalMs / 1_000) }),
    });
    reply.type('text/html; charset=utf-8');
    return hostedPage(flow.id, flow.connection);
  }

  @Serves(endpoints.followHostedFlow)
  follow(@PathRow() { id, connectionId }: LoginFlowRow, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.streams.answer(request, reply, { connectionId, flowId: id, grant: null });
  }

  @Serves(endpoints.submitHostedFlow)
  async submit(@PathRow() flow: LoginFlowRow, @ParsedBody() body: SubmitLogin): Promise<SubmitAccepted> {
    await this.logins.submit(flow, body);
    return { accepted: true };
  }
}
