import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type LaunchJob, launchQueueName, reconnectSoon } from '@berth/browser-fleet';
import type { Logger } from '@berth/logging';
import { type Job, Worker } from 'bullmq';
import type { Sessions } from './sessions.js';

const pauseAfterFaultMs = 500;

/**
 * A host has a job until it has claimed the row. One that is killed before leaves it to the others after this long, and the check for such
 * jobs comes as often as the second number says: both well within a launch's deadline.
 */
const jobHeldMs = 2_000;
const lostJobsEveryMs = 1_000;

/**
 * Takes launches from the queue whenever this host has room, one at a time: hosts pull, so whoever has room is found without a scheduler. A
 * job is done once its row is claimed; from there on the row is the truth.
 */
export class LaunchPuller {
  readonly #worker: Worker<LaunchJob, void>;
  readonly #token = randomUUID();
  #stopping = false;

  constructor(
    redisUrl: string,
    private readonly sessions: Sessions,
    private readonly logger: Logger,
  ) {
    this.#worker = new Worker<LaunchJob, void>(launchQueueName, null, {
      connection: { url: redisUrl, maxRetriesPerRequest: null, retryStrategy: reconnectSoon },
      autorun: false,
      lockDuration: jobHeldMs,
      stalledInterval: lostJobsEveryMs,
    });
    this.#worker.on('error', (error) => logger.warn({ err: error }, 'launch queue'));
  }

  start(): void {
    void this.#worker.startStalledCheckTimer();
    void this.#pull();
  }

  /** Takes no more launches; one that arrives at this moment goes back to the queue. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#worker.close(true);
  }

  async #pull(): Promise<void> {
    while (!this.#stopping) {
      await this.sessions.untilRoom();
      if (this.#stopping) return;
      try {
        const job = (await this.#worker.getNextJob(this.#token)) as Job<LaunchJob, void> | undefined;
        if (job !== undefined) await this.#take(job);
      } catch (error) {
        if (this.#stopping) return;
        this.logger.warn({ err: error }, 'launches cannot be taken');
        await delay(pauseAfterFaultMs);
      }
    }
  }

  async #take(job: Job<LaunchJob, void>): Promise<void> {
    if (this.#stopping) {
      await job.moveToWait(this.#token);
      return;
    }
    await this.sessions.launch(job.data.sessionId);
    await job.moveToCompleted(undefined, this.#token, false);
  }
}
