import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where one browser keeps its files; worthless without it. */
export class BrowserFolder {
  /** Chromium's `--user-data-dir`. */
  readonly profile: string;
  /** Chromium's temporary files. Not below the data folder: the path of a Unix socket in it must stay below 108 bytes. */
  readonly temporary: string;

  private constructor(readonly root: string) {
    this.profile = join(root, 'profile');
    this.temporary = mkdtempSync(join(tmpdir(), 'berth-'));
    mkdirSync(this.profile, { recursive: true, mode: 0o700 });
  }

  static create(parent: string): BrowserFolder {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    return new BrowserFolder(mkdtempSync(join(parent, 'browser-')));
  }

  get paths(): readonly string[] {
    return [this.root, this.temporary];
  }

  async remove(): Promise<void> {
    // A dying process may still write into it once.
    await Promise.all(this.paths.map((path) => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })));
  }

  removeNow(): void {
    for (const path of this.paths) rmSync(path, { recursive: true, force: true });
  }
}
