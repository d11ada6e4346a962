import { newId } from '@berth/database';
import { type ApiKey, type CreatedApiKey, foldName, isIdShaped, type Project } from '@berth/schema';
import { newApiKeySecret } from '@berth/secrets';
import { type Command, InvalidArgumentError } from 'commander';
import { ApiClient, projectPath } from '../api-client.js';
import { CliError, type Deployment } from '../deployment.js';
import { printRecord, printTable } from '../output.js';
import { onDatabase } from './database.js';
import { displayName } from './names.js';
import { organizationNamed } from './organizations.js';

interface CreateOptions {
  readonly org?: string;
  readonly project?: string;
  readonly days?: number;
}

const daysFrom =
  (least: number) =>
  (text: string): number => {
    const days = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    if (days >= least && days <= 3650) return days;
    throw new InvalidArgumentError(`must be a whole number of days from ${least} to 3650.`);
  };

/** A key made on the database itself: how an operator gets a first credential for an organization. */
async function createOnDatabase(
  deployment: Deployment,
  name: string,
  org: string,
  options: CreateOptions,
): Promise<{ id: string; key: string }> {
  const secret = newApiKeySecret();
  const id = newId();
  await onDatabase(deployment, async (prisma) => {
    const organization = await organizationNamed(prisma, org);
    const project =
      options.project === undefined
        ? null
        : await prisma.project.findFirst({
            where: {
              organizationId: organization.id,
              status: 'active',
              deletedAt: null,
              OR: [{ id: options.project }, { nameFolded: foldName(options.project) }],
            },
          });
    if (options.project !== undefined && project === null)
      throw new CliError(`Organization "${org}" has no active project "${options.project}".`);
    await prisma.apiKey.create({
      data: {
        id,
        organizationId: organization.id,
        projectId: project?.id ?? null,
        name,
        nameFolded: foldName(name),
        maskedKey: secret.masked,
        createdById: 'cli',
        createdByName: null,
        createdByEmail: `cli@${organization.name}`,
        expiresAt: options.days === undefined ? null : new Date(Date.now() + options.days * 86_400_000),
        secrets: { create: { hash: new Uint8Array(secret.hash) } },
      },
    });
  });
  return { id, key: secret.secret };
}

/** An id goes as it is: where projects are disabled none can be looked up. */
async function projectIdOf(client: ApiClient, named: string): Promise<string> {
  return isIdShaped(named) ? named : (await client.call<Project>('GET', projectPath(named))).id;
}

/** `berth key create|list|revoke|rotate` (D54): over HTTP as a tenant, or with `--org` on the database as the operator. */
export function keyCommands(program: Command, deployment: Deployment): void {
  const key = program.command('key').description('API keys (over HTTP; create with --org acts on the database)');
  const client = (): ApiClient => new ApiClient(deployment, undefined);

  key
    .command('create')
    .description('create a key; its secret is shown once')
    .argument('<name>', 'shown in lists', displayName)
    .option('--org <organization>', 'organization, by name or id: make the key on the database itself')
    .option('--project <project>', 'bind the key to one project, by id or name')
    .option('--days <n>', 'days until it expires', daysFrom(1))
    .action(async (name: string, options: CreateOptions) => {
      const created =
        options.org !== undefined
          ? await createOnDatabase(deployment, name, options.org, options)
          : await client().call<CreatedApiKey>('POST', '/org/api_keys', {
              name,
              project_id: options.project === undefined ? null : await projectIdOf(client(), options.project),
              ...(options.days === undefined ? {} : { days_to_expire: options.days }),
            });
      printRecord({ id: created.id, key: created.key });
      process.stderr.write('The key is shown this once; keep it.\n');
    });

  key
    .command('list')
    .description('list keys')
    .action(async () => {
      const keys = await client().list<ApiKey>('/org/api_keys');
      printTable(
        ['ID', 'NAME', 'KEY', 'PROJECT', 'CREATED', 'EXPIRES'],
        keys.map((row) => [row.id, row.name, row.masked_key, row.project_name ?? 'all', row.created_at, row.expires_at]),
      );
    });

  key
    .command('revoke <id>')
    .description('revoke a key at once')
    .action(async (id: string) => {
      await client().call('DELETE', `/org/api_keys/${encodeURIComponent(id)}`);
      process.stdout.write(`revoked ${id}\n`);
    });

  key
    .command('rotate <id>')
    .description('give a key a new secret; the old one stays valid for a while')
    .option('--expire-in-days <n>', 'days the old secret stays valid, 0 ends it at once', daysFrom(0), 7)
    .action(async (id: string, options: { expireInDays: number }) => {
      const rotated = await client().call<CreatedApiKey>('POST', `/org/api_keys/${encodeURIComponent(id)}/rotate`, {
        expire_in_days: options.expireInDays,
      });
      printRecord({ id: rotated.id, key: rotated.key });
      process.stderr.write('The key is shown this once; keep it.\n');
    });
}
