import { answerChannel, type FlowStore, ownerLease, type OwnedFlow, renewOwnership } from '@berth/login-flow';
import type { Subscriber } from './subscriber.js';

export type Wake = 'changed' | 'lost' | 'browser_gone' | 'stopping' | 'timeout';

/** One flow that this worker owns. */
export class Hold implements OwnedFlow {
  #newest: bigint;
  #state: 'held' | 'lost' | 'browser_gone' | 'stopping' = 'held';
  #wakes = new Set<() => void>();

  constructor(
    readonly flowId: string,
    readonly epoch: number,
    sequence: bigint,
  ) {
    this.#newest = sequence;
  }

  /** What happened that the owner does not know of yet, seen from the sequence it has in hand. */
  look(sequence: bigint): Exclude<Wake, 'timeout'> | null {
    if (this.#state !== 'held') return this.#state;
    return this.#newest > sequence ? 'changed' : null;
  }

  /** Waits for a change of the row, the loss of flow or browser, or the worker's end; at most `maxMs`. */
  async wait(sequence: bigint, maxMs: number): Promise<Wake> {
    return (
      this.look(sequence) ??
      new Promise<Wake>((resolve) => {
        const finish = (wake: Wake): void => {
          clearTimeout(timer);
          this.#wakes.delete(check);
          resolve(wake);
        };
        const check = (): void => {
          const wake = this.look(sequence);
          if (wake !== null) finish(wake);
        };
        const timer = setTimeout(() => finish(this.look(sequence) ?? 'timeout'), maxMs);
        this.#wakes.add(check);
      })
    );
  }

  hear(sequence: bigint): void {
    if (sequence > this.#newest) this.#newest = sequence;
    this.#wake();
  }

  become(state: 'lost' | 'browser_gone' | 'stopping'): void {
    if (this.#state === 'lost') return;
    this.#state = state;
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#wakes]) wake();
  }
}

/**
 * All flows that this worker owns: says every second that it lives, and wakes whoever waits for a flow whose row has changed. Redis only
 * makes it hear earlier; without it, answers are seen at the next pulse.
 */
export class Holds {
  readonly #holds = new Map<string, Hold>();
  #timer: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(
    private readonly store: FlowStore,
    private readonly subscriber: Subscriber,
    private readonly onError: (error: unknown) => void,
  ) {
    subscriber.on('message', (channel, message) => this.#holds.get(channel)?.hear(BigInt(/^\d+$/.test(message) ? message : 0)));
  }

  get size(): number {
    return this.#holds.size;
  }

  add(flowId: string, epoch: number, sequence: bigint): Hold {
    const hold = new Hold(flowId, epoch, sequence);
    this.#holds.set(answerChannel(flowId), hold);
    this.subscriber.subscribe(answerChannel(flowId)).catch(this.onError);
    if (this.#stopping) hold.become('stopping');
    this.#timer ??= setTimeout(() => void this.#pulse(), ownerLease.renewMs);
    return hold;
  }

  drop(hold: Hold): void {
    if (this.#holds.get(answerChannel(hold.flowId)) !== hold) return;
    this.#holds.delete(answerChannel(hold.flowId));
    this.subscriber.unsubscribe(answerChannel(hold.flowId)).catch(this.onError);
  }

  /** Tells every run to stop at its next safe place (D55). */
  stop(): void {
    this.#stopping = true;
    for (const hold of this.#holds.values()) hold.become('stopping');
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#holds.clear();
  }

  async #pulse(): Promise<void> {
    const holds = [...this.#holds.values()];
    try {
      const pulses = new Map((holds.length === 0 ? [] : await renewOwnership(this.store, holds)).map((pulse) => [pulse.flowId, pulse]));
      for (const hold of holds) {
        const pulse = pulses.get(hold.flowId);
        if (pulse === undefined || pulse.epoch !== hold.epoch) hold.become('lost');
        else if (pulse.browserGone) hold.become('browser_gone');
        else hold.hear(pulse.sequence);
      }
    } catch (error) {
      this.onError(error);
    }
    this.#timer = this.#holds.size > 0 ? setTimeout(() => void this.#pulse(), ownerLease.renewMs) : undefined;
  }
}
