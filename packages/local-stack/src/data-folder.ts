import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Another process runs a stack on the same data folder. */
export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';
  constructor(readonly dataDir: string) {
    super(
      `Berth already runs on ${dataDir}. Stop it first (Ctrl-C where it was started), or choose another folder with BERTH_DATA_DIR. To run more processes on it: npm run start:api, start:worker or start:browser-host.`,
    );
  }
}

/** Where a running stack is reached, for processes that join it. */
export interface RunningStack {
  readonly pid: number;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly chromiumPath: string;
  /** What the launcher gave to its apps, for `berth config`; secrets only where the launcher made them itself. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The folder with everything the embedded default keeps: data, logs, generated keys, unpacked programs. */
export class DataFolder {
  private constructor(
    readonly path: string,
    private readonly release: () => Promise<void>,
  ) {}

  /**
   * Makes the folder if need be and claims it for this process.
   * @throws {DataFolderInUseError} when a living process has claimed it.
   */
  static async claim(path: string): Promise<DataFolder> {
    mkdirSync(path, { recursive: true });
    // Others may pass through (PostgreSQL runs as another user under root), none may look; every secret file is 0600 besides.
    chmodSync(path, 0o711);
    const real = realpathSync(path);
    return new DataFolder(real, await holdName(real));
  }

  /**
   * Asks and lets go again: for what is to be said before anything else is looked at.
   * @throws {DataFolderInUseError}
   */
  static async assertFree(path: string): Promise<void> {
    const folder = await DataFolder.claim(path);
    await folder.leave();
  }

  file(...names: string[]): string {
    return join(this.path, ...names);
  }

  /** The text of a file only its owner reads, made with `make` the first time. */
  secret(name: string, make: () => string = () => randomBytes(32).toString('hex')): string {
    const path = this.file(name);
    try {
      return readFileSync(path, 'utf8').trim();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const value = make();
    writePrivately(path, `${value}\n`);
    return value;
  }

  announce(stack: RunningStack): void {
    writePrivately(this.file('stack.json'), JSON.stringify(stack, null, 2));
  }

  async leave(): Promise<void> {
    rmSync(this.file('stack.json'), { force: true });
    await this.release();
  }
}

/** The stack that was last announced in this folder. Whether it still runs, only a connection tells. */
export function readAnnouncedStack(dataDir: string): RunningStack | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8')) as RunningStack;
  } catch {
    return undefined;
  }
}

/** Written whole or not at all, and never readable by others, not even for a moment. */
export function writePrivately(path: string, content: string): void {
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, path);
}

/**
 * Holds a name in the kernel's abstract socket namespace. Unlike a lock file it cannot be left behind: the kernel lets go of it with
 * the process, however that ended.
 */
function holdName(folder: string): Promise<() => Promise<void>> {
  const name = `\0berth-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  const holder = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    holder.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? new DataFolderInUseError(folder) : error));
    holder.listen(name, () => {
      holder.unref();
      resolve(() => new Promise((done) => holder.close(() => done())));
    });
  });
}
