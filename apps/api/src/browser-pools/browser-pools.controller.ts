import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  type AcquireFromPool,
  type BrowserPool,
  type BrowserSession,
  type CreateBrowserPool,
  type DeleteBrowserPool,
  endpoints,
  type ListBrowserPoolsQuery,
  type ReleaseToPool,
  type UpdateBrowserPool,
} from '@berth/schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAwaited } from '../browsers/awaited.js';
import { BrowsersService } from '../browsers/browsers.service.js';
import type { ResolvedScope } from '../request/context.js';
import { cutToPage, pageOf } from '../request/paging.js';
import { InScope, NewId, ParsedBody, ParsedQuery, PathRow, Serves } from '../request/serves.js';
import { type PoolRow, poolView } from './pool-row.js';
import { PoolsRepository } from './pools.repository.js';
import { PoolsService } from './pools.service.js';

@Controller()
export class BrowserPoolsController {
  constructor(
    @Inject(PoolsService) private readonly pools: PoolsService,
    @Inject(PoolsRepository) private readonly repository: PoolsRepository,
    @Inject(BrowsersService) private readonly browsers: BrowsersService,
  ) {}

  @Serves(endpoints.listBrowserPools)
  async list(
    @InScope() scope: ResolvedScope,
    @ParsedQuery() query: ListBrowserPoolsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BrowserPool[]> {
    const page = pageOf(query);
    return cutToPage(reply, page, await this.repository.page(scope.project, query, page)).map(poolView);
  }

  @Serves(endpoints.createBrowserPool)
  async create(@InScope() scope: ResolvedScope, @NewId() id: string, @ParsedBody() body: CreateBrowserPool): Promise<BrowserPool> {
    return poolView(await this.pools.create(scope.project, id, body));
  }

  @Serves(endpoints.getBrowserPool)
  get(@PathRow() row: PoolRow): BrowserPool {
    return poolView(row);
  }

  @Serves(endpoints.updateBrowserPool)
  async update(@InScope() scope: ResolvedScope, @PathRow() row: PoolRow, @ParsedBody() body: UpdateBrowserPool): Promise<BrowserPool> {
    return poolView(await this.pools.update(scope.project, row, body));
  }

  @Serves(endpoints.deleteBrowserPool)
  delete(@InScope() scope: ResolvedScope, @PathRow() row: PoolRow, @ParsedBody() body: DeleteBrowserPool): Promise<void> {
    return this.pools.delete(scope.project, row, body.force ?? false);
  }

  @Serves(endpoints.acquireFromPool)
  async acquire(
    @InScope() scope: ResolvedScope,
    @PathRow() row: PoolRow,
    @NewId() leaseId: string,
    @ParsedBody() body: AcquireFromPool,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BrowserSession | undefined> {
    const leased = await this.pools.acquire(scope.project, row, leaseId, body, () => isAwaited(request));
    if (leased === undefined) void reply.status(204);
    return leased === undefined ? undefined : this.browsers.view(scope.project, leased.id);
  }

  @Serves(endpoints.releaseToPool)
  release(@InScope() scope: ResolvedScope, @PathRow() row: PoolRow, @ParsedBody() body: ReleaseToPool): Promise<void> {
    return this.pools.release(scope.project, row, body);
  }

  @Serves(endpoints.flushPool)
  flush(@InScope() scope: ResolvedScope, @PathRow() row: PoolRow): Promise<void> {
    return this.pools.flush(scope.project, row);
  }
}
