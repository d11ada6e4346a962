import type { ErrorCode, ErrorDetail } from '@berth/schema';

export interface ApiErrorOptions {
  readonly details?: readonly ErrorDetail[];
  /** What really happened, for the log alone. */
  readonly cause?: unknown;
  /** Whoever found the cause has logged it, once for all requests that meet it. */
  readonly alreadyLogged?: true;
}

/**
 * The one throwable of the API. `message` is public: it never holds text of a database, a library or the request's path. What went wrong
 * inside goes into `cause` and reaches only the log.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly details: readonly ErrorDetail[] | undefined;
  readonly alreadyLogged: boolean;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: ApiErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.details = options.details;
    this.alreadyLogged = options.alreadyLogged ?? false;
  }
}

/** The client closed its connection before it had its answer: nobody reads this one, and nothing is wrong here. */
export class ClientLeft extends ApiError {
  constructor(cause?: unknown) {
    super('service_unavailable', 'The client left before its answer.', { cause });
  }
}

/** Most faults that one answer lists: more would help nobody, and could weigh more than what was sent (D8). */
const mostListed = 100;
/** UTF-16 code units. A name of a caller may be as long as a body: its beginning tells which one is meant. */
const shownLength = 300;
const shown = (field: string): string => (field.length <= shownLength ? field : `${field.slice(0, shownLength).toWellFormed()}…`);

/** The faults of one request: the first hundred in words, the others counted. */
export class Faults {
  readonly #listed: ErrorDetail[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** `field` may be put off until it is known to be listed. */
  add(code: string, field: string | (() => string), message: string): void {
    this.#count += 1;
    if (this.#count <= mostListed)
      this.#listed.push({ code, message: `${shown(typeof field === 'string' ? field : field())}: ${message}` });
  }

  /** The 400 that lists them. */
  refusal(): ApiError {
    const more = this.#count - this.#listed.length;
    const message = `The request is not valid; see details.${more === 0 ? '' : ` They list ${mostListed} faults; there are ${more} more.`}`;
    return new ApiError('bad_request', message, { details: this.#listed });
  }
}

/** A 400 with one detail per faulty field. */
export function invalid(...found: readonly { readonly field: string; readonly message: string }[]): ApiError {
  const faults = new Faults();
  for (const { field, message } of found) faults.add('invalid_field', field, message);
  return faults.refusal();
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
