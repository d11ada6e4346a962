import { isDeepStrictEqual } from 'node:util';
import type { FlowErrorCode, FlowStep } from '@berth/schema';
import { interactionIdFor, isActionable } from './interaction.js';
import type { FlowState, Offer } from './state.js';
import { endings, followers, isPause, isTerminal } from './transitions.js';

/** What can happen to a flow. Texts are masked by whoever makes the event (D45). */
export type FlowEvent =
  /** The page has moved on and is being read. */
  | { readonly kind: 'discover' }
  /** The page asks for something that only a person can give. At least one field or choice. */
  | { readonly kind: 'ask'; readonly offer: Offer; readonly websiteError?: string | undefined }
  /** The person must act elsewhere; what the page offers meanwhile may be empty. */
  | { readonly kind: 'wait'; readonly message: string; readonly offer: Offer; readonly websiteError?: string | undefined }
  /** An answer was accepted, or known values are being sent. */
  | { readonly kind: 'submit' }
  | { readonly kind: 'succeed'; readonly postLoginUrl: string }
  | { readonly kind: 'fail'; readonly code: FlowErrorCode; readonly message: string; readonly websiteError?: string | undefined }
  | { readonly kind: 'expire' }
  | { readonly kind: 'cancel' };

const websiteErrorLength = 500;
const noOffer: Offer = { fields: [], choices: [] };

function enter(
  state: FlowState,
  step: FlowStep,
  offer: Offer,
  mint: () => string,
  texts: Pick<FlowState, 'externalActionMessage' | 'websiteError'> = {},
): FlowState {
  if (!followers[state.step].includes(step)) return state;
  const next: FlowState = {
    status: 'IN_PROGRESS',
    step,
    fields: [...offer.fields],
    choices: [...offer.choices],
    ...(texts.externalActionMessage !== undefined && { externalActionMessage: texts.externalActionMessage }),
    ...(texts.websiteError !== undefined && { websiteError: texts.websiteError.slice(0, websiteErrorLength) }),
  };
  const interactionId = interactionIdFor(state, next, mint);
  const entered = interactionId === undefined ? next : { ...next, interactionId };
  return isPause(step) && isDeepStrictEqual(state, entered) ? state : entered;
}

/** An end that keeps the step reached; the last text of the website stays readable. */
function end(state: FlowState, status: (typeof endings)[number], outcome: Partial<FlowState> = {}): FlowState {
  const { step, websiteError } = state;
  return { status, step, fields: [], choices: [], ...(websiteError !== undefined && { websiteError }), ...outcome };
}

/**
 * The state after `event` (D40, D58, D60). Pure: `mint` gives new interaction ids. Answers `state` itself, the same object, when nothing
 * changes: the flow has ended, or the table does not let the step follow.
 */
export function step(state: FlowState, event: FlowEvent, mint: () => string): FlowState {
  if (isTerminal(state.status)) return state;
  switch (event.kind) {
    case 'discover':
      return enter(state, 'DISCOVERING', noOffer, mint);
    case 'ask':
      if (!isActionable(event.offer)) throw new TypeError('a pause for input must offer a field or a choice');
      return enter(state, 'AWAITING_INPUT', event.offer, mint, { websiteError: event.websiteError });
    case 'wait':
      return enter(state, 'AWAITING_EXTERNAL_ACTION', event.offer, mint, {
        externalActionMessage: event.message,
        websiteError: event.websiteError,
      });
    case 'submit':
      return enter(state, 'SUBMITTING', noOffer, mint);
    case 'succeed':
      return { status: 'SUCCESS', step: 'COMPLETED', fields: [], choices: [], postLoginUrl: event.postLoginUrl };
    case 'fail':
      return end(state, 'FAILED', {
        errorCode: event.code,
        errorMessage: event.message,
        ...(event.websiteError !== undefined && { websiteError: event.websiteError.slice(0, websiteErrorLength) }),
      });
    case 'expire':
      return end(state, 'EXPIRED');
    case 'cancel':
      return end(state, 'CANCELED');
  }
}
