import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error.js';

/** Aborted when the caller's connection closes before the answer was sent. What it waits for is nobody's then. */
export function untilGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    if (!reply.raw.writableFinished) controller.abort(new ApiError('service_unavailable', 'The caller left before the answer.'));
  };
  if (reply.raw.destroyed || reply.request.raw.destroyed && reply.request.raw.socket?.destroyed === true) abort();
  else reply.raw.once('close', abort);
  return controller.signal;
}
