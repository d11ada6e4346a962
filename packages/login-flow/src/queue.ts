import type { JobsOptions } from 'bullmq';

/** Name of the queue from which workers take login flows. */
export const loginQueueName = 'berth-logins';

/** The flow's id only. Everything else is read from its row; secrets never travel in a payload (D45). */
export interface LoginJob {
  readonly flowId: string;
}

/** The job id is derived from the flow and its owner epoch, so that a sweep which enqueues a lost flow again cannot double a queued one. */
export const loginJobId = (flowId: string, epoch: number): string => `${flowId}-${epoch}`;

export const loginJobOptions: JobsOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };
