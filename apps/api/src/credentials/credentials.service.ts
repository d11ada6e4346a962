import { Inject, Injectable } from '@nestjs/common';
import { type CredentialRow, type ProjectScope, violatesUnique } from '@berth/database';
import { credentialPurposes } from '@berth/login-flow';
import { type CreateCredential, foldName, type TotpCode, type UpdateCredential } from '@berth/schema';
import { Sealer } from '@berth/secrets';
import { authenticator } from 'otplib';
import { ApiError, invalid, notFound } from '../errors/api-error.js';
import { type CredentialData, CredentialsRepository } from './credentials.repository.js';

type Values = Readonly<Record<string, string>>;

async function nameFree<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (violatesUnique(error, 'credentials_name_among_undeleted'))
      throw new ApiError('conflict', 'Another credential of the project has this name; choose another one.', { cause: error });
    throw error;
  }
}

/** Removals come first, so a key that is in both keeps its new value. Pure. */
export function mergeValues(
  stored: Values,
  { remove_value_keys: removed = [], values = {} }: Pick<UpdateCredential, 'remove_value_keys' | 'values'>,
): Values {
  return { ...Object.fromEntries(Object.entries(stored).filter(([key]) => !removed.includes(key))), ...values };
}

/** Stored credentials. Values and TOTP secrets are sealed before they rest and are opened only to merge or to make a code (D45). */
@Injectable()
export class CredentialsService {
  constructor(
    @Inject(CredentialsRepository) private readonly repository: CredentialsRepository,
    @Inject(Sealer) private readonly sealer: Sealer,
  ) {}

  create(scope: ProjectScope, id: string, { name, domain, values, sso_provider, totp_secret }: CreateCredential): Promise<CredentialRow> {
    return nameFree(
      this.repository.create(scope, id, {
        name,
        domain: foldName(domain),
        ssoProvider: sso_provider ?? null,
        ...this.sealedValues(values),
        ...(totp_secret !== undefined && { sealedTotpSecret: this.sealer.seal(credentialPurposes.totpSecret, totp_secret) }),
      }),
    );
  }

  async update(scope: ProjectScope, id: string, given: UpdateCredential): Promise<CredentialRow> {
    const updated = await nameFree(this.repository.update(scope, id, (row) => this.changes(row, given)));
    if (updated === undefined) throw notFound();
    return updated;
  }

  private changes(row: CredentialRow, given: UpdateCredential): CredentialData {
    const { name, sso_provider, totp_secret } = given;
    const stored: Values = row.sealedValues === null ? {} : this.sealer.openJson(credentialPurposes.values, row.sealedValues);
    const changesValues = given.values !== undefined || given.remove_value_keys !== undefined;
    return {
      ...(name !== undefined && { name }),
      ...(sso_provider !== undefined && { ssoProvider: sso_provider }),
      ...(changesValues && this.sealedValues(mergeValues(stored, given))),
      ...(totp_secret !== undefined && {
        sealedTotpSecret: totp_secret === '' ? null : this.sealer.seal(credentialPurposes.totpSecret, totp_secret),
      }),
    };
  }

  /** @throws ApiError bad_request when there is no secret to make a code from. */
  totpCode({ sealedTotpSecret }: CredentialRow): TotpCode {
    if (sealedTotpSecret === null)
      throw new ApiError('bad_request', 'The credential has no TOTP secret; PATCH it with a totp_secret first.');
    const secret = this.sealer.open(credentialPurposes.totpSecret, sealedTotpSecret).toString('utf8');
    return { code: authenticator.generate(secret), expires_at: new Date(endOfTotpStep(Date.now())).toISOString() };
  }

  delete(scope: ProjectScope, { id }: CredentialRow): Promise<void> {
    return this.repository.delete(scope, id);
  }

  find(scope: ProjectScope, wanted: string): Promise<CredentialRow | null> {
    return this.repository.find(scope, wanted);
  }

  /** The credential that a request's body names. @throws ApiError bad_request naming `field` (D8). */
  async use(scope: ProjectScope, name: string, field: string): Promise<CredentialRow> {
    const found = await this.repository.find(scope, name);
    if (found === null) throw invalid({ field, message: 'names no credential of this project' });
    return found;
  }

  /** By id, for views of what refers to them; deleted ones are absent. */
  async byId(scope: ProjectScope, ids: readonly string[]): Promise<ReadonlyMap<string, CredentialRow>> {
    return new Map((await this.repository.findAll(scope, ids)).map((row) => [row.id, row]));
  }

  private sealedValues(values: Values): Pick<CredentialData, 'sealedValues' | 'valueKeys'> {
    return { sealedValues: this.sealer.sealJson(credentialPurposes.values, values), valueKeys: Object.keys(values).sort() };
  }
}

const totpStepMs = 30_000;
const endOfTotpStep = (now: number): number => (Math.floor(now / totpStepMs) + 1) * totpStepMs;
