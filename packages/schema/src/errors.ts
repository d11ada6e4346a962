import { z } from 'zod';

/**
 * Every error code of the service with its HTTP status (D8). `retryAfterSeconds` is sent as `Retry-After`; a 409 is always sent
 * with `x-should-retry: false`, because clients of this interface retry 409 by themselves (D9).
 */
export const errorCatalogue = {
  bad_request: { status: 400 },
  cannot_delete_current_key: { status: 400 },
  resource_in_use: { status: 400 },
  unauthorized: { status: 401 },
  forbidden: { status: 403 },
  not_found: { status: 404 },
  project_not_found: { status: 404 },
  projects_disabled: { status: 404 },
  conflict: { status: 409 },
  project_not_empty: { status: 409 },
  last_active_project: { status: 409 },
  flow_in_progress: { status: 409 },
  stale_interaction: { status: 409 },
  no_active_flow: { status: 409 },
  idempotency_key_reused: { status: 409 },
  payload_too_large: { status: 413, wireCode: 'bad_request' },
  invalid_submission: { status: 422 },
  concurrency_limit_exceeded: { status: 429, retryAfterSeconds: 5 },
  internal_error: { status: 500 },
  usage_unavailable: { status: 503, retryAfterSeconds: 2 },
  service_unavailable: { status: 503, wireCode: 'internal_error', retryAfterSeconds: 2 },
  capacity_exhausted: { status: 529, retryAfterSeconds: 5 },
} as const satisfies Record<string, { status: number; wireCode?: string; retryAfterSeconds?: number }>;

export type ErrorCode = keyof typeof errorCatalogue;

export interface ErrorTraits {
  readonly status: number;
  /** What the body's `code` says, where two kinds of refusal share one public code. */
  readonly wireCode: string;
  readonly retryAfterSeconds: number | undefined;
}

export function errorTraits(code: ErrorCode): ErrorTraits {
  const entry: { status: number; wireCode?: string; retryAfterSeconds?: number } = errorCatalogue[code];
  return { status: entry.status, wireCode: entry.wireCode ?? code, retryAfterSeconds: entry.retryAfterSeconds };
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
