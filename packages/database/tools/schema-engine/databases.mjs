/** What the engine does to PostgreSQL servers as such: make, drop and reach databases, and tell errors in Prisma's codes. */
import pg from 'pg';

/** Prisma's own additions to a connection URL, which PostgreSQL would refuse as unknown. */
const prismaParameters = ['schema', 'connection_limit', 'pool_timeout', 'pgbouncer'];

export const schemaOf = (url) => new URL(url).searchParams.get('schema') ?? undefined;

export function postgresUrl(url) {
  const plain = new URL(url);
  for (const name of prismaParameters) plain.searchParams.delete(name);
  return plain.toString();
}

export function withDatabase(url, name) {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(name)}`;
  return changed.toString();
}

const nameOf = (url) => decodeURIComponent(new URL(url).pathname.slice(1)) || 'postgres';

/** A database that every server has and that is not the one in question. */
const neighbour = (url) => withDatabase(url, nameOf(url) === 'postgres' ? 'template1' : 'postgres');

const quoted = (identifier) => `"${identifier.replaceAll('"', '""')}"`;

async function execute(url, sql) {
  const client = new pg.Client({ connectionString: postgresUrl(url) });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export const ping = (url) => execute(url, 'SELECT 1');

/** Errors of CREATE DATABASE when another made the same one: it is there (42P04), or is being made at this moment (23505). */
const madeByAnother = ['42P04', '23505'];

/** Makes the database. Several deploys may find it missing at the same time; that another was quicker is as good. */
export async function createDatabase(url) {
  try {
    await execute(neighbour(url), `CREATE DATABASE ${quoted(nameOf(url))}`);
  } catch (error) {
    if (!madeByAnother.includes(error.code)) throw error;
  }
  return { databaseName: nameOf(url) };
}

export const dropDatabase = (url) => execute(neighbour(url), `DROP DATABASE IF EXISTS ${quoted(nameOf(url))} WITH (FORCE)`);

/** Errors that the CLI knows by Prisma's code, and acts on: it offers to make a database on P1003, for one. */
const knownErrors = [
  {
    when: ['3D000'],
    code: 'P1003',
    tell: (url) => `Database \`${nameOf(url)}\` does not exist on the database server at \`${new URL(url).host}\`.`,
  },
  {
    when: ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET'],
    code: 'P1001',
    tell: (url) => `Can't reach database server at \`${new URL(url).host}\``,
  },
  {
    when: ['28P01', '28000'],
    code: 'P1000',
    tell: (url) => `Authentication failed against the database server at \`${new URL(url).host}\``,
  },
];

/** The same error in Prisma's words and with its code where it has one. */
export function describeError(error, url) {
  const known = knownErrors.find(({ when }) => when.includes(error?.code));
  return known ? Object.assign(new Error(known.tell(url)), { code: known.code }) : error;
}
