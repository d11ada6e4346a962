import { Inject, Injectable } from '@nestjs/common';
import { type AuthConnectionRow, databaseOutage, type LoginFlowRow, newId, type ProjectScope } from '@berth/database';
import {
  cancelFlow,
  closeFlow,
  closeOverdue,
  eventOf,
  flowDeadline,
  type FlowStore,
  readCurrentFlow,
  startFlow,
  storeAnswer,
  storeHostedAnswer,
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

function isOverdue(flow: LoginFlowRow): boolean {
  return flowDeadline(flow) <= new Date();
}

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
   * Slot, then flow and session rows, then launch and job (D38). Whatever fails after the slot gives it back; after the rows, the flow ends with it.
   * @throws ApiError bad_request, not_found, flow_in_progress, concurrency_limit_exceeded, usage_unavailable
   */
  async start(scope: ProjectScope, { id: connectionId }: AuthConnectionRow, body: StartLogin): Promise<LoginStarted> {
    refuseUnsupported(body);
    const slot = await this.#takeSlot(scope, connectionId);
    const flow = await this.#begin(slot, connectionId);
    try {
      await this.slots.confirm(slot);
      // A job that is lost here is queued again by the sweep, like one that Redis loses later; one whose launch failed finds its flow ended.
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
    return { id: connectionId, flow_type: flow.type, flow_expires_at: flowDeadline(flow).toISOString(), hosted_url: hostedUrl };
  }

  /** A running flow is told before the cap is (D7). One past its deadline may itself hold the last slot: then it is closed first. */
  async #takeSlot(scope: ProjectScope, connectionId: string): Promise<Slot> {
    const current = await readCurrentFlow(this.store, scope, connectionId);
    const running = current?.status === 'IN_PROGRESS';
    if (running && !isOverdue(current)) throw flowInProgress();
    try {
      return await this.slots.take(scope, newId());
    } catch (error) {
      if (!running || !(error instanceof ApiError) || error.code !== 'concurrency_limit_exceeded') throw error;
      await closeOverdue(this.store, scope, connectionId);
      return this.slots.take(scope, newId());
    }
  }

  async #begin(slot: Slot, connectionId: string): Promise<LoginFlowRow> {
    try {
      const started = await startFlow(this.store, slot.scope, { connectionId, type: 'LOGIN', sessionId: slot.sessionId, headless: true });
      if (started.kind === 'started') return started.flow;
      throw started.kind === 'not_found' ? notFound() : flowInProgress();
    } catch (error) {
      // Whether the rows were written is not known then: they keep the slot if they were, and it lapses if they were not.
      if (databaseOutage(error) === undefined) await this.slots.giveBack(slot);
      throw error;
    }
  }

  /** 202 means stored in PostgreSQL. @throws ApiError no_active_flow, stale_interaction, invalid_submission */
  async submit(scope: ProjectScope, { id }: AuthConnectionRow, body: SubmitLogin): Promise<void> {
    assertStored(await storeAnswer(this.store, scope, id, body));
  }

  /** The same from the hosted page, for the flow of its link. */
  async submitHosted(flowId: string, body: SubmitLogin): Promise<void> {
    assertStored(await storeHostedAnswer(this.store, flowId, body));
  }

  /** @throws ApiError no_active_flow */
  async cancel(scope: ProjectScope, { id }: AuthConnectionRow): Promise<void> {
    if ((await cancelFlow(this.store, scope, id)) === null) throw noActiveFlow();
  }
}
