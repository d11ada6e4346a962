import { join } from 'node:path';
import { locateChromium } from '@berth/local-stack';
import { startWebsite } from '@berth/testkit';
import { type BenchOptions, type BenchResult, median } from '../bench-result.js';
import { startServers } from '../browsers/servers.js';
import { untilWarm } from '../browsers/warm-create.js';
import { signInByHand } from './hand-written.js';
import { type ManagedLogin, signInManaged } from './managed.js';
import { outside, type Span, WorkerLog } from './spans.js';

const rounds = 5;
const loginsARound = 5;
/** Enough for the compilers of four processes: later samples do not fall any more. */
const warmUps = 12;
const scenario = 'one-page';

interface Sample {
  readonly managed: ManagedLogin;
  /** When the worker waited for the browser: to be connected, its page's answers, its profile, its end. */
  readonly browser: readonly Span[];
  readonly byHandMs: number;
}

/**
 * Add to SUCCESS on a plain sign-in form, followed over the event stream, against a hand-written script for the same site that saves its
 * storage state and closes too (goal ≤ 1.0, stretch 0.5), and how much of it is Berth's own (goal ≤ 10 ms). Real API, worker, browser host
 * and Chromium; both sides in turn.
 */
export async function run({ workDir }: BenchOptions): Promise<BenchResult> {
  const executablePath = await locateChromium({ toolsDir: join(workDir, 'tools') });
  const log = new WorkerLog();
  const [servers, site] = await Promise.all([startServers(workDir), startWebsite()]);
  try {
    const [apiUrl, hostUrl] = await Promise.all([
      servers.startApp('api', 'BERTH_API_PORT', {}),
      servers.startApp('browser-host', 'BERTH_HOST_PORT', {
        BERTH_CHROMIUM_PATH: executablePath,
        BERTH_CHROMIUM_SANDBOX: 'false',
        BERTH_HOST_WARM_BROWSERS: '1',
      }),
      servers.startApp('worker', 'BERTH_WORKER_PORT', { BERTH_LOG_LEVEL: 'debug' }, log.hear),
    ]);
    const loginUrl = site.startUrl(scenario);
    const sample = async (): Promise<Sample> => {
      await untilWarm(hostUrl, 1);
      const managed = await signInManaged({ url: apiUrl, key: servers.tenant.key }, loginUrl, site.addAccountFor(scenario));
      const browser = await log.next();
      // The next standby browser must not start while the other side is measured.
      await untilWarm(hostUrl, 1);
      const byHandMs = await signInByHand({ executablePath, loginUrl, account: site.addAccountFor(scenario), folder: workDir });
      return { managed, browser, byHandMs };
    };
    for (let warmUp = 0; warmUp < warmUps; warmUp += 1) await sample();
    const measured: Sample[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const samples: Sample[] = [];
      for (let login = 0; login < loginsARound; login += 1) samples.push(await sample());
      measured.push(samples);
    }
    return result(measured);
  } finally {
    await Promise.all([servers.stop(), site.stop()]);
  }
}

/**
 * What Berth itself takes of a login, in milliseconds. `all` is the client's time from add to SUCCESS in which neither Chromium nor the
 * website was working on this login as far as the worker can tell: everything but its connecting to the browser, its waits for an answer of
 * the page, for the profile and for the browser's end. So it holds the client's calls, both queues, the host's claim and announcement, rows
 * and commits, reading snapshots, publishing, the stream. `calls` is the part of it in which the client waits for answers of the API (add,
 * login, submit), and `engine` the rest. Where the login page loads while Berth still works (the host opens it at launch), that work counts
 * as overhead all the same, and so do the host's own questions to the browser before it announces it (some 4 ms). The other way round, the
 * browser's end counts as its time as a whole, though some 9 ms of it are rows, notices and the slot.
 */
function overhead({ managed, browser }: Sample): { readonly all: number; readonly calls: number; readonly engine: number } {
  const { began, added, started, asked, submitted, succeeded } = managed;
  const whole: Span = [began, began + succeeded];
  const calls: readonly Span[] = [
    [began, began + added],
    [began + added, began + started],
    [began + asked, began + submitted],
  ];
  const [all, engine] = [outside(whole, browser), outside(whole, [...browser, ...calls])];
  return { all, calls: all - engine, engine };
}

function result(measured: readonly (readonly Sample[])[]): BenchResult {
  const ratios = measured.map(
    (samples) => median(samples.map(({ managed }) => managed.succeeded)) / median(samples.map(({ byHandMs }) => byHandMs)),
  );
  const all = measured.flat();
  const p50 = (of: (sample: Sample) => number): number => median(all.map(of));
  return {
    bench: 'login',
    ratios: {
      'add to SUCCESS over a hand-written script': median(ratios),
      'p50 queue, bookkeeping and events, of 10 ms': p50((sample) => overhead(sample).engine) / 10,
      'p50 all outside the browser, of 10 ms': p50((sample) => overhead(sample).all) / 10,
    },
    raw: {
      rounds: ratios,
      p50Milliseconds: {
        byHand: p50(({ byHandMs }) => byHandMs),
        managed: p50(({ managed }) => managed.succeeded),
        add: p50(({ managed }) => managed.added),
        startLogin: p50(({ managed }) => managed.started - managed.added),
        untilAsked: p50(({ managed }) => managed.asked - managed.started),
        submit: p50(({ managed }) => managed.submitted - managed.asked),
        outsideTheBrowser: p50((sample) => overhead(sample).all),
        callsOfTheClient: p50((sample) => overhead(sample).calls),
        queueBookkeepingAndEvents: p50((sample) => overhead(sample).engine),
        untilSuccess: p50(({ managed }) => managed.succeeded - managed.submitted),
      },
    },
  };
}
