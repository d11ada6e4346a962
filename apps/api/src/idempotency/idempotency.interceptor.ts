import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { errorTraits } from '@berth/schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ApiError, ClientLeft } from '../errors/api-error.js';
import { toApiError } from '../errors/respond.js';
import { setRight } from '../patience.js';
import { authenticatedContext } from '../request/context.js';
import {
  type Claim,
  IdempotencyRecords,
  type OwnClaim,
  renewEveryMs,
  type RequestIdentity,
  type StoredAnswer,
} from './idempotency-records.js';
import { MadeBefore } from './made-before.js';

const pollMs = 50;

function identityOf(request: FastifyRequest, key: string): RequestIdentity {
  const { principal, scope, body } = authenticatedContext(request);
  // The parsed body, so that white space and the order of fields do not make it another one.
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(body) ?? '')
    .digest();
  return { scope: scope.project, credentialId: principal.id, route: `${request.method} ${request.url.split('?', 1)[0]}`, key, bodyHash };
}

/** 429 and 5xx are about the moment, not about the request: the next try is a first one (D36). */
function isWorthKeeping(error: ApiError): boolean {
  const { status } = errorTraits(error.code);
  return status < 500 && status !== 429;
}

/**
 * On every idempotent endpoint (`Serves`) and no other: an interceptor costs each request some observables. Replays the first answer to a
 * POST that carries an Idempotency-Key; the handler makes one thing, whatever dies (D36).
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    @Inject(IdempotencyRecords) private readonly records: IdempotencyRecords,
    @Inject(MadeBefore) private readonly madeBefore: MadeBefore,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const key = authenticatedContext(request).idempotencyKey;
    if (key === undefined) return next.handle();
    return from(this.#once(identityOf(request, key), request, http.getResponse<FastifyReply>(), next));
  }

  async #once(identity: RequestIdentity, request: FastifyRequest, reply: FastifyReply, next: CallHandler): Promise<unknown> {
    const claim = await this.#claimOrWait(identity, request);
    if (claim.kind === 'reused')
      throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used with another body; send a new key.');
    if (claim.kind === 'answered') return replay(reply, claim.answer);
    return this.#answer(identity, claim, reply, () => this.#make(claim, request, next));
  }

  /** A duplicate in flight waits for the first, or takes over when the process of the first is gone. */
  async #claimOrWait(identity: RequestIdentity, request: FastifyRequest): Promise<Exclude<Claim, { kind: 'in_flight' }>> {
    for (;;) {
      const claim = await this.records.claim(identity);
      if (claim.kind !== 'in_flight') return claim;
      if (request.raw.socket.destroyed) throw new ClientLeft();
      await delay(pollMs);
    }
  }

  /** What a process that died had made is the answer; otherwise the handler makes it, under the claim's id. */
  async #make({ resourceId, takenOver }: OwnClaim, request: FastifyRequest, next: CallHandler): Promise<unknown> {
    const context = authenticatedContext(request);
    context.newId = resourceId;
    const made = takenOver ? await this.madeBefore.find(resourceId, context) : undefined;
    return made ?? lastValueFrom(next.handle(), { defaultValue: undefined });
  }

  async #answer({ scope }: RequestIdentity, { claimId }: OwnClaim, reply: FastifyReply, make: () => Promise<unknown>): Promise<unknown> {
    const renewal = setInterval(() => void this.records.renew(scope, claimId).catch(() => undefined), renewEveryMs);
    try {
      const body = await make();
      await this.records.store(scope, claimId, { status: reply.statusCode, body });
      return body;
    } catch (thrown) {
      const error = toApiError(thrown);
      const { code, message, details } = error;
      if (isWorthKeeping(error)) await this.records.store(scope, claimId, { error: { code, message, ...(details ? { details } : {}) } });
      else await setRight(() => this.records.drop(scope, claimId));
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }
}

function replay(reply: FastifyReply, answer: StoredAnswer): unknown {
  if ('error' in answer) {
    const { code, message, details } = answer.error;
    throw new ApiError(code, message, details ? { details } : {});
  }
  void reply.status(answer.status);
  return answer.body;
}
