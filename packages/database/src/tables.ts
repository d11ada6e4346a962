import type { Prisma, PrismaClient } from './generated/prisma/client.js';
import type { OrganizationScope, ProjectScope } from './scope.js';

type Models = Prisma.TypeMap['model'];

/** Prisma delegates of tables owned by a project, and of tables owned by an organization. */
const projectOwned = ['browserSession', 'browserPool', 'invocation', 'profile', 'credential', 'authConnection', 'loginFlow'] as const;
const organizationOwned = ['project', 'apiKey'] as const;

type ProjectOwned = (typeof projectOwned)[number];
type OrganizationOwned = (typeof organizationOwned)[number];
type Reads = 'findFirst' | 'findMany' | 'count' | 'updateMany' | 'updateManyAndReturn' | 'deleteMany';
type CreateData<M extends string> =
  Capitalize<M> extends keyof Models
    ? Extract<Models[Capitalize<M>]['operations']['create']['args']['data'], { id: string; organizationId?: unknown }>
    : never;
type Row<M extends ProjectOwned | OrganizationOwned> = Models[Capitalize<M>]['payload']['scalars'];

/** A table in which every statement is confined to its tenant, whatever its `where` says. */
export type TenantTable<M extends ProjectOwned | OrganizationOwned, Tenant extends string> = Pick<
  PrismaClient[M],
  Reads & keyof PrismaClient[M]
> & { create(args: { data: Omit<CreateData<M>, Tenant> }): Promise<Row<M>> };

export type ProjectTables = { readonly [M in ProjectOwned]: TenantTable<M, 'organizationId' | 'projectId'> };
export type OrganizationTables = { readonly [M in OrganizationOwned]: TenantTable<M, 'organizationId'> } & {
  /** The organization's own row. */
  readonly own: { read(): Promise<OrganizationRow>; update(data: Prisma.OrganizationUpdateInput): Promise<OrganizationRow> };
};

type OrganizationRow = Models['Organization']['payload']['scalars'];

type Arguments = { where?: object; data?: object };
type LooseDelegate = Record<Reads | 'create', (args: Arguments) => unknown>;

function confine(delegate: LooseDelegate, tenant: Record<string, string>): LooseDelegate {
  // AND, not a spread: a caller's own `projectId` in `where` can then narrow, never replace, the tenant.
  const within =
    (name: Reads) =>
    (args: Arguments = {}) =>
      delegate[name]({ ...args, where: { AND: [tenant, args.where ?? {}] } });
  return {
    findFirst: within('findFirst'),
    findMany: within('findMany'),
    count: within('count'),
    updateMany: within('updateMany'),
    updateManyAndReturn: within('updateManyAndReturn'),
    deleteMany: within('deleteMany'),
    create: (args) => delegate.create({ ...args, data: { ...args.data, ...tenant } }),
  };
}

/** The client inside or outside of a transaction. */
export type AnyClient = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$use' | '$extends'>;

function confineAll(client: AnyClient, names: readonly string[], tenant: Record<string, string>): Record<string, LooseDelegate> {
  const delegates = client as unknown as Record<string, LooseDelegate>;
  return Object.fromEntries(names.map((name) => [name, confine(delegates[name] as LooseDelegate, tenant)]));
}

export function projectTables(client: AnyClient, scope: ProjectScope): ProjectTables {
  return confineAll(client, projectOwned, { organizationId: scope.organizationId, projectId: scope.projectId }) as unknown as ProjectTables;
}

export function organizationTables(client: AnyClient, scope: OrganizationScope): OrganizationTables {
  const where = { id: scope.organizationId };
  const own: OrganizationTables['own'] = {
    read: () => client.organization.findUniqueOrThrow({ where }),
    update: (data) => client.organization.update({ where, data }),
  };
  return { ...confineAll(client, organizationOwned, { organizationId: scope.organizationId }), own } as unknown as OrganizationTables;
}
