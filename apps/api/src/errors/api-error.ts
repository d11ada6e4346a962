import type { ErrorCode, ErrorDetail } from '@berth/schema';

export interface ApiErrorOptions {
  readonly details?: readonly ErrorDetail[];
  /** What really happened, for the log alone. */
  readonly cause?: unknown;
}

/**
 * The one throwable of the API. `message` is public: it never holds text of a database, a library or the request's path. What went wrong inside goes
 * into `cause` and reaches only the log.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly details: readonly ErrorDetail[] | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: ApiErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.details = options.details;
  }
}

/** The client closed its connection before it had its answer: nobody reads this one, and nothing is wrong here. */
export class ClientLeft extends ApiError {
  constructor(cause?: unknown) {
    super('service_unavailable', 'The client left before its answer.', { cause });
  }
}

/** A 400 with one detail per faulty field. */
export function invalid(...faults: readonly { readonly field: string; readonly message: string }[]): ApiError {
  return new ApiError('bad_request', 'The request is not valid; see details.', {
    details: faults.map(({ field, message }) => ({ code: 'invalid_field', message: `${field}: ${message}` })),
  });
}

/** A 400 for a body that cannot even be read as JSON. */
export function invalidBody(message: string, cause?: unknown): ApiError {
  return new ApiError('bad_request', `The body ${message}.`, { details: [{ code: 'invalid_body', message: `body: ${message}` }], cause });
}

/** A 400 for a header of the request, by its name. */
export function invalidHeader(name: string, message: string): ApiError {
  return new ApiError('bad_request', `The header ${name} ${message}.`, {
    details: [{ code: 'invalid_header', message: `${name}: ${message}` }],
  });
}

/** The answer for a path, or a method of a path, that the service does not have; the first of all refusals (D7). */
export function noSuchRoute(): ApiError {
  return new ApiError('not_found', 'There is no such route; GET /docs lists those that there are.');
}

/** The one answer for a resource that does not exist, or belongs to another project. */
export function notFound(): ApiError {
  return new ApiError('not_found', 'The resource was not found: it does not exist, was deleted, or belongs to another project.');
}

/** The one answer for a project that does not exist, is not active where it must be, or is another's; it never echoes the request (D6). */
export function projectNotFound(): ApiError {
  return new ApiError('project_not_found', 'The project was not found or is inactive.');
}
