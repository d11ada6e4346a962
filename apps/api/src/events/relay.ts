import type { ServerResponse } from 'node:http';
import { connectionsChangedSince, type Followed, type FlowStore, readFollowed } from '@berth/login-flow';
import type { ApiError } from '../errors/api-error.js';
import { errorBody, toApiError } from '../errors/respond.js';
import type { AccessChecks, Grant } from '../request/access-checks.js';
import { Follower } from './follower.js';
import { errorFrame, heartbeatFrame } from './frames.js';
import { publishedState, type StateMessage, storedState } from './state-message.js';
import { OpeningReads } from './opening-reads.js';
import { type Listener, type Topic, Topics } from './topics.js';

export interface RelayPorts {
  readonly store: FlowStore;
  readonly listener: Listener;
  readonly checks: Pick<AccessChecks, 'lapsed' | 'keepOnly'>;
  readonly heartbeatMs: number;
  /** Hears of faults that followers are told as an internal error, and of looks that failed. */
  readonly onFault: (error: unknown) => void;
}

export interface FollowRequest {
  readonly response: ServerResponse;
  readonly connectionId: string;
  /** The one flow to follow; null follows what the connection runs. */
  readonly flowId: string | null;
  readonly grant: Grant | null;
  /** The client's Last-Event-ID. */
  readonly lastSequence: number | undefined;
}

/** What a request to follow comes to. `open` sends the headers; nothing is written before it is called. */
export type Opening =
  | { readonly kind: 'opened'; readonly open: (headers: Readonly<Record<string, string>>) => void }
  /** The flow has ended and the client has seen its end: 204, so that it does not come back (D49). */
  | { readonly kind: 'seen' }
  | { readonly kind: 'not_found' }
  /** The client has left already. */
  | { readonly kind: 'gone' };

/** While nothing is heard, the stored states are looked at this often (D50). */
const deafLookMs = 500;
/** Heartbeats written in one turn of the event loop: about 10 ms of work, so that states are not held up behind ten thousand of them. */
const beatsPerTurn = 500;
/** How long streams are given to send their last bytes when the process stops (D55). */
const endWithinMs = 2_000;

/**
 * Brings stored states to those who follow them, for a whole process: one Redis subscriber, one timer, one query for all that is looked at.
 * A follower is subscribed first and reads the stored state then, so nothing falls between; states are ordered by their number, whichever
 * way they come. Published states are only the fast way: what is stored is looked at with every heartbeat, and twice a second while Redis
 * is away, so no state depends on a message arriving.
 */
export class Relay {
  readonly #topics: Topics;
  readonly #openings: OpeningReads;
  readonly #due = new Set<string>();
  #looking: Promise<void> | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #deafLook: NodeJS.Timeout | undefined;
  #followers = 0;
  #closing = false;

  constructor(private readonly ports: RelayPorts) {
    this.#topics = new Topics(ports.listener);
    this.#openings = new OpeningReads(ports.store);
    ports.listener.on('message', this.#hear);
    ports.listener.on('ready', this.#heardAgain);
    ports.listener.on('close', this.#lost);
    if (ports.listener.status !== 'ready') this.#lost();
  }

  /** For metrics, and for tests that look for leaks. */
  get counts(): { readonly followers: number; readonly subscriptions: number; readonly timers: number } {
    return { followers: this.#followers, subscriptions: this.#topics.size, timers: this.#heartbeat === undefined ? 0 : 1 };
  }

  /** Rejects when the stored state cannot be read; then nothing was written and nothing is left behind (D50). */
  async follow({ response, connectionId, flowId, grant, lastSequence }: FollowRequest): Promise<Opening> {
    if (response.destroyed || this.#closing) return { kind: 'gone' };
    const follower = new Follower(connectionId, grant, flowId);
    const left = (): void => this.#leave(follower);
    response.once('close', left);
    const topic = this.#join(follower);
    try {
      await topic.heard;
      const followed = await this.#openings.read(connectionId, flowId);
      for (const message of this.#messagesOf(followed)) this.#offer(topic, message);
      const first = follower.firstState;
      const refusal = this.#refusal(
        follower,
        followed,
        first?.terminal === true && lastSequence !== undefined && lastSequence >= first.sequence,
      );
      if (refusal === undefined)
        return { kind: 'opened', open: (headers) => follower.open(response, headers, heartbeatFrame(new Date()), left) };
      this.#leave(follower);
      return { kind: refusal };
    } catch (error) {
      this.#leave(follower);
      throw error;
    }
  }

  #refusal(follower: Follower, followed: Followed | undefined, endSeen: boolean): Exclude<Opening['kind'], 'opened'> | undefined {
    if (!this.#topics.of(follower.connectionId)?.followers.has(follower)) return 'gone';
    if (followed === undefined || (followed.deleted && follower.firstState?.terminal !== true)) return 'not_found';
    return endSeen ? 'seen' : undefined;
  }

  /** Checks again what allowed the streams of an organization; those that no longer hold are told so and end (D49). */
  async accessChanged(organizationId?: string): Promise<void> {
    const grants = new Set<Grant>();
    for (const { grant } of this.#topics.followers()) if (grant !== null) grants.add(grant);
    this.ports.checks.keepOnly(grants);
    const lapsed = await this.ports.checks.lapsed(
      [...grants].filter((grant) => organizationId === undefined || grant.organizationId === organizationId),
    );
    if (lapsed.size === 0) return;
    for (const follower of this.#topics.followers()) {
      const error = follower.grant === null ? undefined : lapsed.get(follower.grant);
      if (error !== undefined) this.#fail(follower, error);
    }
  }

  /** Ends every stream so that its client connects again, elsewhere; settled when their last bytes are sent (D55). */
  async close(): Promise<void> {
    this.#closing = true;
    const { listener } = this.ports;
    listener.off('message', this.#hear);
    listener.off('ready', this.#heardAgain);
    listener.off('close', this.#lost);
    clearTimeout(this.#deafLook);
    const late = AbortSignal.timeout(endWithinMs);
    for (const follower of this.#topics.followers()) follower.end();
    while (this.#followers > 0 && !late.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
    clearInterval(this.#heartbeat);
  }

  #join(follower: Follower): Topic {
    this.#followers += 1;
    this.#heartbeat ??= setInterval(() => void this.#beat(), this.ports.heartbeatMs);
    return this.#topics.join(follower);
  }

  #leave(follower: Follower): void {
    if (!this.#topics.leave(follower)) return;
    follower.end();
    this.#followers -= 1;
    if (this.#followers > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  /** Answers whether somebody follows a flow that this state is not of: its end may have been missed. */
  #offer(topic: Topic, message: StateMessage): boolean {
    topic.sequence = Math.max(topic.sequence, message.sequence);
    let missed = false;
    for (const follower of topic.followers) if (follower.take(message) === 'other_flow') missed = true;
    return missed;
  }

  readonly #hear = (channel: string, text: string): void => {
    const topic = this.#topics.byChannel(channel);
    if (topic === undefined) return;
    const message = publishedState(text);
    if (message === undefined || this.#offer(topic, message)) this.#look([topic.connectionId]);
  };

  readonly #lost = (): void => {
    this.#topics.lost();
    this.#deafLook ??= setInterval(() => void this.#lookForChanges(), deafLookMs);
  };

  /** What was said while nothing was heard is lost, so everything is looked at once more after all is heard again. */
  readonly #heardAgain = (): void => {
    this.#topics.subscribeAgain().then(
      async () => {
        clearInterval(this.#deafLook);
        this.#deafLook = undefined;
        await this.#lookForChanges();
      },
      () => undefined,
    );
  };

  async #beat(): Promise<void> {
    const frame = heartbeatFrame(new Date());
    let left = beatsPerTurn;
    for (const follower of this.#topics.followers()) {
      follower.beat(frame);
      left -= 1;
      if (left > 0) continue;
      left = beatsPerTurn;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.#lookForChanges();
    await this.accessChanged().catch(this.ports.onFault);
  }

  async #lookForChanges(): Promise<void> {
    try {
      const known = new Map([...this.#topics.all()].map(({ connectionId, sequence }) => [connectionId, sequence]));
      this.#look(await connectionsChangedSince(this.ports.store, known));
    } catch (error) {
      // PostgreSQL is away: streams stay, and the next look may find it back.
      this.ports.onFault(error);
    }
  }

  /** Reads what is stored and offers it. What is asked for during a look is gathered for the next, so looks never pile up. */
  #look(connectionIds: readonly string[]): void {
    for (const id of connectionIds) this.#due.add(id);
    if (this.#due.size === 0 || this.#looking !== undefined) return;
    this.#looking = this.#lookNow().finally(() => {
      this.#looking = undefined;
      this.#look([]);
    });
  }

  async #lookNow(): Promise<void> {
    const ids = [...this.#due].filter((id) => this.#topics.of(id) !== undefined);
    this.#due.clear();
    if (ids.length === 0) return;
    const flowIds = ids.flatMap((id) => [...(this.#topics.of(id)?.followers ?? [])].flatMap(({ flowId }) => flowId ?? []));
    try {
      const found = await readFollowed(this.ports.store, ids, [...new Set(flowIds)]);
      for (const id of ids) this.#show(id, found.get(id));
    } catch (error) {
      this.ports.onFault(error);
    }
  }

  #show(connectionId: string, followed: Followed | undefined): void {
    const topic = this.#topics.of(connectionId);
    if (topic === undefined) return;
    try {
      for (const message of this.#messagesOf(followed)) this.#offer(topic, message);
    } catch (error) {
      this.ports.onFault(error);
      for (const follower of topic.followers) this.#fail(follower, toApiError(error));
    }
    // A running flow of a deleted connection is about to be canceled, and its followers wait for that (D49).
    if (followed?.deleted !== false) for (const follower of topic.followers) if (follower.flowId === null) follower.end();
  }

  #messagesOf(followed: Followed | undefined): StateMessage[] {
    return (followed?.flows ?? []).map((flow) => storedState(flow, this.ports.store));
  }

  #fail(follower: Follower, error: ApiError): void {
    follower.fail(errorFrame(errorBody(error), new Date()));
  }
}
