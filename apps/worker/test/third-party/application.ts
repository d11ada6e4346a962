import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, spawnGuarded, terminate } from '@berth/local-stack';

/** A login application that nobody here wrote, running on this machine. */
export interface Application {
  /** Where a person would begin. */
  readonly startUrl: string;
  /** Hosts beside the start's own that the login leads through. */
  readonly otherHosts: readonly string[];
  /** What to answer, by the label of the field or its type; a code is made when it is asked for. */
  readonly answers: Readonly<Record<string, string | (() => string)>>;
  /** Labels of the choices to take, in order. */
  readonly picks: readonly string[];
  /** A page and a text in it that only somebody signed in is shown; null where the application keeps no session. */
  readonly signedIn: { readonly url: string; readonly text: RegExp } | null;
  stop(): Promise<void>;
}

export interface Program {
  readonly command: string;
  /** Its arguments, told the port it is to listen on. */
  readonly args: (port: number) => readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningProgram {
  readonly port: number;
  stop(): Promise<void>;
}

const readyMs = 60_000;
const betweenMs = 50;

/** Starts a web server on a free port of the loopback and waits until it answers. @throws with its last words if it ends before */
export async function startProgram({ command, args, cwd, env = {} }: Program): Promise<RunningProgram> {
  const port = await findFreePort();
  const guarded = await spawnGuarded(command, args(port), {
    cwd,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    stop: terminate(3_000),
  });
  let said = '';
  for (const stream of [guarded.child.stdout, guarded.child.stderr])
    stream?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  let ended = false;
  void guarded.exited.then(() => (ended = true));
  for (const deadline = Date.now() + readyMs; !(await answers(port)); await delay(betweenMs)) {
    if (!ended && Date.now() < deadline) continue;
    await guarded.stop();
    throw new Error(`${command} ${ended ? 'ended before it listened' : 'did not answer in time'}:\n${said}`);
  }
  return { port, stop: async () => void (await guarded.stop()) };
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );
}

/** Address of a loopback server under a name of its own, so that one application's cookies are no other's. */
export const addressOf = (name: string, port: number, path = '/'): string => `http://${name}.localhost:${port}${path}`;
