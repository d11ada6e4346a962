import { z } from 'zod';

/**
 * Every error code of the service with its HTTP status (D8). `retryAfterSeconds` is sent as `Retry-After`; a 409 is always sent
 * with `x-should-retry: false`, because clients of this interface retry 409 by themselves (D9).
 */
export const errorCatalogue = {
  bad_request: { status: 400, meaning: 'a header, a parameter or a field is not valid; `details` lists every fault with its name' },
  cannot_delete_current_key: { status: 400, meaning: 'the key of the request cannot delete itself' },
  resource_in_use: { status: 400, meaning: 'something else still uses the resource' },
  unauthorized: { status: 401, meaning: 'the credential is missing, malformed, unknown, expired or revoked' },
  forbidden: { status: 403, meaning: 'the key is bound to one project and may not do this, or the project header names another project' },
  not_found: { status: 404, meaning: 'the resource does not exist, was deleted, or belongs to another project' },
  project_not_found: {
    status: 404,
    meaning: 'the project of the path or of the header does not exist, or is archived where it must be active',
  },
  projects_disabled: { status: 404, meaning: 'the organization has no projects enabled' },
  conflict: { status: 409, meaning: 'the name is taken, or the state has no way to what is asked' },
  project_not_empty: { status: 409, meaning: 'the project still owns active resources' },
  last_active_project: { status: 409, meaning: 'the organization must keep one active project' },
  flow_in_progress: { status: 409, meaning: 'a login flow is running already' },
  stale_interaction: { status: 409, meaning: 'something else is asked by now, or nothing; take `interaction_id` from the newest state' },
  no_active_flow: { status: 409, meaning: 'no login flow is running' },
  idempotency_key_reused: { status: 409, meaning: 'the Idempotency-Key was sent with another body before' },
  payload_too_large: { status: 413, wireCode: 'bad_request', meaning: 'the body is larger than 1 MiB' },
  invalid_submission: {
    status: 422,
    meaning: 'unknown fields or choices, or a required value is missing; `details` lists what is allowed',
  },
  concurrency_limit_exceeded: {
    status: 429,
    retryAfterSeconds: 5,
    meaning: 'a cap is reached; the one entry of `details` tells whose (`project` or `organization`), its limit and its usage',
  },
  internal_error: { status: 500, meaning: 'a fault of the service; `X-Request-Id` finds it in its log' },
  usage_unavailable: { status: 503, retryAfterSeconds: 2, meaning: 'usage cannot be read, so nothing is admitted' },
  service_unavailable: {
    status: 503,
    wireCode: 'internal_error',
    retryAfterSeconds: 2,
    meaning: 'something that the service needs does not answer right now',
  },
  capacity_exhausted: { status: 529, retryAfterSeconds: 5, meaning: 'no browser host has room right now' },
} as const satisfies Record<string, { status: number; meaning: string; wireCode?: string; retryAfterSeconds?: number }>;

export type ErrorCode = keyof typeof errorCatalogue;

export interface ErrorTraits {
  readonly status: number;
  /** What the body's `code` says, where two kinds of refusal share one public code. */
  readonly wireCode: string;
  readonly retryAfterSeconds: number | undefined;
  /** For whoever reads the document. */
  readonly meaning: string;
}

export function errorTraits(code: ErrorCode): ErrorTraits {
  const {
    status,
    meaning,
    wireCode,
    retryAfterSeconds,
  }: { status: number; meaning: string; wireCode?: string; retryAfterSeconds?: number } = errorCatalogue[code];
  return { status, meaning, wireCode: wireCode ?? code, retryAfterSeconds };
}

export const ErrorDetail = z.strictObject({ code: z.string().optional(), message: z.string().optional() }).meta({ id: 'ErrorDetail' });

export const ErrorBody = z
  .strictObject({
    code: z.string().meta({ description: 'Machine-readable code.' }),
    message: z.string().meta({ description: 'Human-readable description.' }),
    details: z.array(ErrorDetail).optional(),
    inner_error: ErrorDetail.optional(),
  })
  .meta({ id: 'Error' });

export type ErrorDetail = z.infer<typeof ErrorDetail>;
export type ErrorBody = z.infer<typeof ErrorBody>;
