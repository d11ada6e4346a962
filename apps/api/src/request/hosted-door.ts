import { Injectable } from '@nestjs/common';

/** The flow that a hosted page's request is allowed to touch, by its Cookie header; undefined when there is none (401). */
export type HostedVisitor = (cookies: string | undefined) => Promise<unknown>;

/** Who may pass on `hosted` routes is known to the hosted page alone; the corridor only asks (D58). */
@Injectable()
export class HostedDoor {
  #visitor: HostedVisitor = async () => undefined;

  register(visitor: HostedVisitor): void {
    this.#visitor = visitor;
  }

  flowOf(cookies: string | undefined): Promise<unknown> {
    return this.#visitor(cookies);
  }
}
