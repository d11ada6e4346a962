import { type JobsOptions, Queue } from 'bullmq';

/** Name of the queue from which workers take login flows. */
export const loginQueueName = 'berth-logins';

/**
 * Ids only. Everything else is read from the flow's row; secrets never travel in a payload (D45). `epoch` is the row's owner epoch when the
 * job was made: a worker takes the flow over only from that owner, so a job that comes back late does nothing.
 */
export interface LoginJob {
  readonly flowId: string;
  readonly epoch: number;
}

/** Derived from the flow and its owner epoch, so that a sweep which enqueues a lost flow again cannot double a queued one. */
export const loginJobId = ({ flowId, epoch }: LoginJob): string => `${flowId}-${epoch}`;

/** Options of the job; what follows a lost job is the sweep's decision, not a retry of the queue. */
export const loginJobOptions = (job: LoginJob): JobsOptions => ({
  jobId: loginJobId(job),
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: true,
});

/**
 * One process's way to put flows before the workers, on a Redis connection of its own; `onError` hears of every lost connection. Close it
 * at the end.
 */
export function openLoginQueue(redisUrl: string, onError: (error: Error) => void = () => undefined): Queue<LoginJob> {
  // An enqueue fails at once while Redis is away and within a second while it hangs. The sweep repeats it, and it must not wait for Redis
  // while it holds its lock.
  const queue = new Queue<LoginJob>(loginQueueName, {
    connection: { url: redisUrl, enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 1_000 },
  });
  queue.on('error', onError);
  return queue;
}

/** A worker says that it lives every `renewMs`; a flow without a sign of life for `lostAfterMs` is given to another worker. */
export const ownerLease = { renewMs: 1_000, lostAfterMs: 5_000 } as const;
