import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Order, Ward } from './guardian-process.js';

/** From `src` (tests) and from `dist` alike. */
const script = fileURLToPath(new URL('../../dist/guardian/guardian-process.js', import.meta.url));

/**
 * The owner's side of its guardian: one per process, started with the first ward, told of wards over a pipe.
 * A guardian that is itself killed is replaced and told of all wards again.
 */
class Guardian {
  private readonly wards = new Map<string, Ward>();
  private running: ChildProcess | undefined;
  private ending = false;

  /** All children were told to end: nothing is to be started any more. */
  get isEnding(): boolean {
    return this.ending;
  }

  /**
   * Resolves when the order is in the pipe: from then on it is carried out even if this process dies at once. Rejects once all were told to
   * end.
   */
  async watch(ward: Ward): Promise<void> {
    if (this.ending) throw new Error('This process is ending; it starts nothing any more.');
    this.wards.set(ward.id, ward);
    const running = this.running;
    if (!running) return this.start();
    try {
      await this.send({ watch: ward });
    } catch {
      // It died and its exit has not been reported yet. The next one is told of every ward, this one included.
      if (this.running === running) this.running = undefined;
      await this.start();
    }
  }

  forget(id: string): void {
    // A dying guardian needs no telling; its successor learns the wards from the map.
    if (this.wards.delete(id) && this.running) void this.send({ forget: id }).catch(() => undefined);
  }

  /** Lets the guardian do now what it would do at this process's death, and waits for it. */
  async endAll(): Promise<void> {
    this.ending = true;
    const guardian = this.running;
    this.running = undefined;
    this.wards.clear();
    if (!guardian || guardian.exitCode !== null || guardian.signalCode !== null) return;
    guardian.ref();
    const ended = once(guardian, 'exit');
    guardian.stdin?.end();
    await ended;
  }

  private async start(): Promise<void> {
    // Its own session, so that a Ctrl-C does not reach it; no inherited stream, so that nobody waits for it to close one.
    const guardian = spawn(process.execPath, [script], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH },
    });
    this.running = guardian;
    guardian.once('error', () => undefined);
    guardian.stdin.on('error', () => undefined);
    guardian.once('exit', () => {
      if (this.running !== guardian) return;
      this.running = undefined;
      if (this.wards.size > 0) void this.start().catch(() => undefined);
    });
    guardian.unref();
    (guardian.stdin as Socket).unref();
    await Promise.all([...this.wards.values()].map((ward) => this.send({ watch: ward })));
  }

  private send(order: Order): Promise<void> {
    return new Promise((resolve, reject) => {
      const pipe = this.running?.stdin;
      if (!pipe) return reject(new Error('The guardian is not running.'));
      pipe.write(`${JSON.stringify(order)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}

export const guardian = new Guardian();

/** Ends all guarded children of this process in their order, as if it had died, and waits until they are gone. */
export const endGuarded = (): Promise<void> => guardian.endAll();

/** After the last child: nothing may still write into the folder. */
const lastOrder = 100;

/** Removes a folder when this process is gone, however it died, and all its guarded children with it. */
export function removeAtDeath(folder: string): Promise<void> {
  return guardian.watch({ id: folder, order: lastOrder, stop: [], remove: [folder] });
}
