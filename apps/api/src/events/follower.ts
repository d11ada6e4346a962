import type { ServerResponse } from 'node:http';
import type { Grant } from '../request/access-checks.js';
import { firstFrame, type Frame, streamHeaders } from './frames.js';
import type { StateMessage } from './state-message.js';
import { StreamConnection } from './stream-connection.js';

/** What became of a state that was offered to a follower. */
export type Taken = 'taken' | 'known' | 'other_flow';

/**
 * A reader that takes nothing over so many heartbeats (a minute, by default) is cut off: it holds a connection and a subscription, and
 * misses nothing, for a reconnect is given the newest state.
 */
const stalledBeats = 4;

/**
 * One open stream. It holds the number of the newest state it was given, and at most one state that waits: while the reader is slow newer
 * states replace that one, so memory stays bounded and the newest state always arrives (D48). It follows one flow to its end: the one it
 * was made for, or the first it is given.
 */
export class Follower {
  #sequence = 0;
  #flowId: string | null;
  #waiting: StateMessage | undefined;
  #phase: 'opening' | 'open' | 'ended' = 'opening';
  /** From the first byte on. */
  #connection: StreamConnection | undefined;

  constructor(
    readonly connectionId: string,
    /**
     * What allowed this stream, checked again while it lasts; null for the hosted page, whose link is good for its flow whatever happens to
     * keys.
     */
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

  /**
   * Sends status and headers with the first frames: the newest state at hand, or `idle` without one. `closed` is called when the connection
   * is.
   */
  open(response: ServerResponse, headers: Readonly<Record<string, string>>, idle: Frame, closed: () => void): void {
    const first = this.#waiting;
    this.#waiting = undefined;
    this.#phase = 'open';
    this.#flowId = first?.flowId ?? this.#flowId;
    this.#connection = StreamConnection.open(response, { ...headers, ...streamHeaders }, firstFrame(first?.frame ?? idle));
    if (this.#connection === undefined) return closed();
    this.#connection.onceClosed(closed);
    if (first?.terminal === true) this.end();
  }

  /** A frame that may be left out: skipped while the reader has not taken what it was sent. */
  beat(frame: Frame): void {
    if (this.#phase === 'open' && this.#connection?.isBehind === false) this.#connection.write(frame);
    else this.#connection?.cutWhenStalled(stalledBeats);
  }

  /** Tells why, then ends. */
  fail(frame: Frame): void {
    if (this.#phase === 'open') this.#connection?.write(frame);
    this.end();
  }

  /** Ends the response behind what was written. */
  end(): void {
    if (this.#phase === 'open') this.#connection?.end();
    this.#phase = 'ended';
  }

  #send(message: StateMessage): void {
    if (this.#connection?.isBehind === true) {
      if (this.#waiting === undefined) this.#connection.onceDrained(() => this.#flush());
      this.#waiting = message;
      return;
    }
    this.#connection?.write(message.frame);
    if (message.terminal) this.end();
  }

  #flush(): void {
    const message = this.#waiting;
    this.#waiting = undefined;
    if (message !== undefined && this.#phase === 'open') this.#send(message);
  }
}
