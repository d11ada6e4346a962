/** Connections as the WebAssembly engine wants them: Prisma's adapter for `pg`, with what it lacks for migrations put right. */
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, DriverAdapterError } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { createDatabase, dropDatabase, postgresUrl, schemaOf, withDatabase } from './databases.mjs';

/** PostgreSQL's one-byte catalog type `"char"`. */
const catalogCharOid = 18;

/**
 * The adapter refuses columns of the type `"char"`, which the engine reads from the catalogs and expects as characters. So they are
 * announced to the adapter as `time`, which no catalog holds and which comes through as text, and named rightly again on the way out.
 */
class CatalogClient extends pg.Client {
  constructor(config) {
    super(config);
    this.connection.prependListener('rowDescription', ({ fields }) => {
      for (const field of fields) if (field.dataTypeID === catalogCharOid) field.dataTypeID = pg.types.builtins.TIME;
    });
  }
}

function withCatalogChars(queryable) {
  const queryRaw = queryable.queryRaw.bind(queryable);
  queryable.queryRaw = async (query) => {
    const result = await queryRaw(query);
    return { ...result, columnTypes: result.columnTypes.map((type) => (type === ColumnTypeEnum.Time ? ColumnTypeEnum.Character : type)) };
  };
  return queryable;
}

/** The adapter cuts scripts at every `;`, also inside the body of a function: send them whole, as the native engine does. */
async function executeWhole(pool, script) {
  try {
    await pool.query(script);
  } catch (error) {
    // Only PostgreSQL's own errors have a severity; the rest is about the connection.
    if (!error.severity) throw error;
    const { severity, message, detail, column, hint, code } = error;
    throw new DriverAdapterError({
      kind: 'postgres',
      code: code ?? 'N/A',
      severity,
      message,
      detail,
      column,
      hint,
      originalCode: code,
      originalMessage: message,
    });
  }
}

export async function openConnection(url) {
  if (!url) throw new Error('the datasource has no url');
  const pool = new pg.Pool({ connectionString: postgresUrl(url), Client: CatalogClient });
  const connection = withCatalogChars(await new PrismaPg(pool, { schema: schemaOf(url), disposeExternalPool: true }).connect());
  connection.executeScript = (script) => executeWhole(pool, script);
  const startTransaction = connection.startTransaction.bind(connection);
  connection.startTransaction = async (...options) => withCatalogChars(await startTransaction(...options));
  return connection;
}

/**
 * An empty database to try migrations in; the one given, or one made for the occasion. The adapter's own way ignores the new database's
 * name when it was given a URL, and drops it while still connected.
 */
export async function openShadowConnection({ url, shadowDatabaseUrl }) {
  if (shadowDatabaseUrl) return openConnection(shadowDatabaseUrl);
  const shadowUrl = withDatabase(url, `prisma_migrate_shadow_db_${crypto.randomUUID()}`);
  await createDatabase(shadowUrl);
  const connection = await openConnection(shadowUrl);
  const dispose = connection.dispose.bind(connection);
  connection.dispose = async () => {
    await dispose();
    await dropDatabase(shadowUrl);
  };
  return connection;
}

const refuse = () => {
  throw new Error('this command has no database');
};

/** For work on files alone. The engine still asks which server it has; the answer is one that supports everything. */
export const openNoConnection = async () => ({
  provider: 'postgres',
  adapterName: '@prisma/adapter-pg',
  getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
  queryRaw: async () => ({
    columnNames: ['schema_exists', 'version', 'numeric_version'],
    columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
    rows: [[true, 'PostgreSQL 15', 150_000]],
  }),
  dispose: async () => {},
  executeScript: refuse,
  executeRaw: refuse,
  startTransaction: refuse,
});
