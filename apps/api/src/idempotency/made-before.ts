import { Injectable } from '@nestjs/common';
import type { Endpoint } from '@berth/schema';
import type { RequestContext } from '../request/context.js';

/**
 * Answers as the create itself would have, if something was made under the id; undefined when nothing was. What is only begun is finished
 * first.
 */
export type ReadMade = (id: string, context: RequestContext) => Promise<unknown>;

/**
 * Features register how the answer of a create is made from the id that it was to use, for the process that takes over the idempotency
 * claim of one that died (D36). The handler gets the same id (`NewId`), so whatever it does before its row is there can be done again. An
 * endpoint that registers nothing makes nothing with an id: it runs again.
 */
@Injectable()
export class MadeBefore {
  readonly #reads = new Map<string, ReadMade>();

  register({ operationId }: Endpoint, read: ReadMade): void {
    if (this.#reads.has(operationId)) throw new Error(`two features read what ${operationId} has made`);
    this.#reads.set(operationId, read);
  }

  async find(id: string, context: RequestContext): Promise<unknown> {
    return this.#reads.get(context.endpoint.operationId)?.(id, context);
  }
}
