import { Inject, Injectable } from '@nestjs/common';
import { accessChannel } from '@berth/database';
import type { FlowStore } from '@berth/login-flow';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { FLOW_STORE } from '../auth-connections/flow-store.module.js';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { ApiError, notFound } from '../errors/api-error.js';
import { AccessChecks } from '../request/access-checks.js';
import { Drain } from '../health/drain.js';
import { FaultLog } from '../health/fault-log.js';
import { Metrics } from '../health/metrics.js';
import { SUBSCRIBER } from '../stores.module.js';
import { lastSequence } from './frames.js';
import { type FollowRequest, Relay } from './relay.js';
import { untilItsTurn } from './stream-connection.js';

/**
 * Answers requests with event streams. Everything up to the first byte is an ordinary request with an ordinary status; behind it the reply
 * is the relay's.
 */
@Injectable()
export class EventStreams {
  readonly #relay: Relay;

  constructor(
    @Inject(API_CONFIG) config: ApiConfig,
    @Inject(FLOW_STORE) store: FlowStore,
    @Inject(SUBSCRIBER) subscriber: Redis,
    @Inject(AccessChecks) checks: AccessChecks,
    @Inject(FaultLog) faults: FaultLog,
    @Inject(Metrics) metrics: Metrics,
    @Inject(Drain) private readonly drain: Drain,
  ) {
    // Streams end cleanly, and their clients come back elsewhere (D55).
    drain.onStop(() => this.#relay.close());
    const onFault = faults.of('event streams: what is stored could not be read or shown');
    this.#relay = new Relay({ store, listener: subscriber, checks, heartbeatMs: config.sseHeartbeatSeconds * 1_000, onFault });
    metrics.gauge('berth_event_streams', 'Event streams that are open in this process.', () => this.counts.followers);
    metrics.gauge(
      'berth_event_subscriptions',
      'Connections whose states this process listens for in Redis.',
      () => this.counts.subscriptions,
    );
    subscriber.on('message', (channel: string, organizationId: string) => {
      if (channel === accessChannel) this.#relay.accessChanged(organizationId).catch(onFault);
    });
  }

  /** How many streams, subscriptions and timers there are. */
  get counts(): Relay['counts'] {
    return this.#relay.counts;
  }

  /** @throws ApiError not_found, service_unavailable; both before anything is sent. */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    what: Pick<FollowRequest, 'connectionId' | 'flowId' | 'grant'>,
  ): Promise<void> {
    // A body that nobody reads would hide that the client has left.
    request.raw.resume();
    await untilItsTurn(reply.raw);
    const opening = await this.#relay
      .follow({ ...what, response: reply.raw, lastSequence: lastSequence(request.headers['last-event-id']) })
      .catch((cause: unknown) => {
        throw new ApiError('service_unavailable', 'The state of the login cannot be read right now. Try again.', { cause });
      });
    if (opening.kind === 'not_found') throw notFound();
    if (opening.kind === 'seen') return void reply.status(204).send();
    reply.hijack();
    this.drain.leaveOut(reply.raw);
    if (opening.kind === 'gone') return void reply.raw.destroy();
    opening.open({ 'X-Request-Id': request.id });
  }
}
