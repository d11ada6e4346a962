import type { JobsOptions } from 'bullmq';

/** Name of the queue from which workers take login flows. */
export const loginQueueName = 'berth-logins';

/**
 * Ids only. Everything else is read from the flow's row; secrets never travel in a payload (D45). `epoch` is the row's owner epoch when the job was made: a
 * worker takes the flow over only from that owner, so a job that comes back late does nothing.
 */
export interface LoginJob {
  readonly flowId: string;
  readonly epoch: number;
}

/** Derived from the flow and its owner epoch, so that a sweep which enqueues a lost flow again cannot double a queued one. */
export const loginJobId = ({ flowId, epoch }: LoginJob): string => `${flowId}-${epoch}`;

/** Options of the job; what follows a lost job is the sweep's decision, not a retry of the queue. */
export const loginJobOptions = (job: LoginJob): JobsOptions => ({ jobId: loginJobId(job), attempts: 1, removeOnComplete: true, removeOnFail: true });

/** A worker says that it lives every `renewMs`; a flow without a sign of life for `lostAfterMs` is given to another worker. */
export const ownerLease = { renewMs: 1_000, lostAfterMs: 5_000 } as const;
