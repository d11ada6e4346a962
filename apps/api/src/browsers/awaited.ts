import type { FastifyRequest } from 'fastify';

/** Whether somebody will read the answer: the client itself, or its next try under the same idempotency key. */
export function isAwaited(request: FastifyRequest): boolean {
  return !request.raw.socket.destroyed || request.headers['idempotency-key'] !== undefined;
}
