import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signal, startPostgres } from '@berth/local-stack';
import { migrate } from './fresh-stores.js';

/** A PostgreSQL of a test's own that can hang: its processes are stopped, and the kernel takes connections and questions for them. */
export interface HangingPostgres {
  readonly url: string;
  hang(): void;
  wake(): void;
  stop(): Promise<void>;
}

export async function startHangingPostgres(): Promise<HangingPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-hang-'));
  const server = await startPostgres({ dataDir: folder, durable: false, maxConnections: 30 });
  await migrate(server.url);
  const postmaster = server.pid();
  if (postmaster === undefined) throw new Error('PostgreSQL has ended');
  // Each backend is a process group of its own, and one that wakes may end at once. The postmaster first: then there are no more.
  const signalAll = (name: NodeJS.Signals): void => {
    signal(postmaster, name);
    for (const child of readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' '))
      signal(Number(child), name);
  };
  return {
    url: server.url,
    hang: () => signalAll('SIGSTOP'),
    wake: () => signalAll('SIGCONT'),
    async stop() {
      signalAll('SIGCONT');
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
