import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionEvent, type LoginStateEvent } from '@berth/schema';

/** Where one connection's event stream is, and who asks. */
export interface StreamAddress {
  readonly url: string;
  readonly key: string;
}

const waitMs = 45_000;
const againMs = 100;

/**
 * Follows one connection's event stream as a client does: every frame is checked against the closed schema, ids must rise, a torn
 * connection is opened again with `Last-Event-ID`, and the end of the flow ends it.
 */
export class Follower {
  readonly states: LoginStateEvent[] = [];
  /** Resolves when the API has ended the stream after the flow's last state. */
  readonly over: Promise<void>;
  #newest = 0;
  #read = 0;
  #fault: Error | undefined;
  readonly #leaving = new AbortController();
  readonly #wakes = new Set<() => void>();

  constructor(
    readonly connectionId: string,
    address: StreamAddress,
  ) {
    this.over = this.#follow(address).catch((error: unknown) => {
      if (this.#leaving.signal.aborted) return;
      this.#fault = error instanceof Error ? error : new Error(String(error));
      this.#wake();
    });
  }

  leave(): void {
    this.#leaving.abort();
  }

  /** The next state after those already taken that is `wanted`. @throws after `withinMs` with what was heard instead. */
  async next(wanted: (state: LoginStateEvent) => boolean, withinMs = waitMs): Promise<LoginStateEvent> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      if (this.#fault !== undefined) throw this.#fault;
      const place = this.states.findIndex((state, index) => index >= this.#read && wanted(state));
      const found = this.states[place];
      if (found !== undefined) {
        this.#read = place + 1;
        return found;
      }
      if (!(await this.#woken(deadline - Date.now()))) throw new Error(`the flow did not get there; ${this.story()}`);
    }
  }

  /** The states heard, one a line, for messages of failed tests. */
  story(): string {
    return this.states
      .map((state) =>
        [
          state.flow_status,
          state.flow_step,
          state.fields?.map(({ type }) => type),
          state.choices?.map(({ label }) => label),
          state.website_error,
          state.error_code,
        ]
          .filter(Boolean)
          .join(' · '),
      )
      .join('\n');
  }

  paused(withinMs?: number): Promise<LoginStateEvent> {
    return this.next((state) => state.flow_status !== 'IN_PROGRESS' || state.flow_step.startsWith('AWAITING'), withinMs);
  }

  /** The last state; the stream is over with it. */
  async ended(withinMs?: number): Promise<LoginStateEvent> {
    const end = await this.next((state) => state.flow_status !== 'IN_PROGRESS', withinMs);
    await this.over;
    return end;
  }

  async #follow({ url, key }: StreamAddress): Promise<void> {
    for (;;) {
      const response = await this.#open(url, key);
      if (response !== null) {
        try {
          for await (const block of blocksOf(response)) this.#take(block);
        } catch (error) {
          // fetch tells a torn connection as a TypeError of its own realm; anything else is a frame that broke the contract.
          if (!isTorn(error)) throw error;
        }
        if (this.states.at(-1)?.flow_status !== 'IN_PROGRESS' && this.states.length > 0) return;
      }
      await delay(againMs, undefined, { signal: this.#leaving.signal });
    }
  }

  /** Null while nobody answers. */
  async #open(url: string, key: string): Promise<Response | null> {
    const headers = {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(this.#newest > 0 && { 'last-event-id': String(this.#newest) }),
    };
    const response = await fetch(url, { headers, signal: this.#leaving.signal }).catch((error: unknown) => {
      if (this.#leaving.signal.aborted) throw error;
      return null;
    });
    if (response !== null && !response.ok) throw new Error(`the event stream answered ${response.status}: ${await response.text()}`);
    return response;
  }

  #take(block: string): void {
    const [, id, data] = /^(?:id: (\d+)\n)?data: (.*)$/.exec(block) ?? [];
    if (data === undefined) return;
    const event = ConnectionEvent.parse(JSON.parse(data));
    if (event.event !== 'managed_auth_state') return;
    // A client that comes back is told the newest state again.
    if (Number(id) < this.#newest) throw new Error('a state came out of order');
    if (Number(id) === this.#newest) return;
    this.#newest = Number(id);
    this.states.push(event);
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#wakes]) wake();
  }

  #woken(withinMs: number): Promise<boolean> {
    return new Promise<boolean>((resolve) => {
      const finish = (heard: boolean): void => {
        clearTimeout(timer);
        this.#wakes.delete(wake);
        resolve(heard);
      };
      const wake = (): void => finish(true);
      const timer = setTimeout(() => finish(false), Math.max(0, withinMs));
      this.#wakes.add(wake);
    });
  }
}

const isTorn = (error: unknown): boolean => typeof error === 'object' && error !== null && 'name' in error && error.name === 'TypeError';

async function* blocksOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    pending += decoder.decode(chunk, { stream: true });
    const blocks = pending.split('\n\n');
    pending = blocks.pop() ?? '';
    yield* blocks;
  }
}
