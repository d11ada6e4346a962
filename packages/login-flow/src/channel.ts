import { LoginStateEvent } from '@berth/schema';
import { z } from 'zod';

/** Redis channel on which stored states of one connection are published after their commit. */
export const connectionChannel = (connectionId: string): string => `berth:connection:${connectionId}`;

/**
 * Redis channel on which the worker that holds a flow hears that the row has changed: an answer is stored, or the flow has ended. Carries
 * the sequence.
 */
export const answerChannel = (flowId: string): string => `berth:flow:${flowId}`;

/** A stored state on its way to followers. `sequence` orders it; `state` is the event as it is sent. */
export const PublishedState = z.object({ flowId: z.string(), sequence: z.number().int(), state: LoginStateEvent });
export type PublishedState = z.infer<typeof PublishedState>;

/**
 * Published on a connection's channel instead of a state: something about the connection has changed, so whoever follows it reads what is
 * stored.
 */
export const lookAgain = 'look';
