import { describeSettings, unknownSettings } from '@berth/config';
import { readAnnouncedStack } from '@berth/local-stack';
import type { Command } from 'commander';
import { dataFolderOf } from '../deployment.js';
import { printTable } from '../output.js';

/**
 * `berth config`: every setting with its value, those that the running stack was given included, secrets masked (D52). Fails when a value
 * is wrong.
 */
export function configCommand(program: Command, env: NodeJS.ProcessEnv): void {
  program
    .command('config')
    .description('list all settings with their values; secrets are masked')
    .action(() => {
      const described = describeSettings(env, readAnnouncedStack(dataFolderOf(env))?.settings);
      printTable(
        ['SETTING', 'VALUE', 'FROM', 'MEANING'],
        described.map(({ name, value, source, description }) => [name, value, source, description]),
      );
      const faults = described.flatMap(({ fault }) => fault ?? []);
      if (faults.length > 0) process.exitCode = 1;
      for (const fault of faults) process.stderr.write(`${fault}\n`);
      for (const name of unknownSettings(env)) process.stderr.write(`${name} is set but is no setting of Berth; misspelt?\n`);
    });
}
