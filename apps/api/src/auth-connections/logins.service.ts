import { Inject, Injectable } from '@nestjs/common';
import { type AuthConnectionRow, databaseOutage, type LoginFlowRow, newId, type ProjectScope } from '@berth/database';
import {
  cancelFlow,
  closeFlow,
  closeOverdue,
  eventOf,
  flowDeadline,
  type FlowStore,
  isRunning,
  type Standing,
  startFlow,
  storeAnswer,
  type Stored,
} from '@berth/login-flow';
import type { LoginStarted, StartLogin, SubmitLogin } from '@berth/schema';
import { Fleet } from '../admission/fleet.js';
import { type Slot, Slots } from '../admission/slots.js';
import { ApiError, notFound } from '../errors/api-error.js';
import { refuseUnsupported } from './connection-choices.js';
import { FLOW_STORE, LoginQueue } from './flow-store.module.js';

const flowInProgress = (): ApiError =>
  new ApiError('flow_in_progress', 'A login flow is running for this connection: answer it with submit, or end it with cancel.');
const noActiveFlow = (): ApiError => new ApiError('no_active_flow', 'No login flow is running for this connection; start one with login.');

/** @throws ApiError in the order and with the codes of D41. */
function assertStored(stored: Stored): void {
  if (stored.kind === 'stored') return;
  throw new ApiError(
    stored.code,
    stored.message,
    stored.allowed.length === 0 ? {} : { details: stored.allowed.map((id) => ({ code: 'allowed', message: id })) },
  );
}

/** Login flows, as callers begin, answer and cancel them. */
@Injectable()
export class LoginsService {
  constructor(
    @Inject(FLOW_STORE) private readonly store: FlowStore,
    @Inject(LoginQueue) private readonly queue: LoginQueue,
    @Inject(Slots) private readonly slots: Slots,
    @Inject(Fleet) private readonly fleet: Fleet,
  ) {}

  /**
   * Slot, then flow and session rows, then launch and job (D38). Whatever fails after the slot gives it back; after the rows, the flow ends
   * with it.
   * @throws ApiError bad_request, not_found, flow_in_progress, concurrency_limit_exceeded, usage_unavailable
   */
  async start(scope: ProjectScope, standing: Standing, body: StartLogin): Promise<LoginStarted> {
    refuseUnsupported(body);
    const slot = await this.#takeSlot(scope, standing);
    const flow = await this.#begin(slot, standing);
    try {
      await this.slots.confirm(slot);
      // A job that is lost here is queued again by the sweep, like one that Redis loses later; one whose launch failed finds its flow
      // ended.
      await Promise.all([
        this.fleet.launch(slot.sessionId),
        this.queue.enqueue({ flowId: flow.id, epoch: flow.ownerEpoch }).catch(() => undefined),
      ]);
    } catch (error) {
      await closeFlow(this.store, flow, {
        kind: 'fail',
        code: 'browser_error',
        message: 'The browser for this login could not be started.',
      });
      throw error;
    }
    const { hosted_url: hostedUrl = '' } = eventOf(flow, this.store);
    return { id: standing.connectionId, flow_type: flow.type, flow_expires_at: flowDeadline(flow).toISOString(), hosted_url: hostedUrl };
  }

  /** A running flow is told before the cap is (D7). One past its deadline may itself hold the last slot: then it is closed first. */
  async #takeSlot(scope: ProjectScope, standing: Standing): Promise<Slot> {
    if (isRunning(standing)) throw flowInProgress();
    try {
      return await this.slots.take(scope, newId());
    } catch (error) {
      const isOverdue = standing.flow?.status === 'IN_PROGRESS';
      if (!isOverdue || !(error instanceof ApiError) || error.code !== 'concurrency_limit_exceeded') throw error;
      await closeOverdue(this.store, scope, standing.connectionId);
      return this.slots.take(scope, newId());
    }
  }

  async #begin(slot: Slot, standing: Standing): Promise<LoginFlowRow> {
    const { scope, sessionId } = slot;
    const { connectionId } = standing;
    try {
      const started = await startFlow(this.store, scope, { connectionId, type: 'LOGIN', sessionId, headless: true }, standing);
      if (started.kind === 'started') return started.flow;
      throw started.kind === 'not_found' ? notFound() : flowInProgress();
    } catch (error) {
      // Whether the rows were written is not known then: they keep the slot if they were, and it lapses if they were not.
      if (databaseOutage(error) === undefined) await this.slots.giveBack(slot);
      throw error;
    }
  }

  /**
   * To the flow as the request's path named it: a connection's newest, or that of a hosted link. 202 means stored in PostgreSQL.
   * @throws ApiError no_active_flow, stale_interaction, invalid_submission
   */
  async submit(flow: LoginFlowRow | null, body: SubmitLogin): Promise<void> {
    assertStored(await storeAnswer(this.store, flow, body));
  }

  /** @throws ApiError no_active_flow */
  async cancel(scope: ProjectScope, { id }: AuthConnectionRow): Promise<void> {
    if ((await cancelFlow(this.store, scope, id)) === null) throw noActiveFlow();
  }
}
