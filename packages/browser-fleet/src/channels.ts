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

/** What publishing needs of a Redis connection. */
export interface Publisher {
  publish(channel: string, message: string): Promise<unknown>;
}

/** Tells who waits for the session. Losing it costs them only the time to their next own look, so a failure is not one. */
export async function announceSession(redis: Publisher, notice: SessionNotice): Promise<void> {
  await redis.publish(sessionChannel, JSON.stringify(notice)).catch(() => undefined);
}

/** Asks a host to look at a session's row now. Lost, the host sees it at its own next look, at most a third of a lease later. */
export async function notifyHost(redis: Publisher, hostId: string, sessionId: string): Promise<void> {
  await redis.publish(hostChannel(hostId), JSON.stringify({ sessionId } satisfies HostNotice)).catch(() => undefined);
}

/** What asking for listeners needs of a Redis connection. */
export interface Listeners {
  pubsub(subcommand: 'NUMSUB', channel: string): Promise<unknown>;
}

/** Whether a process listens as this host: the connection of one that was killed is gone with it. */
export async function hostListens(redis: Listeners, hostId: string): Promise<boolean> {
  const [, listeners] = (await redis.pubsub('NUMSUB', hostChannel(hostId))) as readonly [string, number];
  return Number(listeners) > 0;
}

/** The notice in a message, or undefined: a stranger on the channel must not break the listener. */
export function parseNotice<T>(schema: z.ZodType<T>, message: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
}
