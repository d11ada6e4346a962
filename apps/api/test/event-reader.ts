import http from 'node:http';
import { createGunzip } from 'node:zlib';
import { ConnectionEvent, type LoginStateEvent } from '@berth/schema';

export interface ReadFrame {
  /** Sequence, where the frame has one. */
  readonly id: number | undefined;
  readonly event: ConnectionEvent;
}

/** A follower that reads the wire itself, so that frames and headers can be judged. Every event is checked against the closed schema. */
export class EventReader {
  readonly frames: ReadFrame[] = [];
  /** Blocks that are no event, such as `retry`. */
  readonly others: string[] = [];
  ended = false;
  #text = '';
  #seen = new Set<() => void>();

  constructor(
    readonly status: number,
    readonly headers: http.IncomingHttpHeaders,
    private readonly response: http.IncomingMessage,
  ) {
    const plain = headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response;
    plain.setEncoding('utf8');
    plain.on('data', (chunk: string) => this.#read(chunk));
    for (const end of ['end', 'error', 'close']) plain.on(end, () => this.#finish());
    response.on('close', () => response.complete || this.#finish());
  }

  /** The response ended with its last chunk, not by a torn connection. */
  get complete(): boolean {
    return this.response.complete;
  }

  get states(): LoginStateEvent[] {
    return this.frames.flatMap(({ event }) => (event.event === 'managed_auth_state' ? [event] : []));
  }

  get body(): string {
    return this.#text;
  }

  /** Waits until `done` holds; the test's own time-out is the limit. */
  async until(done: (reader: this) => boolean): Promise<void> {
    while (!done(this)) {
      if (this.ended) throw new Error(`the stream ended with ${this.status} and ${JSON.stringify([this.frames, this.#text])}`);
      await new Promise<void>((resolve) => this.#seen.add(resolve));
    }
  }

  async untilState(done: (state: LoginStateEvent) => boolean): Promise<LoginStateEvent> {
    await this.until(({ states }) => states.some(done));
    return this.states.find(done) as LoginStateEvent;
  }

  async untilEnd(): Promise<void> {
    while (!this.ended) await new Promise<void>((resolve) => this.#seen.add(resolve));
  }

  pause(): void {
    this.response.pause();
  }

  resume(): void {
    this.response.resume();
  }

  close(): void {
    this.response.destroy();
  }

  #read(chunk: string): void {
    this.#text += chunk;
    if (this.headers['content-type'] !== 'text/event-stream') return;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) this.#take(block);
    this.#wake();
  }

  #take(block: string): void {
    const [, id, data] = /^(?:id: (\d+)\n)?data: (.*)$/.exec(block) ?? [];
    if (data === undefined) this.others.push(block);
    else this.frames.push({ id: id === undefined ? undefined : Number(id), event: ConnectionEvent.parse(JSON.parse(data)) });
  }

  #finish(): void {
    this.ended = true;
    this.#wake();
  }

  #wake(): void {
    const seen = [...this.#seen];
    this.#seen.clear();
    for (const wake of seen) wake();
  }
}

export interface FollowOptions {
  readonly key?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly agent?: http.Agent;
}

/** Settles with the response's headers, whatever the status. */
export function readEvents(url: string, { key, headers, agent }: FollowOptions = {}): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, {
      ...(agent === undefined ? {} : { agent }),
      headers: { accept: 'text/event-stream', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
    });
    request.on('response', (response) => resolve(new EventReader(response.statusCode ?? 0, response.headers, response)));
    request.on('error', reject);
  });
}
