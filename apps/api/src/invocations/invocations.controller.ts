import { Controller, Inject, Res } from '@nestjs/common';
import type { InvocationRow } from '@berth/database';
import {
  type CreateInvocation,
  endpoints,
  type Invocation,
  type InvocationBrowsers,
  type ListInvocationsQuery,
  type UpdateInvocation,
} from '@berth/schema';
import type { FastifyReply } from 'fastify';
import { BrowsersService } from '../browsers/browsers.service.js';
import type { SessionRow } from '../browsers/session-row.js';
import type { ResolvedScope } from '../request/context.js';
import { cutToPage, pageOf } from '../request/paging.js';
import { InScope, NewId, ParsedBody, ParsedQuery, PathRow, Serves } from '../request/serves.js';
import { invocationView } from './invocation-view.js';
import { InvocationsRepository } from './invocations.repository.js';
import { InvocationsService } from './invocations.service.js';

@Controller()
export class InvocationsController {
  constructor(
    @Inject(InvocationsService) private readonly invocations: InvocationsService,
    @Inject(InvocationsRepository) private readonly repository: InvocationsRepository,
    @Inject(BrowsersService) private readonly browsers: BrowsersService,
  ) {}

  @Serves(endpoints.listInvocations)
  async list(
    @InScope() scope: ResolvedScope,
    @ParsedQuery() query: ListInvocationsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Invocation[]> {
    const page = pageOf(query);
    return cutToPage(reply, page, await this.repository.page(scope.project, query, page)).map(invocationView);
  }

  @Serves(endpoints.createInvocation)
  async create(@InScope() scope: ResolvedScope, @NewId() id: string, @ParsedBody() body: CreateInvocation): Promise<Invocation> {
    return invocationView(await this.invocations.record(scope.project, id, body));
  }

  @Serves(endpoints.getInvocation)
  get(@PathRow() row: InvocationRow): Invocation {
    return invocationView(row);
  }

  @Serves(endpoints.updateInvocation)
  async update(@InScope() scope: ResolvedScope, @PathRow() row: InvocationRow, @ParsedBody() body: UpdateInvocation): Promise<Invocation> {
    return invocationView(await this.invocations.end(scope.project, row.id, body));
  }

  @Serves(endpoints.listInvocationBrowsers)
  listBrowsers(@PathRow() rows: readonly SessionRow[]): InvocationBrowsers {
    return { browsers: this.browsers.views(rows) };
  }

  @Serves(endpoints.deleteInvocationBrowsers)
  deleteBrowsers(@InScope() scope: ResolvedScope, @PathRow() row: InvocationRow): Promise<void> {
    return this.browsers.endOfInvocation(scope.project, row.id);
  }
}
