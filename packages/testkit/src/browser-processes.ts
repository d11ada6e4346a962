import { readdirSync, readFileSync } from 'node:fs';

/**
 * Pids of the Chromium processes whose profile is somewhere below `folder` (a host's data folder). `main`: one a browser, without its
 * renderers and helpers.
 */
export function browserProcesses(folder: string, which: 'all' | 'main' = 'all'): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return command.includes(`--user-data-dir=${folder}/`) && (which === 'all' || !command.includes('--type='));
      } catch {
        return false;
      }
    });
}
