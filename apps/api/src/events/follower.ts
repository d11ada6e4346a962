import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Grant } from '../request/access-checks.js';
import { retryBlock, streamHeaders } from './frames.js';
import type { StateMessage } from './state-message.js';

/** What became of a state that was offered to a follower. */
export type Taken = 'taken' | 'known' | 'other_flow';

/**
 * One open stream. It holds the number of the newest state it was given, and at most one state that waits: while the reader is slow newer states replace that
 * one, so memory stays bounded and the newest state always arrives (D48). It follows one flow to its end: the one it was made for, or the first it is given.
 */
export class Follower {
  #sequence = 0;
  #flowId: string | null;
  #waiting: StateMessage | undefined;
  #phase: 'opening' | 'open' | 'ended' = 'opening';

  constructor(
    private readonly response: ServerResponse,
    readonly connectionId: string,
    /** What allowed this stream, checked again while it lasts; null for the hosted page, whose link is good for its flow whatever happens to keys. */
    readonly grant: Grant | null,
    flowId: string | null,
  ) {
    this.#flowId = flowId;
  }

  get flowId(): string | null {
    return this.#flowId;
  }

  /** The newest state at hand while the stream is not open yet. */
  get firstState(): StateMessage | undefined {
    return this.#waiting;
  }

  /** Offers a state. Before the stream is open the newest one is kept for its first frame, whatever its flow. */
  take(message: StateMessage): Taken {
    if (this.#flowId !== null && message.flowId !== this.#flowId) return this.#phase === 'ended' ? 'known' : 'other_flow';
    if (message.sequence <= this.#sequence || this.#phase === 'ended') return 'known';
    this.#sequence = message.sequence;
    if (this.#phase === 'opening') {
      this.#waiting = message;
      return 'taken';
    }
    this.#flowId = message.flowId;
    this.#send(message);
    return 'taken';
  }

  /** Sends status and headers with the first frames: the newest state at hand, or `idle` without one. */
  open(headers: OutgoingHttpHeaders, idle: Buffer): void {
    const first = this.#waiting;
    this.#waiting = undefined;
    this.#phase = 'open';
    this.#flowId = first?.flowId ?? this.#flowId;
    this.response.writeHead(200, { ...headers, ...streamHeaders });
    this.response.write(Buffer.concat([retryBlock, first?.frame ?? idle]));
    if (first?.terminal === true) this.end();
  }

  /** A frame that may be left out: skipped while the reader has not taken what it was sent. */
  beat(frame: Buffer): void {
    if (this.#phase === 'open' && !this.response.writableNeedDrain) this.response.write(frame);
  }

  /** Tells why, then ends. */
  fail(frame: Buffer): void {
    if (this.#phase === 'open') this.response.write(frame);
    this.end();
  }

  /** Ends the response behind what was written. */
  end(): void {
    if (this.#phase === 'open') this.response.end();
    this.#phase = 'ended';
  }

  #send(message: StateMessage): void {
    if (this.response.writableNeedDrain) {
      if (this.#waiting === undefined) this.response.once('drain', () => this.#flush());
      this.#waiting = message;
      return;
    }
    this.response.write(message.frame);
    if (message.terminal) this.end();
  }

  #flush(): void {
    const message = this.#waiting;
    this.#waiting = undefined;
    if (message !== undefined && this.#phase === 'open') this.#send(message);
  }
}
