import { Controller, Inject, Req, Res } from '@nestjs/common';
import { endpoints } from '@berth/schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessChecks } from '../request/access-checks.js';
import type { Principal, ResolvedScope } from '../request/context.js';
import { Caller, InScope, PathRow, Serves } from '../request/serves.js';
import { EventStreams } from './event-streams.js';

@Controller()
export class EventsController {
  constructor(
    @Inject(EventStreams) private readonly streams: EventStreams,
    @Inject(AccessChecks) private readonly checks: AccessChecks,
  ) {}

  @Serves(endpoints.followConnection)
  follow(
    @Caller() { endsAt }: Principal,
    @InScope() { project }: ResolvedScope,
    @PathRow() connectionId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.streams.answer(request, reply, {
      connectionId,
      flowId: null,
      grant: this.checks.grantOf(request.headers.authorization, project, endsAt),
    });
  }
}
