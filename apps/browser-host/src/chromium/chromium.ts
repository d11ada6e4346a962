import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { type GuardedProcess, type ProcessEnd, spawnGuarded } from '@berth/local-stack';
import { BrowserFolder } from './browser-folder.js';
import { CdpConnection } from './cdp.js';
import { type ChromiumOptions, chromiumFlags } from './flags.js';
import { memoryOf } from './process-tree.js';

/** How a host starts its browsers. */
export interface ChromiumProgram {
  readonly path: string;
  readonly sandbox: boolean;
  /** Folder in which each browser gets one of its own. */
  readonly folder: string;
  /** X display for browsers that are not headless. */
  readonly display: string | undefined;
}

/** Killed at once: whatever is worth keeping was read over CDP before, and its folder is deleted. */
const noPoliteSteps = [] as const;

/**
 * A Chromium that runs, with a folder of its own and the host's DevTools connection to it. It dies with the host, however the host dies,
 * and its folder with it.
 */
export class Chromium {
  private constructor(
    readonly options: ChromiumOptions,
    readonly folder: BrowserFolder,
    /** DevTools door on the loopback, for the host alone. */
    readonly endpoint: { readonly port: number; readonly path: string },
    readonly cdp: CdpConnection,
    private readonly process: GuardedProcess,
  ) {}

  /**
   * In a `folder` of its own, or in that of a browser that has exited.
   * @throws when it does not answer before the signal; nothing is left of it then.
   */
  static async start(
    program: ChromiumProgram,
    options: ChromiumOptions,
    signal: AbortSignal,
    folder = BrowserFolder.create(program.folder),
  ): Promise<Chromium> {
    const process = await spawnGuarded(program.path, chromiumFlags(options, folder.profile, program.sandbox), {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: folder.root,
      env: environment(program, folder),
      stop: noPoliteSteps,
      remove: folder.paths,
    }).catch((error: unknown) => {
      folder.removeNow();
      throw error;
    });
    try {
      const endpoint = await untilListening(process, signal);
      const cdp = await CdpConnection.open(`ws://127.0.0.1:${endpoint.port}${endpoint.path}`, 5_000);
      return new Chromium(options, folder, endpoint, cdp, process);
    } catch (error) {
      await process.stop();
      await folder.remove();
      throw error;
    }
  }

  get pid(): number {
    return this.process.pid;
  }

  /** When it is gone, by itself or killed. */
  get exited(): Promise<ProcessEnd> {
    return this.process.exited;
  }

  /** When it has begun to go: one that closes itself hangs up up to 50 ms before it exits. */
  get closing(): Promise<unknown> {
    return Promise.race([this.cdp.closed, this.exited]);
  }

  get alive(): boolean {
    return this.process.child.exitCode === null && this.process.child.signalCode === null;
  }

  /** Bytes that it and its children hold now. */
  get memory(): number {
    return memoryOf(this.pid);
  }

  /** Ends all its processes. May be called again. */
  async end(): Promise<void> {
    this.cdp.close();
    await this.process.stop();
  }

  /** Ends all its processes and deletes its folder. May be called again. */
  async kill(): Promise<void> {
    await this.end();
    await this.folder.remove();
  }
}

/** Only what Chromium needs: it must not inherit the host's secrets, nor find another browser's files. */
function environment({ display }: ChromiumProgram, folder: BrowserFolder): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: folder.root,
    TMPDIR: folder.temporary,
    ...(display === undefined ? {} : { DISPLAY: display }),
  };
}

/** Reads standard error up to the line that names the DevTools endpoint, and drains it from then on, so that Chromium never waits on it. */
async function untilListening(process: GuardedProcess, signal: AbortSignal): Promise<{ port: number; path: string }> {
  const stderr = process.child.stderr as Readable;
  const lines = createInterface({ input: stderr });
  const last: string[] = [];
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error(`Chromium did not start in time: ${last.join(' | ')}`, { cause: signal.reason }));
    signal.addEventListener('abort', stop, { once: true });
    lines.on('line', (line) => {
      const found = /^DevTools listening on ws:\/\/[^:]+:(\d+)(\/\S+)/.exec(line);
      if (found?.[1] === undefined || found[2] === undefined) {
        last.splice(0, Math.max(0, last.length - 4));
        last.push(line);
        return;
      }
      lines.close();
      stderr.resume();
      signal.removeEventListener('abort', stop);
      resolve({ port: Number(found[1]), path: found[2] });
    });
    void process.exited.then(({ code, signal: by }) =>
      reject(new Error(`Chromium ended at its start (${by ?? `code ${code ?? '?'}`}): ${last.join(' | ')}`)),
    );
  });
}
