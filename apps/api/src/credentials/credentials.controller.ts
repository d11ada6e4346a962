import { Controller, Inject, Res } from '@nestjs/common';
import type { CredentialRow } from '@berth/database';
import {
  type CreateCredential,
  type Credential,
  endpoints,
  type ListCredentialsQuery,
  type TotpCode,
  type UpdateCredential,
} from '@berth/schema';
import type { FastifyReply } from 'fastify';
import type { ResolvedScope } from '../request/context.js';
import { cutToPage, pageOf } from '../request/paging.js';
import { InScope, NewId, ParsedBody, ParsedQuery, PathRow, Serves } from '../request/serves.js';
import { credentialView, shownCredential } from './credential-view.js';
import { CredentialsRepository } from './credentials.repository.js';
import { CredentialsService } from './credentials.service.js';

@Controller()
export class CredentialsController {
  constructor(
    @Inject(CredentialsService) private readonly credentials: CredentialsService,
    @Inject(CredentialsRepository) private readonly repository: CredentialsRepository,
  ) {}

  @Serves(endpoints.listCredentials)
  async list(
    @InScope() scope: ResolvedScope,
    @ParsedQuery() query: ListCredentialsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Credential[]> {
    const page = pageOf(query);
    return cutToPage(reply, page, await this.repository.page(scope.project, { domain: query.domain, query: query.query }, page)).map(
      credentialView,
    );
  }

  @Serves(endpoints.createCredential)
  async create(@InScope() scope: ResolvedScope, @NewId() id: string, @ParsedBody() body: CreateCredential): Promise<Credential> {
    return credentialView(shownCredential(await this.credentials.create(scope.project, id, body)));
  }

  @Serves(endpoints.getCredential)
  get(@PathRow() credential: CredentialRow): Credential {
    return credentialView(shownCredential(credential));
  }

  @Serves(endpoints.updateCredential)
  async update(
    @InScope() scope: ResolvedScope,
    @PathRow() { id }: CredentialRow,
    @ParsedBody() body: UpdateCredential,
  ): Promise<Credential> {
    return credentialView(shownCredential(await this.credentials.update(scope.project, id, body)));
  }

  @Serves(endpoints.deleteCredential)
  delete(@InScope() scope: ResolvedScope, @PathRow() credential: CredentialRow): Promise<void> {
    return this.credentials.delete(scope.project, credential);
  }

  @Serves(endpoints.getTotpCode)
  totpCode(@PathRow() credential: CredentialRow): TotpCode {
    return this.credentials.totpCode(credential);
  }
}
