import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { connectionChannel } from '@berth/login-flow';
import type { Redis } from 'ioredis';

/** What a process has cost so far; resident bytes after a garbage collection. */
export interface ProcessCost {
  readonly rss: number;
  readonly cpuMicros: number;
}

/** A contender: it serves the streams of connections under the API's paths, and is measured from outside. */
export interface StreamServer {
  readonly url: string;
  /** Hands a message for the followers of one connection to the server, the way it takes them. */
  publish(connectionId: string, message: string): void;
  cost(): Promise<ProcessCost>;
  /** Microseconds of CPU so far; asking disturbs nothing. */
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

const sampleMs = 500;
const quietSamples = 2;
/** One per cent of a core. */
const quietMicros = 5_000;

/** Until nothing of what was done before is left to do: two samples in a row in which the server hardly ran. */
export async function untilQuiet(server: StreamServer): Promise<void> {
  for (let quiet = 0; quiet < quietSamples;) {
    const before = await server.cpuMicros();
    await new Promise((resolve) => setTimeout(resolve, sampleMs));
    quiet = (await server.cpuMicros()) - before < quietMicros ? quiet + 1 : 0;
  }
}

/** @throws when the process that `alive` speaks of ends before it answers */
export async function untilAnswers(url: string, alive: () => boolean): Promise<void> {
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (!alive()) throw new Error(`what should answer at ${url} has ended`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** A Node program that takes its messages from Redis. */
export class MeasuredProgram implements StreamServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly redis: Redis,
    readonly url: string,
  ) {}

  /** Starts a program of ours and waits until it answers on `port`. */
  static async start(
    program: string,
    port: number,
    redis: Redis,
    env: Record<string, string>,
    args: readonly string[] = [],
  ): Promise<MeasuredProgram> {
    const child = fork(pathOf(program), args, {
      execArgv: ['--expose-gc', '--import', new URL('./probe.js', import.meta.url).href],
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const url = `http://127.0.0.1:${port}`;
    await untilAnswers(`${url}/health/live`, () => child.exitCode === null);
    return new MeasuredProgram(child, redis, url);
  }

  publish(connectionId: string, message: string): void {
    void this.redis.publish(connectionChannel(connectionId), message);
  }

  /** After a garbage collection. */
  cost(): Promise<ProcessCost> {
    return this.#ask('cost');
  }

  async cpuMicros(): Promise<number> {
    return (await this.#ask('cpu')).cpuMicros;
  }

  async #ask(question: 'cost' | 'cpu'): Promise<ProcessCost> {
    this.child.send(question);
    const [cost] = (await once(this.child, 'message')) as [ProcessCost];
    return cost;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}

/** Another process that opens streams, so that reading them costs the servers nothing. */
export class Readers {
  readonly #child = fork(pathOf('./readers.js'), [], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

  ask<T>(question: ReaderQuestion): Promise<T> {
    return new Promise((resolve, reject) => {
      const died = (): void => reject(new Error('the process that reads the streams has ended'));
      this.#child.once('exit', died);
      this.#child.once('message', (answer) => {
        this.#child.off('exit', died);
        resolve(answer as T);
      });
      this.#child.send(question);
    });
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

export type ReaderQuestion =
  /** Opens a stream of each path and answers when all have their first bytes. */
  | { readonly kind: 'open'; readonly url: string; readonly key: string; readonly paths: readonly string[] }
  /** Answers `Received` when this many events have arrived since the last question. */
  | { readonly kind: 'receive'; readonly events: number }
  | { readonly kind: 'close' };

export interface Received {
  /** Milliseconds from publish to receipt, one an event. */
  readonly latencies: readonly number[];
  /** Epoch milliseconds of the last receipt. */
  readonly lastAt: number;
}
