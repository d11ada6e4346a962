import { Inject, Injectable } from '@nestjs/common';
import type { ApiKey, CreateApiKey, CreatedApiKey, RotateApiKey } from '@berth/schema';
import { newApiKeySecret } from '@berth/secrets';
import { ApiError, invalid, notFound } from '../errors/api-error.js';
import { AccessChanges } from '../request/access-changes.js';
import type { Principal, ResolvedScope } from '../request/context.js';
import { apiKeyView } from './api-key-view.js';
import { ApiKeysRepository, type Creator } from './api-keys.repository.js';
import { expiryOf, overlapEnd, renewedExpiry } from './expiry.js';

/** Who made a key, as it will be shown: a person has an address, a key stands for its organization (D10). */
function creatorOf(caller: Principal): Creator {
  return { id: caller.id, name: caller.name, email: caller.email ?? `cli@${caller.organization.name}` };
}

@Injectable()
export class ApiKeysService {
  constructor(
    @Inject(ApiKeysRepository) private readonly repository: ApiKeysRepository,
    @Inject(AccessChanges) private readonly changes: AccessChanges,
  ) {}

  async create(
    caller: Principal,
    scope: ResolvedScope,
    id: string,
    { name, project_id, days_to_expire }: CreateApiKey,
  ): Promise<CreatedApiKey> {
    const secret = newApiKeySecret();
    const key = {
      id,
      name,
      projectId: project_id ?? null,
      expiresAt: expiryOf(days_to_expire, new Date()),
      secret,
      creator: creatorOf(caller),
    };
    if (!(await this.repository.create(scope.organization, key)))
      throw invalid({ field: 'project_id', message: 'names no active project of this organization' });
    return { ...(await this.#shown(scope, id)), key: secret.secret };
  }

  /**
   * Answers for a create whose process died: the secret that it made is known to nobody, so the key gets another. Undefined when there is
   * no such key.
   */
  async finishCreate(scope: ResolvedScope, id: string): Promise<CreatedApiKey | undefined> {
    const secret = newApiKeySecret();
    return (await this.repository.addSecret(scope.organization, id, secret))
      ? { ...(await this.#shown(scope, id)), key: secret.secret }
      : undefined;
  }

  async rename(scope: ResolvedScope, id: string, name: string): Promise<ApiKey> {
    if (!(await this.repository.rename(scope.organization, id, name))) throw notFound();
    await this.changes.announce(scope.organization.organizationId);
    return this.#shown(scope, id);
  }

  /** A key cannot take away its own caller's access (D10). Its refusal elsewhere is announced before this answers. */
  async delete(caller: Principal, scope: ResolvedScope, id: string): Promise<void> {
    if (caller.id === id) throw new ApiError('cannot_delete_current_key', 'A key cannot delete itself; use another one.');
    if (!(await this.repository.delete(scope.organization, id))) throw notFound();
    await this.changes.announce(scope.organization.organizationId);
  }

  async rotate(scope: ResolvedScope, id: string, { days_to_expire, expire_in_days }: RotateApiKey): Promise<CreatedApiKey> {
    const secret = newApiKeySecret();
    const now = new Date();
    const rotated = await this.repository.rotate(scope.organization, id, {
      secret,
      expiresAt: (lifetime) => renewedExpiry(days_to_expire, now, lifetime),
      formerEnd: (former) => overlapEnd(expire_in_days, now, former),
    });
    if (!rotated) throw notFound();
    await this.changes.announce(scope.organization.organizationId);
    return { ...(await this.#shown(scope, id)), key: secret.secret };
  }

  async #shown(scope: ResolvedScope, id: string): Promise<ApiKey> {
    const row = await this.repository.find(scope.organization, id);
    if (row === undefined) throw notFound();
    return apiKeyView(row);
  }
}
