import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** The log of one server: the present run in `path`, the run before in `path.1`. */
export class ServerLog {
  constructor(readonly path: string) {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(`${path}.1`, { force: true });
    try {
      renameSync(path, `${path}.1`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  /** Calls back with a descriptor to give to a child. */
  async open<T>(use: (descriptor: number) => Promise<T>): Promise<T> {
    const descriptor = openSync(this.path, 'a', 0o600);
    try {
      return await use(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  lastLines(count = 15): string {
    try {
      return readFileSync(this.path, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
    } catch {
      return '';
    }
  }
}
