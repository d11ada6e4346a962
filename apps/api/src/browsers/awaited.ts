import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientLeft } from '../errors/api-error.js';

/**
 * Aborted when the client goes away before it has its answer, at whatever stage. Never with an idempotency key: the client's next try under
 * the same key reads the answer (D36).
 */
export function whenGone(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (request.headers['idempotency-key'] !== undefined) return gone.signal;
  const abort = (): void => gone.abort(new ClientLeft());
  if (request.raw.socket.destroyed) abort();
  else reply.raw.once('close', () => (reply.raw.writableFinished ? undefined : abort()));
  return gone.signal;
}

/** Whether somebody will read the answer: the client itself, or its next try under the same idempotency key. */
export function isAwaited(request: FastifyRequest): boolean {
  return !request.raw.socket.destroyed || request.headers['idempotency-key'] !== undefined;
}
