import { type Followed, type FlowStore, readFollowed } from '@berth/login-flow';

interface Batch {
  readonly connectionIds: Set<string>;
  readonly flowIds: Set<string>;
  readonly found: Promise<ReadonlyMap<string, Followed>>;
}

/**
 * First reads of streams that open at the same time, as one statement: while one is under way, those who come are gathered for the next.
 * When an API process goes, thousands of clients come back to another within seconds. A read begins after it was asked for, so it sees what
 * was stored before.
 */
export class OpeningReads {
  #next: Batch | undefined;
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(private readonly store: FlowStore) {}

  /** Undefined when there is no such connection. Rejects when the stored state cannot be read. */
  async read(connectionId: string, flowId: string | null): Promise<Followed | undefined> {
    const batch = (this.#next ??= this.#gather());
    batch.connectionIds.add(connectionId);
    if (flowId !== null) batch.flowIds.add(flowId);
    return (await batch.found).get(connectionId);
  }

  #gather(): Batch {
    const [connectionIds, flowIds] = [new Set<string>(), new Set<string>()];
    const found = this.#underWay.then(() => {
      this.#next = undefined;
      return readFollowed(this.store, [...connectionIds], [...flowIds]);
    });
    this.#underWay = found.catch(() => undefined);
    return { connectionIds, flowIds, found };
  }
}
