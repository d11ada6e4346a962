import { z } from 'zod';

/**
 * Redis channel on which hosts tell what became of sessions. A message is a hint to look at the row, which alone is the truth; whoever
 * waits also looks by itself now and then, because pub/sub may lose messages.
 */
export const sessionChannel = 'berth:sessions';

export const SessionNotice = z.object({
  sessionId: z.string(),
  /** `running`: the row carries the host's addresses. `ended`: the row is ended and its slot free. */
  status: z.enum(['running', 'ended']),
});
export type SessionNotice = z.infer<typeof SessionNotice>;

/** Redis channel on which one host is asked to look at a session's row now (it is `ending`, or was changed). */
export const hostChannel = (hostId: string): string => `berth:host:${hostId}`;

export const HostNotice = z.object({ sessionId: z.string() });
export type HostNotice = z.infer<typeof HostNotice>;
