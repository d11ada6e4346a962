import { Controller, Inject, Req, Res } from '@nestjs/common';
import { type BrowserSession, type CreateBrowser, endpoints, type ListBrowsersQuery, type UpdateBrowser } from '@berth/schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../errors/api-error.js';
import type { ResolvedScope } from '../request/context.js';
import { cutToPage, pageOf } from '../request/paging.js';
import { InScope, NewId, ParsedBody, ParsedQuery, PathRow, Serves } from '../request/serves.js';
import { whenGone } from './awaited.js';
import { BrowsersRepository } from './browsers.repository.js';
import { BrowsersService } from './browsers.service.js';
import { SessionAddresses } from './session-addresses.js';
import type { SessionRow } from './session-row.js';
import { sessionView } from './session-view.js';

@Controller()
export class BrowsersController {
  constructor(
    @Inject(BrowsersService) private readonly browsers: BrowsersService,
    @Inject(BrowsersRepository) private readonly repository: BrowsersRepository,
    @Inject(SessionAddresses) private readonly addresses: SessionAddresses,
  ) {}

  @Serves(endpoints.listBrowsers)
  async list(
    @InScope() scope: ResolvedScope,
    @ParsedQuery() query: ListBrowsersQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BrowserSession[]> {
    const page = pageOf(query);
    const rows = await this.repository.page(scope.project, query, page);
    return cutToPage(reply, page, rows).map((row) => sessionView(row, this.addresses));
  }

  @Serves(endpoints.createBrowser)
  async create(
    @InScope() scope: ResolvedScope,
    @NewId() id: string,
    @ParsedBody() body: CreateBrowser,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BrowserSession> {
    return sessionView(await this.browsers.create(scope.project, id, body, whenGone(request, reply)), this.addresses);
  }

  @Serves(endpoints.getBrowser)
  get(@PathRow() row: SessionRow, @ParsedQuery() query: { readonly include_deleted?: boolean }): BrowserSession {
    if (row.status !== 'running' && query.include_deleted !== true) throw notFound();
    return sessionView(row, this.addresses);
  }

  @Serves(endpoints.updateBrowser)
  async update(@InScope() scope: ResolvedScope, @PathRow() row: SessionRow, @ParsedBody() body: UpdateBrowser): Promise<BrowserSession> {
    return sessionView(await this.browsers.update(scope.project, row, body), this.addresses);
  }

  @Serves(endpoints.deleteBrowser)
  delete(@PathRow() row: SessionRow): Promise<void> {
    return this.browsers.end([row.id]);
  }
}
