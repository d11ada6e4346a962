import { LoginStateEvent } from '@berth/schema';
import { z } from 'zod';

/** Redis channel on which stored states of one connection are published after their commit. */
export const connectionChannel = (connectionId: string): string => `berth:connection:${connectionId}`;

/** Redis channel on which the worker that waits for an answer is told that one is stored (or that the flow ended). */
export const answerChannel = (flowId: string): string => `berth:flow:${flowId}`;

/** A stored state on its way to followers. `sequence` orders it; `state` is the event as it is sent. */
export const PublishedState = z.object({ flowId: z.string(), sequence: z.number().int(), state: LoginStateEvent });
export type PublishedState = z.infer<typeof PublishedState>;
