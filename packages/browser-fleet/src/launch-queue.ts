import { type JobsOptions, Queue } from 'bullmq';

/** Name of the queue from which browser hosts pull launches. */
export const launchQueueName = 'berth-launches';

/** Ids only: whatever a host needs more is read from the session's row. The job id is the session id, so one session is queued once. */
export interface LaunchJob {
  readonly sessionId: string;
}

/** A launch is tried once: the caller waits for it and gives up by itself, so a late second try would start a browser nobody asked for. */
export const launchJobOptions: JobsOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** A launch may take this much longer than its deadline before its slot lapses. */
const graceAfterLaunchMs = 2_000;

/**
 * For how many ms a slot is taken for a browser that is still to be launched: nobody renews it until a host has claimed the launch, so it
 * must not lapse before the launch is over.
 */
export const launchLeaseMs = ({ leaseSeconds, launchTimeoutSeconds }: { leaseSeconds: number; launchTimeoutSeconds: number }): number =>
  Math.max(leaseSeconds * 1_000, launchTimeoutSeconds * 1_000 + graceAfterLaunchMs);

/**
 * BullMQ's own way waits up to 20 s after an outage, and so long every create would be 503, or wait for a host that hears nothing. Answers
 * ms.
 */
export const reconnectSoon = (attempt: number): number => Math.min(50 * attempt, 500);

export type LaunchQueue = Queue<LaunchJob, void, string>;

/**
 * One process's way to ask for browsers, on a Redis connection of its own; `onError` hears of every lost connection. Close it at the end.
 */
export function openLaunchQueue(redisUrl: string, onError: (error: Error) => void = () => undefined): LaunchQueue {
  // Without an offline queue a launch fails at once while Redis is away, instead of starting a browser after its caller was told 503.
  const queue: LaunchQueue = new Queue(launchQueueName, {
    connection: { url: redisUrl, enableOfflineQueue: false, maxRetriesPerRequest: 0, retryStrategy: reconnectSoon },
  });
  queue.on('error', onError);
  return queue;
}

/** Asks the hosts for the browser of a row that is `starting`. Repeating it queues nothing twice. */
export async function requestLaunch(queue: LaunchQueue, sessionId: string): Promise<void> {
  await queue.add('launch', { sessionId }, { ...launchJobOptions, jobId: sessionId });
}

/**
 * Takes a launch back so that no host finds it later. A host that has it in hand already is stopped by the row: it may announce a browser
 * only while the row is `starting`, so end the row as well (`requestEnd`).
 */
export async function cancelLaunch(queue: LaunchQueue, sessionId: string): Promise<void> {
  await queue.remove(sessionId);
}
