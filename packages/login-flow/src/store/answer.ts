import { type LoginFlowRow, newId } from '@berth/database';
import type { SubmitLogin } from '@berth/schema';
import { step } from '../step.js';
import { Answer, readSubmission, type Submission } from '../submission.js';
import { flowDeadline, stateOf } from '../view.js';
import { commitState } from './commit.js';
import { expire } from './end.js';
import { access, announce, type FlowStore } from './flow-store.js';
import { readFlow } from './read.js';

const purpose = 'login-answer';

export type Stored = { readonly kind: 'stored'; readonly flow: LoginFlowRow } | Extract<Submission, { kind: 'refused' }>;

/**
 * Takes a submit for a flow, as it was when the caller looked (D41); null where a connection has none. Stored means in Postgres, sealed, and
 * the flow is SUBMITTING; a second submit for the same pause is then stale. A flow found past its deadline is closed first.
 */
export async function storeAnswer(store: FlowStore, seen: LoginFlowRow | null, body: SubmitLogin): Promise<Stored> {
  // A commit is refused only because the flow has moved, so every round meets a newer state; the worker cannot move it forever.
  for (let flow = seen; ; flow = flow && (await readFlow(store, flow.id))) {
    if (flow !== null && flow.status === 'IN_PROGRESS' && flowDeadline(flow) <= new Date()) {
      await expire(store, flow);
      continue;
    }
    const state = flow === null ? null : stateOf(flow);
    const submission = readSubmission(body, state);
    if (submission.kind === 'refused' || flow === null || state === null) return submission as Extract<Submission, { kind: 'refused' }>;
    const stored = await commitState(access(store).pool, flow, step(state, { kind: 'submit' }, newId), store.pauseMs, {
      sealedAnswer: store.sealer.sealJson(purpose, submission.answer),
      answeredInteractionId: state.interactionId ?? null,
    });
    if (stored === null) continue;
    announce(store, stored);
    return { kind: 'stored', flow: stored };
  }
}

/** The accepted answer that waits in the row, opened; null when there is none. It stays there until `commitIntent`. */
export function answerIn(store: FlowStore, flow: LoginFlowRow): Answer | null {
  return flow.sealedAnswer === null ? null : Answer.parse(store.sealer.openJson(purpose, flow.sealedAnswer));
}
