import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DataFolder, DataFolderInUseError, killLeftovers } from '@berth/local-stack';

/**
 * The folder of one host in the data folder, held for as long as this process lives. The kernel lets go of the hold with the process, so
 * what nobody holds is left over from a host that died.
 */
export class HostFolder {
  private constructor(
    private readonly held: DataFolder,
    readonly deadHosts: readonly string[],
  ) {}

  /** @throws when a living host on this machine has the same id. */
  static async claim(dataDir: string, hostId: string): Promise<HostFolder> {
    const all = join(dataDir, 'hosts');
    mkdirSync(all, { recursive: true });
    const deadHosts = await removeLeftovers(all);
    try {
      return new HostFolder(await DataFolder.claim(join(all, hostId)), deadHosts);
    } catch (error) {
      if (!(error instanceof DataFolderInUseError)) throw error;
      throw new Error(`A browser host named ${hostId} already runs here. Give this one another name with BERTH_HOST_ID, or none.`, {
        cause: error,
      });
    }
  }

  get browsers(): string {
    return this.held.file('browsers');
  }

  async leave(): Promise<void> {
    await rm(this.held.path, { recursive: true, force: true });
    await this.held.leave();
  }
}

/**
 * Deletes the folders of hosts that died together with their guardian, and kills the browsers that use them still: nobody else would.
 * @returns the ids of those hosts: nothing of them lives any more, and nothing will.
 */
async function removeLeftovers(all: string): Promise<string[]> {
  const dead: string[] = [];
  for (const name of readdirSync(all)) {
    const folder = join(all, name);
    try {
      const left = await DataFolder.claim(folder);
      await killLeftovers((words) => words.some((word) => word.startsWith(`--user-data-dir=${folder}/`)));
      await rm(folder, { recursive: true, force: true });
      await left.leave();
      dead.push(name);
    } catch (error) {
      // A living host's, or one that another host has just removed.
      if (!(error instanceof DataFolderInUseError) && existsSync(folder)) throw error;
    }
  }
  return dead;
}
