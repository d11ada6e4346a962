import { setTimeout as delay } from 'node:timers/promises';
import { type Commands, LOCK_LOST, NOT_READY } from './commands.js';
import type { Lock } from './lock.js';
import { byProject, inChunks } from './members.js';
import { AdmissionUnavailable, type LiveRow, type LiveRows } from './types.js';

/** How long a caller waits for another process's rebuild before it answers 503. */
const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 20;

/**
 * Brings an organization's members back from Postgres, before anything is admitted (D29).
 *
 * Rows are read, their members restored, and the rows read once more: a session that ended in between has released a member
 * that was not there yet, and its restored one is taken back. Only then the marker is set. Members without a row are left:
 * a create may hold one whose row is about to be inserted; if not, its lease ends or the reconciler removes it.
 */
export class Rebuild {
  readonly #commands: Commands;
  readonly #lock: Lock;
  readonly #rows: LiveRows;
  readonly #readyMs: number;
  readonly #running = new Map<string, Promise<void>>();

  constructor(commands: Commands, lock: Lock, rows: LiveRows, readyMs: number) {
    this.#commands = commands;
    this.#lock = lock;
    this.#rows = rows;
    this.#readyMs = readyMs;
  }

  /** Resolves when the organization is ready; concurrent callers share one run. @throws AdmissionUnavailable */
  ensure(organizationId: string): Promise<void> {
    let running = this.#running.get(organizationId);
    if (!running) {
      running = this.#untilReady(organizationId).finally(() => this.#running.delete(organizationId));
      this.#running.set(organizationId, running);
    }
    return running;
  }

  async #untilReady(organizationId: string): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while ((await this.#lock.tryWith(organizationId, (token) => this.#rebuild(organizationId, token))) === null) {
      if ((await this.#commands.usage(organizationId)) !== NOT_READY) return;
      if (performance.now() > deadline) throw new AdmissionUnavailable('usage is still being rebuilt by another process');
      await delay(LOOK_AGAIN_MS);
    }
  }

  async #rebuild(organizationId: string, token: string): Promise<true> {
    // Another process may have finished between our being told "not ready" and our having the lock.
    if ((await this.#commands.usage(organizationId)) !== NOT_READY) {
      await this.#commands.unlock(organizationId, token);
      return true;
    }
    const rows = await readRows(this.#rows, organizationId);
    await restoreRows(this.#commands, this.#rows, organizationId, rows, 'all', token);
    if (!(await this.#commands.markReady(organizationId, token, this.#readyMs))) throw lockLost();
    return true;
  }
}

/** @throws AdmissionUnavailable when Postgres cannot be read: unknown usage is never taken for zero. */
export async function readRows(rows: LiveRows, organizationId: string): Promise<readonly LiveRow[]> {
  try {
    return await rows.rowsOf(organizationId);
  } catch (error) {
    throw new AdmissionUnavailable('the rows of live sessions cannot be read', { cause: error });
  }
}

/**
 * Restores members of `rows` and answers those that were not live before and still have their row.
 * Sound because whoever ends a session writes the row first and releases second: a row that is gone at the second reading was
 * released before we restored it, or will be released after; one that is still there will be released later.
 */
export async function restoreRows(
  commands: Commands,
  port: LiveRows,
  organizationId: string,
  rows: readonly LiveRow[],
  which: 'lost' | 'all',
  token: string,
): Promise<LiveRow[]> {
  const restored: LiveRow[] = [];
  for (const [projectId, group] of byProject(rows)) {
    for (const chunk of inChunks(group)) {
      const done = await commands.restore({ organizationId, projectId }, chunk, which, token);
      if (done === LOCK_LOST) throw lockLost();
      restored.push(...done);
    }
  }
  if (restored.length === 0) return [];
  const now = new Set((await readRows(port, organizationId)).map((row) => row.member));
  for (const [projectId, group] of byProject(restored.filter((row) => !now.has(row.member)))) {
    for (const chunk of inChunks(group))
      await commands.release(
        { organizationId, projectId },
        chunk.map((row) => row.member),
      );
  }
  return restored.filter((row) => now.has(row.member));
}

function lockLost(): AdmissionUnavailable {
  return new AdmissionUnavailable('the rebuild took longer than its lock, or Redis was emptied meanwhile');
}
