/** `npm run berth -- …` (D54). */
import { ConfigError } from '@berth/config';
import { Command } from 'commander';
import { CliError, findDeployment } from './deployment.js';
import { doctorCommand } from './diagnosis/doctor.js';
import { configCommand } from './diagnosis/settings.js';
import { loginCommand } from './login/login.js';
import { keyCommands } from './operators/keys.js';
import { organizationCommands } from './operators/organizations.js';
import { limitCommands } from './tenants/limits.js';
import { projectCommands } from './tenants/projects.js';

// Whoever reads only the first lines (`| head`) closes the pipe; that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  const program = new Command('berth').description('Berth: a self-hosted control plane for cloud browsers').showHelpAfterError();
  configCommand(program, process.env);
  // The command that shows wrong settings works with them.
  if (process.argv[2] !== 'config') {
    const deployment = findDeployment(process.env);
    organizationCommands(program, deployment);
    keyCommands(program, deployment);
    projectCommands(program, deployment);
    limitCommands(program, deployment);
    loginCommand(program, deployment);
    doctorCommand(program, deployment);
  }
  await program.parseAsync();
} catch (error) {
  // Whoever is at the terminal needs the sentence; a stack is for mistakes in this program.
  const known = error instanceof CliError || error instanceof ConfigError;
  process.stderr.write(`${known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}
