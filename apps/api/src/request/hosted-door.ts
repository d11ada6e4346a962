import { Injectable } from '@nestjs/common';

/** The flow of a hosted page's request, where its Cookie header allows it; undefined where not (401). */
export type HostedVisitor = (flowId: string, cookies: string | undefined) => Promise<unknown>;

/** Who may pass on `hosted` routes is known to the hosted page alone; the corridor only asks (D58). */
@Injectable()
export class HostedDoor {
  #visitor: HostedVisitor = async () => undefined;

  register(visitor: HostedVisitor): void {
    this.#visitor = visitor;
  }

  flowOf(flowId: string, cookies: string | undefined): Promise<unknown> {
    return this.#visitor(flowId, cookies);
  }
}
