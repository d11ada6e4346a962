import { Controller, Inject, Res } from '@nestjs/common';
import type { InvocationRow } from '@berth/database';
import { type CreateInvocation, endpoints, type Invocation, type InvocationBrowsers, type ListInvocationsQuery, type UpdateInvocation } from '@berth/schema';
import type { FastifyReply } from 'fastify';
import { BrowsersService } from '../browsers/browsers.service.js';
import type { ResolvedScope } from '../request/context.js';
import { cutToPage, pageOf } from '../request/paging.js';
import { InScope, ParsedBody, ParsedQuery, PathRow, Serves } from '../request/serves.js';
import { invocationView } from './invocation-view.js';
import { InvocationsService } from './invocations.service.js';

@Controller()
export class InvocationsController {
  constructor(
    @Inject(InvocationsService) private readonly invocations: InvocationsService,
    @Inject(BrowsersService) private readonly browsers: BrowsersService,
  ) {}

  @Serves(endpoints.createInvocation)
  create(@InScope() { project }: ResolvedScope, @ParsedBody() body: CreateInvocation): Promise<Invocation> {
    return this.invocations.create(project, body);
  }

  @Serves(endpoints.listInvocations)
  async list(@InScope() { project }: ResolvedScope, @ParsedQuery() query: ListInvocationsQuery, @Res({ passthrough: true }) reply: FastifyReply): Promise<readonly Invocation[]> {
    const page = pageOf(query);
    return cutToPage(reply, page, await this.invocations.list(project, query, page));
  }

  @Serves(endpoints.getInvocation)
  get(@PathRow() row: InvocationRow): Invocation {
    return invocationView(row);
  }

  @Serves(endpoints.updateInvocation)
  finish(@InScope() { project }: ResolvedScope, @PathRow() { id }: InvocationRow, @ParsedBody() body: UpdateInvocation): Promise<Invocation> {
    return this.invocations.finish(project, id, body);
  }

  @Serves(endpoints.listInvocationBrowsers)
  async listBrowsers(@InScope() { project }: ResolvedScope, @PathRow() { id }: InvocationRow): Promise<InvocationBrowsers> {
    return { browsers: await this.browsers.ofInvocation(project, id) };
  }

  @Serves(endpoints.deleteInvocationBrowsers)
  async endBrowsers(@InScope() { project }: ResolvedScope, @PathRow() { id }: InvocationRow): Promise<void> {
    await this.browsers.endOfInvocation(project, id);
  }
}
