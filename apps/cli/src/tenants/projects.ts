import type { Project } from '@berth/schema';
import type { Command } from 'commander';
import { ApiClient, projectPath } from '../api-client.js';
import type { Deployment } from '../deployment.js';
import { printRecord, printTable } from '../output.js';

/** `berth project …` (D54), over HTTP. A project is named by id or name. */
export function projectCommands(program: Command, deployment: Deployment): void {
  const project = program.command('project').description('projects of the organization');
  const client = new ApiClient(deployment, undefined);
  const change = (name: string, description: string, body: Record<string, unknown>): void => {
    project
      .command(`${name} <project>`)
      .description(description)
      .action(async (named: string) => printRecord(await client.call<Project>('PATCH', projectPath(named), body)));
  };

  project
    .command('list')
    .description('list projects')
    .action(async () => {
      const projects = await client.list<Project>('/org/projects');
      printTable(
        ['ID', 'NAME', 'STATUS', 'CREATED'],
        projects.map((row) => [row.id, row.name, row.status, row.created_at]),
      );
    });
  project
    .command('create <name>')
    .description('create a project')
    .action(async (name: string) => printRecord(await client.call<Project>('POST', '/org/projects', { name })));
  project
    .command('get <project>')
    .description('show a project')
    .action(async (named: string) => printRecord(await client.call<Project>('GET', projectPath(named))));
  project
    .command('rename <project> <name>')
    .description('rename a project')
    .action(async (named: string, name: string) => printRecord(await client.call<Project>('PATCH', projectPath(named), { name })));
  change('archive', 'refuse new work in a project', { status: 'archived' });
  change('reactivate', 'take new work in a project again', { status: 'active' });
  project
    .command('delete <project>')
    .description('delete an empty project')
    .action(async (named: string) => {
      await client.call('DELETE', projectPath(named));
      process.stdout.write(`deleted ${named}\n`);
    });
}
