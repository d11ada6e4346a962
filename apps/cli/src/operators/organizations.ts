import { violatesUnique } from '@berth/database';
import { createOrganization, type PrismaClient } from '@berth/database/unscoped';
import { newApiKeySecret } from '@berth/secrets';
import { type Command, InvalidArgumentError } from 'commander';
import { CliError, type Deployment } from '../deployment.js';
import { printRecord, printTable } from '../output.js';
import { onDatabase } from './database.js';
import { displayName } from './names.js';
import { announceChange } from './redis.js';

interface OrganizationOptions {
  readonly plan?: string;
  readonly maxConcurrentSessions?: number | 'none';
  readonly projectsEnabled?: boolean;
  readonly externalId?: string;
}

/** As the API clears caps, so here: 0 is none. */
function capOrNone(text: string): number | 'none' {
  if (/^(none|0{1,7})$/.test(text)) return 'none';
  if (!/^\d{1,7}$/.test(text) || Number(text) > 1_000_000)
    throw new InvalidArgumentError('must be a whole number up to 1000000, or "none".');
  return Number(text);
}

function trueOrFalse(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('must be true or false.');
  return text === 'true';
}

/** Compared with the claim of a token as it is, so nothing is mended here. */
function externalId(text: string): string {
  if (text.trim() !== '' && text === displayName(text)) return text;
  throw new InvalidArgumentError('must be 1 to 255 characters without blanks around them, in NFC.');
}

/** Refusals of the database that whoever is at the terminal can do something about. */
async function unique<T>(
  work: Promise<T>,
  { name, externalId: claim }: { readonly name: string; readonly externalId?: string },
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (violatesUnique(error, 'organizations_name_key')) throw new CliError(`There is an organization "${name}" already.`);
    if (violatesUnique(error, 'organizations_external_id_key'))
      throw new CliError(`Another organization has the external id "${claim}". See \`npm run berth -- org list\`.`);
    throw error;
  }
}

function assertPlan(plan: string | undefined, deployment: Deployment): void {
  if (plan !== undefined && !Object.hasOwn(deployment.planLimits, plan))
    throw new CliError(`There is no plan "${plan}". Plans: ${Object.keys(deployment.planLimits).join(', ')}.`);
}

async function organizationNamed(prisma: PrismaClient, name: string) {
  const found = await prisma.organization.findFirst({ where: { OR: [{ id: name }, { name }] } });
  if (found === null) throw new CliError(`There is no organization "${name}". See \`npm run berth -- org list\`.`);
  return found;
}

/** The columns of an organization that the options of a command set. */
function columnsOf({ maxConcurrentSessions: cap, ...options }: OrganizationOptions) {
  return { ...options, ...(cap === undefined ? {} : { maxConcurrentSessions: cap === 'none' ? null : cap }) };
}

/** `berth org create|list|update`: organizations are the operator's business, so these act on the database (D54). */
export function organizationCommands(program: Command, deployment: Deployment): void {
  const org = program.command('org').description('organizations of this deployment (acts on the database)');
  const withOptions = (command: Command): Command =>
    command
      .option('--plan <plan>', `one of ${Object.keys(deployment.planLimits).join(', ')}`)
      .option('--max-concurrent-sessions <n>', 'cap that overrides the plan\'s; "none" for the plan\'s', capOrNone)
      .option('--projects-enabled <true|false>', 'whether the organization manages projects', trueOrFalse)
      .option('--external-id <id>', 'value of the org_id claim in OAuth tokens', externalId);

  withOptions(org.command('create').description('create an organization, its project Default and a first org-wide key'))
    .argument('<name>', 'shown in lists', displayName)
    .action(async (name: string, options: OrganizationOptions) => {
      assertPlan(options.plan, deployment);
      const key = newApiKeySecret();
      const created = await onDatabase(deployment, (prisma) =>
        unique(createOrganization(prisma, { name, firstKey: key, ...columnsOf(options) }), { name, ...options }),
      );
      printRecord({ id: created.organizationId, name, default_project_id: created.defaultProjectId, key: key.secret });
      process.stderr.write('The key is shown this once; keep it.\n');
    });

  org
    .command('list')
    .description('list organizations')
    .action(async () => {
      const rows = await onDatabase(deployment, (prisma) =>
        prisma.organization.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
      );
      printTable(
        ['ID', 'NAME', 'PLAN', 'CAP', 'PROJECTS', 'EXTERNAL ID'],
        rows.map((row) => [
          row.id,
          row.name,
          row.plan,
          row.maxConcurrentSessions ?? deployment.planLimits[row.plan],
          row.projectsEnabled,
          row.externalId,
        ]),
      );
    });

  withOptions(org.command('update <name-or-id>').description('change an organization')).action(
    async (name: string, options: OrganizationOptions) => {
      assertPlan(options.plan, deployment);
      const changed = await onDatabase(deployment, async (prisma) => {
        const { id } = await organizationNamed(prisma, name);
        return unique(prisma.organization.update({ where: { id }, data: columnsOf(options) }), { name, ...options });
      });
      await announceChange(deployment, changed.id);
      printRecord({
        id: changed.id,
        name: changed.name,
        plan: changed.plan,
        max_concurrent_sessions: changed.maxConcurrentSessions,
        projects_enabled: changed.projectsEnabled,
        external_id: changed.externalId,
      });
    },
  );
}

export { organizationNamed };
