import { Controller, Inject, Res } from '@nestjs/common';
import {
  type ApiKey,
  type CreateApiKey,
  type CreatedApiKey,
  endpoints,
  type GetApiKeyQuery,
  type ListApiKeysQuery,
  type RotateApiKey,
  type UpdateApiKey,
} from '@berth/schema';
import type { FastifyReply } from 'fastify';
import { notFound } from '../errors/api-error.js';
import type { Principal, ResolvedScope } from '../request/context.js';
import { cutToPage, pageOf } from '../request/paging.js';
import { Caller, InScope, NewId, ParsedBody, ParsedQuery, PathRow, Serves } from '../request/serves.js';
import { apiKeyView, type ShownApiKey } from './api-key-view.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';

@Controller()
export class ApiKeysController {
  constructor(
    @Inject(ApiKeysService) private readonly keys: ApiKeysService,
    @Inject(ApiKeysRepository) private readonly repository: ApiKeysRepository,
  ) {}

  @Serves(endpoints.listApiKeys)
  async list(
    @InScope() scope: ResolvedScope,
    @ParsedQuery() query: ListApiKeysQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApiKey[]> {
    const page = pageOf(query);
    return cutToPage(reply, page, await this.repository.page(scope.organization, query, page)).map(apiKeyView);
  }

  @Serves(endpoints.createApiKey)
  create(
    @Caller() caller: Principal,
    @InScope() scope: ResolvedScope,
    @NewId() id: string,
    @ParsedBody() body: CreateApiKey,
  ): Promise<CreatedApiKey> {
    return this.keys.create(caller, scope, id, body);
  }

  @Serves(endpoints.getApiKey)
  get(@PathRow() key: ShownApiKey, @ParsedQuery() query: GetApiKeyQuery): ApiKey {
    if (key.deletedAt !== null && query.include_deleted !== true) throw notFound();
    return apiKeyView(key);
  }

  @Serves(endpoints.updateApiKey)
  rename(@InScope() scope: ResolvedScope, @PathRow() key: ShownApiKey, @ParsedBody() { name }: UpdateApiKey): Promise<ApiKey> {
    return this.keys.rename(scope, key.id, name);
  }

  @Serves(endpoints.deleteApiKey)
  delete(@Caller() caller: Principal, @InScope() scope: ResolvedScope, @PathRow() key: ShownApiKey): Promise<void> {
    return this.keys.delete(caller, scope, key.id);
  }

  @Serves(endpoints.rotateApiKey)
  rotate(@InScope() scope: ResolvedScope, @PathRow() key: ShownApiKey, @ParsedBody() body: RotateApiKey): Promise<CreatedApiKey> {
    return this.keys.rotate(scope, key.id, body);
  }
}
