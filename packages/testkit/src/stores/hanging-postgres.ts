import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@berth/local-stack';
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
  // Each backend is a process group of its own. The postmaster first: then there are no more.
  const signal = (name: NodeJS.Signals): void => {
    process.kill(postmaster, name);
    for (const child of readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' '))
      process.kill(Number(child), name);
  };
  return {
    url: server.url,
    hang: () => signal('SIGSTOP'),
    wake: () => signal('SIGCONT'),
    async stop() {
      signal('SIGCONT');
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
