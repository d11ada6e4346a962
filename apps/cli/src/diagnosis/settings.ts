import { describeSettings, unknownSettings } from '@berth/config';
import type { Command } from 'commander';
import { printTable } from '../output.js';

/** `berth config`: every setting with its value, secrets masked (D52). */
export function configCommand(program: Command, env: NodeJS.ProcessEnv): void {
  program.command('config').description('list all settings with their values; secrets are masked').action(() => {
    printTable(['SETTING', 'VALUE', 'FROM', 'MEANING'], describeSettings(env).map(({ name, value, source, description }) => [name, value, source, description]));
    for (const name of unknownSettings(env)) process.stderr.write(`${name} is set but is no setting of Berth; misspelt?\n`);
  });
}
