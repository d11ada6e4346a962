import { Controller, Inject, Res } from '@nestjs/common';
import {
  type AcquireFromPool, type BrowserPool, type BrowserSession, type CreateBrowserPool, type DeleteBrowserPool, endpoints, type ListBrowserPoolsQuery, type ReleaseToPool,
  type UpdateBrowserPool,
} from '@berth/schema';
import type { FastifyReply } from 'fastify';
import { untilGone } from '../browsers/until-gone.js';
import type { ResolvedScope } from '../request/context.js';
import { cutToPage, pageOf } from '../request/paging.js';
import { InScope, ParsedBody, ParsedQuery, PathRow, Serves } from '../request/serves.js';
import { LeasesService } from './leases.service.js';
import { type PoolRow, poolView } from './pool-row.js';
import { PoolsService } from './pools.service.js';

@Controller()
export class BrowserPoolsController {
  constructor(
    @Inject(PoolsService) private readonly pools: PoolsService,
    @Inject(LeasesService) private readonly leases: LeasesService,
  ) {}

  @Serves(endpoints.listBrowserPools)
  async list(@InScope() { project }: ResolvedScope, @ParsedQuery() query: ListBrowserPoolsQuery, @Res({ passthrough: true }) reply: FastifyReply): Promise<readonly BrowserPool[]> {
    const page = pageOf(query);
    return cutToPage(reply, page, await this.pools.list(project, query, page));
  }

  @Serves(endpoints.createBrowserPool)
  create(@InScope() { project }: ResolvedScope, @ParsedBody() body: CreateBrowserPool): Promise<BrowserPool> {
    return this.pools.create(project, body);
  }

  @Serves(endpoints.getBrowserPool)
  get(@PathRow() pool: PoolRow): BrowserPool {
    return poolView(pool);
  }

  @Serves(endpoints.updateBrowserPool)
  update(@InScope() { project }: ResolvedScope, @PathRow() pool: PoolRow, @ParsedBody() body: UpdateBrowserPool): Promise<BrowserPool> {
    return this.pools.update(project, pool, body);
  }

  @Serves(endpoints.deleteBrowserPool)
  delete(@InScope() { project }: ResolvedScope, @PathRow() pool: PoolRow, @ParsedBody() body: DeleteBrowserPool): Promise<void> {
    return this.pools.delete(project, pool, body);
  }

  @Serves(endpoints.acquireFromPool)
  async acquire(
    @InScope() { project }: ResolvedScope, @PathRow() pool: PoolRow, @ParsedBody() body: AcquireFromPool, @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BrowserSession | undefined> {
    const session = await this.leases.acquire(project, pool, body, untilGone(reply));
    if (session === undefined) void reply.status(204);
    return session;
  }

  @Serves(endpoints.releaseToPool)
  release(@InScope() { project }: ResolvedScope, @PathRow() pool: PoolRow, @ParsedBody() body: ReleaseToPool): Promise<void> {
    return this.leases.release(project, pool, body);
  }

  @Serves(endpoints.flushPool)
  flush(@InScope() { project }: ResolvedScope, @PathRow() pool: PoolRow): Promise<void> {
    return this.pools.flush(project, pool);
  }
}
