import type { JobsOptions } from 'bullmq';

/** Name of the queue from which browser hosts pull launches. */
export const launchQueueName = 'berth-launches';

/** Ids only: whatever a host needs more is read from the session's row. The job id is the session id, so one session is queued once. */
export interface LaunchJob {
  readonly sessionId: string;
}

/** A launch is tried once: the caller waits for it and gives up by itself, so a late second try would start a browser nobody asked for. */
export const launchJobOptions: JobsOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };
