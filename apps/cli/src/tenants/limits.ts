import type { OrganizationLimits, ProjectLimits } from '@berth/schema';
import { type Command, InvalidArgumentError } from 'commander';
import { ApiClient, projectPath } from '../api-client.js';
import { CliError, type Deployment } from '../deployment.js';
import { printRecord } from '../output.js';

interface SetOptions {
  readonly project?: string;
  readonly defaultProjectSessions?: number;
  readonly sessions?: number;
  readonly invocations?: number;
}

function cap(text: string): number {
  if (text === 'none') return 0;
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('must be a whole number, or "none" to clear it.');
  return Number(text);
}

const limitsOf = (project: string): string => `${projectPath(project)}/limits`;

/** Only what was asked for; an empty change is a mistake at a terminal. */
function changes(values: Readonly<Record<string, number | undefined>>): Record<string, number> {
  const given = Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== undefined);
  if (given.length === 0) throw new CliError('Nothing to set. See `npm run berth -- limits set --help`.');
  return Object.fromEntries(given);
}

/** `berth limits get|set` (D54), over HTTP. */
export function limitCommands(program: Command, deployment: Deployment): void {
  const limits = program.command('limits').description('concurrency limits and usage');
  const client = new ApiClient(deployment, undefined);

  limits
    .command('get')
    .description('show limits and usage of the organization, or of one project')
    .option('--project <project>', 'project, by id or name')
    .action(async ({ project }: { project?: string }) => {
      printRecord(
        project === undefined
          ? await client.call<OrganizationLimits>('GET', '/org/limits')
          : await client.call<ProjectLimits>('GET', limitsOf(project)),
      );
    });

  limits
    .command('set')
    .description('set caps; "none" clears one')
    .option('--project <project>', 'project, by id or name')
    .option('--default-project-sessions <n>', 'organization: cap of every project without its own', cap)
    .option('--sessions <n>', 'project: concurrent browsers', cap)
    .option('--invocations <n>', 'project: concurrent invocations', cap)
    .action(async (options: SetOptions) => {
      if (options.project === undefined) {
        if (options.sessions !== undefined || options.invocations !== undefined)
          throw new CliError('--sessions and --invocations need --project.');
        printRecord(
          await client.call<OrganizationLimits>(
            'PATCH',
            '/org/limits',
            changes({ default_project_max_concurrent_sessions: options.defaultProjectSessions }),
          ),
        );
        return;
      }
      if (options.defaultProjectSessions !== undefined)
        throw new CliError("--default-project-sessions is the organization's; leave --project out.");
      printRecord(
        await client.call<ProjectLimits>(
          'PATCH',
          limitsOf(options.project),
          changes({ max_concurrent_sessions: options.sessions, max_concurrent_invocations: options.invocations }),
        ),
      );
    });
}
