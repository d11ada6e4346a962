import {
  claimFlow,
  type ClaimedFlow,
  closeFlow,
  finishSaved,
  FlowLost,
  type FlowStore,
  handOver,
  type LoginJob,
  loginJobOptions,
  loginQueueName,
  readFlow,
} from '@berth/login-flow';
import { databaseOutage } from '@berth/database';
import { unscoped } from '@berth/database/unscoped';
import type { Logger } from '@berth/logging';
import { type Job, type Queue, Worker } from 'bullmq';
import { PageGone, PageSilent, type QuietLimits } from '../page/page-port.js';
import { BrowserTime } from './browser-time.js';
import { failures } from './decide.js';
import type { Hold, Holds } from './holds.js';
import type { OpenCredential } from './known-values.js';
import { type BrowserPorts, connectTo, type LoginBrowser, untilLaunched } from './login-browser.js';
import { LoginRun, Stopping } from './run-login.js';
import { credentialPurposes, saveOutcome } from './save-outcome.js';
import type { Classify } from './settle.js';

export interface ProcessorPorts {
  readonly store: FlowStore;
  readonly holds: Holds;
  readonly browsers: BrowserPorts;
  readonly queue: Queue<LoginJob>;
  readonly classify: Classify;
  readonly quiet: QuietLimits;
  readonly maxSteps: number;
  readonly logger: Logger;
  /** Hears how each job ended, for the metrics. */
  onEnd(outcome: 'done' | 'lost' | 'handed_over' | 'failed'): void;
}

/** Times a flow may lose its page in one worker and be taken up again before its browser counts as broken. */
const mostReconnects = 3;
/** A website that has not answered twice as long as a connection may take is away. */
const mostSilences = 2;
const handOverWithinMs = 10_000;

/** The edge between the login queue and the runs. A job holds its flow from claim to end; a pause costs a timer and a subscription. */
export class LoginProcessor {
  #worker: Worker<LoginJob> | undefined;
  readonly #running = new Set<Promise<void>>();

  constructor(private readonly ports: ProcessorPorts) {}

  /** Begins to take jobs. */
  open(redisUrl: string, concurrency: number): void {
    this.#worker = new Worker<LoginJob>(loginQueueName, (job) => this.#process(job), {
      connection: { url: redisUrl, maxRetriesPerRequest: null },
      concurrency,
      lockDuration: 15_000,
      stalledInterval: 5_000,
    });
    this.#worker.on('error', (error) => this.ports.logger.warn({ err: error }, 'login queue'));
  }

  /** Takes no more jobs, hands every flow over to another worker, within 10 s (D55). */
  async close(): Promise<void> {
    const closing = this.#worker?.close();
    this.ports.holds.stop();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, handOverWithinMs);
    });
    await Promise.race([Promise.all(this.#running), late]);
    clearTimeout(timer);
    await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    this.ports.holds.close();
  }

  async #process(job: Job<LoginJob>): Promise<void> {
    const run = this.#take(job.data);
    this.#running.add(run);
    await run.finally(() => this.#running.delete(run));
  }

  async #take(job: LoginJob): Promise<void> {
    const { store, holds, logger } = this.ports;
    const claimed = await claimFlow(store, job);
    if (claimed === null) return;
    const { flow } = claimed;
    const hold = holds.add(flow.id, flow.ownerEpoch, flow.sequence);
    const time = new BrowserTime();
    try {
      await this.#drive(claimed, hold, time);
      this.ports.onEnd('done');
    } catch (error) {
      await this.#afterFault(hold, error);
    } finally {
      holds.drop(hold);
      logger.debug({ flow: flow.id, epoch: flow.ownerEpoch, browser_spans: time.spans }, 'flow let go');
    }
  }

  /** Runs the flow, connecting again while its browser still lives. */
  async #drive(claimed: ClaimedFlow, hold: Hold, time: BrowserTime): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const flow = attempt === 1 ? claimed.flow : await readFlow(this.ports.store, claimed.flow.id);
      if (flow === null || flow.status !== 'IN_PROGRESS') return;
      if (flow.ownerEpoch !== hold.epoch) throw new FlowLost(flow.id);
      if (flow.savedAt !== null) {
        await finishSaved(this.ports.store, flow);
        return;
      }
      try {
        await this.#runIn({ ...claimed, flow }, hold, time);
        return;
      } catch (error) {
        const most = error instanceof PageSilent ? mostSilences : mostReconnects;
        if (!isPassing(error) || attempt >= most || hold.look(flow.sequence) === 'browser_gone') throw error;
        this.ports.logger.warn({ flow: flow.id, attempt }, 'page lost, connecting again');
      }
    }
  }

  async #runIn(claimed: ClaimedFlow, hold: Hold, time: BrowserTime): Promise<void> {
    const { browsers, logger, classify, quiet, maxSteps } = this.ports;
    const store: FlowStore = { ...this.ports.store, endBrowser: (ended) => time.spend(() => this.ports.store.endBrowser(ended)) };
    const { flow, connection } = claimed;
    if (flow.browserSessionId === null) throw new PageGone();
    const [launched, credential] = await Promise.all([
      untilLaunched(browsers, flow.browserSessionId),
      this.#credentialOf(connection.credentialId),
    ]);
    const browser: LoginBrowser = await time.spend(() => connectTo(browsers, launched));
    try {
      const run = new LoginRun(
        {
          store,
          logger,
          classify,
          quiet,
          maxSteps,
          credential,
          untilPageMoves: (maxMs) => browser.page.waitForChange(maxMs),
          save: (row, outcome) =>
            saveOutcome(
              store,
              row,
              time.spend(() => browser.profile()),
              outcome,
            ),
        },
        claimed,
        hold,
        time.of(browser.page),
      );
      await run.run();
    } finally {
      await browser.disconnect();
    }
  }

  async #credentialOf(id: string | null): Promise<OpenCredential | null> {
    const { store } = this.ports;
    const row = id === null ? null : await unscoped(store.database).prisma.credential.findFirst({ where: { id, deletedAt: null } });
    if (row === null) return null;
    return {
      values: row.sealedValues === null ? {} : store.sealer.openJson<Record<string, string>>(credentialPurposes.values, row.sealedValues),
      totpSecret:
        row.sealedTotpSecret === null ? null : store.sealer.open(credentialPurposes.totpSecret, row.sealedTotpSecret).toString('utf8'),
    };
  }

  async #afterFault(hold: Hold, error: unknown): Promise<void> {
    const { store, logger, queue } = this.ports;
    if (error instanceof FlowLost) {
      this.ports.onEnd('lost');
      return;
    }
    if (error instanceof Stopping) {
      const job = await handOver(store, hold);
      if (job !== null) await queue.add('login', job, loginJobOptions(job));
      this.ports.onEnd('handed_over');
      return;
    }
    if (databaseOutage(error) !== undefined) {
      // Not the login's fault: without a sign of life from here the sweep gives the flow to a worker that can read and write it (D55).
      logger.warn({ flow: hold.flowId, where: placeOf(error) }, 'flow let go, PostgreSQL is away');
      this.ports.onEnd('lost');
      return;
    }
    const code = codeOf(error);
    // Messages of a page's faults may quote what was typed: the name alone is logged (D45).
    logger.error(
      { flow: hold.flowId, fault: error instanceof Error ? error.name : typeof error, where: placeOf(error) },
      'login flow failed',
    );
    const flow = await readFlow(store, hold.flowId);
    if (flow !== null && flow.ownerEpoch === hold.epoch) await closeFlow(store, flow, { kind: 'fail', code, message: failures[code] });
    this.ports.onEnd('failed');
  }
}

/** Connecting again may help. */
const isPassing = (error: unknown): boolean => error instanceof PageGone || error instanceof PageSilent;

function codeOf(error: unknown): 'browser_error' | 'network_error' | 'internal_error' {
  if (error instanceof PageGone) return 'browser_error';
  return error instanceof PageSilent ? 'network_error' : 'internal_error';
}

/** The first line of the stack that is our own, without its message. */
const placeOf = (error: unknown): string | undefined =>
  error instanceof Error
    ? error.stack
        ?.split('\n')
        .find((line) => /^\s+at /.test(line) && !line.includes('node_modules'))
        ?.trim()
    : undefined;
