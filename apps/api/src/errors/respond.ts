import { HttpException, NotFoundException } from '@nestjs/common';
import { type DatabaseOutage, databaseOutage, isInsertIntoDeletedProject } from '@berth/database';
import { type ErrorBody, errorTraits } from '@berth/schema';
import type { FastifyReply } from 'fastify';
import { ApiError, ClientLeft, invalidBody, noSuchRoute, projectNotFound } from './api-error.js';

/** Faults that Fastify itself finds, by its own codes; anything else that is not an `ApiError` is a 500. */
const frameworkFaults: Readonly<Record<string, (cause: unknown) => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (cause) => new ApiError('payload_too_large', 'The body is larger than 1 MiB.', { cause }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (cause) => invalidBody('must be JSON, with the media type application/json', cause),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: (cause) => invalidBody('does not have the length that Content-Length says', cause),
  FST_ERR_BAD_URL: (cause) => new ApiError('bad_request', 'The path is not validly percent-encoded.', { cause }),
};

const outageMessages: Readonly<Record<DatabaseOutage, string>> = {
  unreachable: 'The service cannot reach its database. Try again.',
  unanswered: 'The database did not answer. If something was to be changed, it may have been: look before changing it again.',
};

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Nest's adapter wraps what Fastify throws while it reads a request. */
function frameworkFault(error: unknown): ApiError | undefined {
  const known =
    frameworkFaults[codeOf(error) ?? ''] ?? (error instanceof HttpException ? frameworkFaults[codeOf(error.cause) ?? ''] : undefined);
  if (known !== undefined) return known(error);
  // Nest's own: of a path whose parameter is empty, it says that it has no such route.
  if (error instanceof NotFoundException) return noSuchRoute();
  return error instanceof HttpException && error.getStatus() < 500
    ? new ApiError('bad_request', 'The request cannot be read.', { cause: error })
    : undefined;
}

/**
 * How Node ends the reading of a body whose sender is gone, wrapped or not. The code is that of any broken connection, one to a store
 * included.
 */
function isTornBody(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // Not `instanceof Error`: what the system throws may be of another realm.
  const { code, message, cause } = error as { readonly code?: unknown; readonly message?: unknown; readonly cause?: unknown };
  return (code === 'ECONNRESET' && message === 'aborted') || isTornBody(cause);
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isTornBody(error)) return new ClientLeft(error);
  const known = frameworkFault(error);
  if (known !== undefined) return known;
  // The project was there when the request entered and was deleted before its row was written.
  if (isInsertIntoDeletedProject(error)) return projectNotFound();
  // Not of our making, and worth another try soon.
  const outage = databaseOutage(error);
  if (outage !== undefined) return new ApiError('service_unavailable', outageMessages[outage], { cause: error });
  return new ApiError('internal_error', 'Something went wrong inside. The request id in the X-Request-Id header finds it in the log.', {
    cause: error,
  });
}

export function errorBody(error: ApiError): ErrorBody {
  return { code: errorTraits(error.code).wireCode, message: error.message, ...(error.details ? { details: [...error.details] } : {}) };
}

/** Sends the Error body with the headers its code asks for (D8, D9). */
export function respondWithError(reply: FastifyReply, error: ApiError): void {
  const { status, retryAfterSeconds } = errorTraits(error.code);
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
  if (status === 409) reply.header('x-should-retry', 'false');
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
  void reply.status(status).type('application/json; charset=utf-8').send(errorBody(error));
}
