import { Controller, Inject, Res } from '@nestjs/common';
import type { AuthConnectionRow } from '@berth/database';
import type { Standing } from '@berth/login-flow';
import {
  type AuthConnection,
  type CreateAuthConnection,
  endpoints,
  type ListAuthConnectionsQuery,
  type LoginStarted,
  type StartLogin,
  type SubmitAccepted,
  type SubmitLogin,
  type TimelineEvent,
  type TimelineQuery,
  type UpdateAuthConnection,
} from '@berth/schema';
import type { FastifyReply } from 'fastify';
import type { ResolvedScope } from '../request/context.js';
import { cutToPage, pageOf } from '../request/paging.js';
import { InScope, NewId, ParsedBody, ParsedQuery, PathRow, Serves } from '../request/serves.js';
import { ConnectionsRepository } from './connections.repository.js';
import { ConnectionsService } from './connections.service.js';
import { LoginsService } from './logins.service.js';
import { Timeline } from './timeline.js';

@Controller()
export class AuthConnectionsController {
  constructor(
    @Inject(ConnectionsService) private readonly connections: ConnectionsService,
    @Inject(ConnectionsRepository) private readonly repository: ConnectionsRepository,
    @Inject(LoginsService) private readonly logins: LoginsService,
    @Inject(Timeline) private readonly timeline: Timeline,
  ) {}

  @Serves(endpoints.listAuthConnections)
  async list(
    @InScope() { project }: ResolvedScope,
    @ParsedQuery() query: ListAuthConnectionsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuthConnection[]> {
    const page = pageOf(query);
    const rows = await this.repository.page(project, { domain: query.domain, profileName: query.profile_name, query: query.query }, page);
    return this.connections.views(project, cutToPage(reply, page, rows));
  }

  @Serves(endpoints.createAuthConnection)
  create(@InScope() { project }: ResolvedScope, @NewId() id: string, @ParsedBody() body: CreateAuthConnection): Promise<AuthConnection> {
    return this.connections.create(project, id, body);
  }

  @Serves(endpoints.getAuthConnection)
  get(@InScope() { project }: ResolvedScope, @PathRow() connection: AuthConnectionRow): Promise<AuthConnection> {
    return this.connections.view(project, connection);
  }

  @Serves(endpoints.updateAuthConnection)
  update(
    @InScope() { project }: ResolvedScope,
    @PathRow() connection: AuthConnectionRow,
    @ParsedBody() body: UpdateAuthConnection,
  ): Promise<AuthConnection> {
    return this.connections.update(project, connection, body);
  }

  @Serves(endpoints.deleteAuthConnection)
  delete(@InScope() { project }: ResolvedScope, @PathRow() connection: AuthConnectionRow): Promise<void> {
    return this.connections.delete(project, connection);
  }

  @Serves(endpoints.startLogin)
  login(@InScope() { project }: ResolvedScope, @PathRow() standing: Standing, @ParsedBody() body: StartLogin): Promise<LoginStarted> {
    return this.logins.start(project, standing, body);
  }

  @Serves(endpoints.submitLogin)
  async submit(@PathRow() { flow }: Standing, @ParsedBody() body: SubmitLogin): Promise<SubmitAccepted> {
    await this.logins.submit(flow, body);
    return { accepted: true };
  }

  @Serves(endpoints.cancelLogin)
  async cancel(@InScope() { project }: ResolvedScope, @PathRow() connection: AuthConnectionRow): Promise<SubmitAccepted> {
    await this.logins.cancel(project, connection);
    return { accepted: true };
  }

  @Serves(endpoints.getTimeline)
  async getTimeline(
    @InScope() { project }: ResolvedScope,
    @PathRow() connection: AuthConnectionRow,
    @ParsedQuery() query: TimelineQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly TimelineEvent[]> {
    const page = pageOf(query);
    return cutToPage(reply, page, await this.timeline.page(project, connection, query, page));
  }
}
