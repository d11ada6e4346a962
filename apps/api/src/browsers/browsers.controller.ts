import { Controller, Inject, Res } from '@nestjs/common';
import { type BrowserSession, type CreateBrowser, endpoints, type ListBrowsersQuery, type UpdateBrowser } from '@berth/schema';
import type { FastifyReply } from 'fastify';
import type { ResolvedScope } from '../request/context.js';
import { cutToPage, pageOf } from '../request/paging.js';
import { InScope, ParsedBody, ParsedQuery, PathRow, Serves } from '../request/serves.js';
import { BrowsersService } from './browsers.service.js';
import type { SessionRecord } from './session-record.js';
import { untilGone } from './until-gone.js';

@Controller()
export class BrowsersController {
  constructor(@Inject(BrowsersService) private readonly browsers: BrowsersService) {}

  @Serves(endpoints.createBrowser)
  create(@InScope() { project }: ResolvedScope, @ParsedBody() body: CreateBrowser, @Res({ passthrough: true }) reply: FastifyReply): Promise<BrowserSession> {
    return this.browsers.create(project, body, untilGone(reply));
  }

  @Serves(endpoints.listBrowsers)
  async list(@InScope() { project }: ResolvedScope, @ParsedQuery() query: ListBrowsersQuery, @Res({ passthrough: true }) reply: FastifyReply): Promise<readonly BrowserSession[]> {
    const page = pageOf(query);
    return cutToPage(reply, page, await this.browsers.list(project, query, page));
  }

  @Serves(endpoints.getBrowser)
  get(@PathRow() record: SessionRecord, @ParsedQuery() { include_deleted }: { include_deleted?: boolean }): BrowserSession {
    return this.browsers.get(record, include_deleted === true);
  }

  @Serves(endpoints.updateBrowser)
  update(@InScope() { project }: ResolvedScope, @PathRow() record: SessionRecord, @ParsedBody() body: UpdateBrowser): Promise<BrowserSession> {
    return this.browsers.update(project, record, body);
  }

  @Serves(endpoints.deleteBrowser)
  async end(@PathRow() record: SessionRecord): Promise<void> {
    await this.browsers.end(record);
  }
}
