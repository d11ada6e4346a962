import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface ChildServer {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Starts a program and waits for the address that it prints. The settings go to the child whole; nothing of this process's own is read. */
export async function startServer(program: URL, args: readonly string[], env: Record<string, string> = {}): Promise<ChildServer> {
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], { stdio: ['ignore', 'pipe', 'inherit'], env });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) {
      child.stdout.resume();
      return { child, url };
    }
  }
  throw new Error(`${program.pathname} ended before it listened`);
}

export async function stopServer({ child }: ChildServer): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
