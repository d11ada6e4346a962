import { eventOf, type FollowedFlow, isTerminal, type ViewContext } from '@berth/login-flow';
import { type Frame, stateFrame } from './frames.js';

/** One stored state on its way to followers, serialised once for all of them. */
export interface StateMessage {
  readonly flowId: string;
  readonly sequence: number;
  /** No state of this flow follows; the stream ends behind it. */
  readonly terminal: boolean;
  readonly frame: Frame;
}

/** Publishers write `state` last, so its text can be taken over as it is instead of being serialised again. */
const stateKey = ',"state":';

function isPublished(
  value: unknown,
): value is {
  readonly flowId: string;
  readonly sequence: number;
  readonly state: { readonly flow_status: Parameters<typeof isTerminal>[0] };
} {
  if (typeof value !== 'object' || value === null || !('flowId' in value) || !('sequence' in value) || !('state' in value)) return false;
  return (
    typeof value.flowId === 'string' &&
    typeof value.sequence === 'number' &&
    typeof value.state === 'object' &&
    value.state !== null &&
    'flow_status' in value.state
  );
}

/** A published state, or undefined for anything else on the channel: then the stored state is looked at. */
export function publishedState(text: string): StateMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isPublished(value)) return undefined;
  const start = text.indexOf(stateKey);
  const json = start === -1 || !text.endsWith('}}') ? JSON.stringify(value.state) : text.slice(start + stateKey.length, -1);
  return {
    flowId: value.flowId,
    sequence: value.sequence,
    terminal: isTerminal(value.state.flow_status),
    frame: stateFrame(value.sequence, json),
  };
}

/** The same from the stored row. @throws when the row does not hold a state. */
export function storedState(flow: FollowedFlow, context: ViewContext): StateMessage {
  return {
    flowId: flow.id,
    sequence: flow.sequence,
    terminal: isTerminal(flow.status),
    frame: stateFrame(flow.sequence, JSON.stringify(eventOf(flow, context))),
  };
}
