#!/usr/bin/env node
// Stand-in for Prisma's native `schema-engine` (PRISMA_SCHEMA_ENGINE_BINARY): same arguments and JSON-RPC over
// stdio, carried out by Prisma's own WebAssembly schema engine through `pg`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory as bind, ColumnTypeEnum as T, DriverAdapterError } from '@prisma/driver-adapter-utils';
import * as bg from '@prisma/schema-engine-wasm/schema_engine_bg';

const { values: args, positionals } = parseArgs({ allowPositionals: true, strict: false, options: {
  datamodels: { type: 'string', multiple: true }, datasource: { type: 'string' }, version: { type: 'boolean' },
  'enabled-preview-features': { type: 'string' }, 'extension-types': { type: 'string' } } });
if (args.version) { console.log('schema-engine-cli wasm'); process.exit(0); }
const ds = args.datasource ? JSON.parse(args.datasource) : {};
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\n');
const log = (level, message, extra) => process.stderr.write(JSON.stringify({ timestamp: new Date().toISOString(), level, fields: { message, ...extra }, target: 'schema_engine::logger' }) + '\n');

const dbName = (url) => decodeURIComponent(new URL(url).pathname.slice(1)) || 'postgres';
const withDatabase = (url, name) => { const u = new URL(url); u.pathname = '/' + encodeURIComponent(name); return u.toString(); };
const admin = (url) => withDatabase(url, dbName(url) === 'postgres' ? 'template1' : 'postgres');
const schemaOf = (url) => new URL(url).searchParams.get('schema') ?? undefined;
const pgUrl = (url) => { const u = new URL(url); for (const k of ['schema', 'connection_limit', 'pool_timeout', 'pgbouncer']) u.searchParams.delete(k); return u.toString(); };
const quote = (id) => '"' + id.replaceAll('"', '""') + '"';
async function once(url, sql) {
  const c = new pg.Client({ connectionString: pgUrl(url) });
  await c.connect();
  try { return await c.query(sql); } finally { await c.end(); }
}
function known(e, url) {
  const as = (code, message) => Object.assign(new Error(message), { code });
  if (e?.code === '3D000') return as('P1003', `Database \`${dbName(url)}\` does not exist on the database server at \`${new URL(url).host}\`.`);
  if (['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET'].includes(e?.code)) return as('P1001', `Can't reach database server at \`${new URL(url).host}\``);
  if (['28P01', '28000'].includes(e?.code)) return as('P1000', `Authentication failed against the database server at \`${new URL(url).host}\``);
  return e;
}
const createDatabase = async (url) => { await once(admin(url), `CREATE DATABASE ${quote(dbName(url))}`); return { databaseName: dbName(url) }; };

if (positionals[0] === 'cli') {
  try {
    if (positionals[1] === 'can-connect-to-database') await once(ds.url, 'SELECT 1');
    else if (positionals[1] === 'create-database') await createDatabase(ds.url);
    else if (positionals[1] === 'drop-database') await once(admin(ds.url), `DROP DATABASE IF EXISTS ${quote(dbName(ds.url))} WITH (FORCE)`);
    else throw new Error(`unknown command ${positionals[1]}`);
    process.exit(0);
  } catch (err) {
    const e = known(err, ds.url);
    log('INFO', 'schema-engine (wasm)'); // Prisma's CLI skips the first line
    log('ERROR', e.message, { error_code: e.code?.startsWith('P') ? e.code : undefined, is_panic: false });
    process.exit(1);
  }
}

let current; // a Rust panic leaves the call's promise unsettled: answer it here, then end as the native engine does
globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message(m) {
  send({ id: current, error: { code: 4466, message: 'panic', data: { is_panic: false, message: `Schema engine panicked: ${m}` } } });
  process.on('uncaughtException', () => {});
  setTimeout(() => process.exit(101), 50);
} };
const wasm = readFileSync(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm'));
const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bg });
bg.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

// adapter-pg refuses the catalog type "char" (OID 18), which the engine wants as Character: carry it as `time`, unused in catalogs
class CatalogClient extends pg.Client {
  constructor(config) {
    super(config);
    this.connection.prependListener('rowDescription', (m) => { for (const f of m.fields) if (f.dataTypeID === 18) f.dataTypeID = pg.types.builtins.TIME; });
  }
}
function fixChars(q) {
  const raw = q.queryRaw.bind(q);
  q.queryRaw = async (x) => { const r = await raw(x); return { ...r, columnTypes: r.columnTypes.map((t) => (t === T.Time ? T.Character : t)) }; };
  return q;
}
async function open(url) {
  if (!url) throw new Error('the datasource has no url');
  const pool = new pg.Pool({ connectionString: pgUrl(url), Client: CatalogClient });
  const conn = fixChars(await new PrismaPg(pool, { schema: schemaOf(url), disposeExternalPool: true }).connect());
  // adapter-pg splits scripts at every ';' (breaks $$ bodies): send the script whole, as the native engine does
  conn.executeScript = async (script) => {
    try { await pool.query(script); } catch (e) {
      if (!e.severity) throw e;
      throw new DriverAdapterError({ kind: 'postgres', code: e.code ?? 'N/A', severity: e.severity, message: e.message, detail: e.detail, column: e.column, hint: e.hint, originalCode: e.code, originalMessage: e.message });
    }
  };
  const start = conn.startTransaction.bind(conn);
  conn.startTransaction = async (...a) => fixChars(await start(...a));
  return conn;
}
async function openShadow(url) { // adapter-pg's own ignores the new name when given a URL, and drops before it disconnects
  if (ds.shadowDatabaseUrl) return open(ds.shadowDatabaseUrl);
  const name = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
  await once(url, `CREATE DATABASE ${quote(name)}`);
  const conn = await open(withDatabase(url, name));
  const dispose = conn.dispose.bind(conn);
  conn.dispose = async () => { await dispose(); await once(url, `DROP DATABASE IF EXISTS ${quote(name)} WITH (FORCE)`); };
  return conn;
}
const make = (connect, connectToShadowDb) => bg.SchemaEngine.new({ datamodels: args.datamodels?.map((f) => [f, readFileSync(f, 'utf8')]) }, () => {},
  bind({ provider: 'postgres', adapterName: '@prisma/adapter-pg', connect, connectToShadowDb }));
let started;
const engine = () => (started ??= make(() => open(ds.url), () => openShadow(ds.url)));
const never = () => { throw new Error('no database in this command'); };
const offline = () => make(async () => ({ provider: 'postgres', adapterName: '@prisma/adapter-pg', dispose: async () => {}, executeScript: never, executeRaw: never, startTransaction: never,
  getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
  queryRaw: async () => ({ columnNames: ['schema_exists', 'version', 'numeric_version'], columnTypes: [T.Boolean, T.Text, T.Int32], rows: [[true, 'PostgreSQL 15', 150000]] }) }), never);
// these two read the shadow schema from the engine's cache only; applyMigrations empties it, devDiagnostic fills it
const withShadow = (method) => async (p) => { const e = await engine(); await e.devDiagnostic({ migrationsList: p.migrationsList, filters: p.filters }); return e[method](p); };
const methods = {
  createDatabase: () => createDatabase(ds.url),
  getDatabaseVersion: async () => (await engine()).version(null),
  evaluateDataLoss: withShadow('evaluateDataLoss'),
  createMigration: withShadow('createMigration'),
  async diff(p) {
    const files = [p.from, p.to].every((t) => t.tag === 'empty' || t.tag === 'schemaDatamodel');
    const { exitCode, stdout } = await (await (files ? offline() : engine())).diff(p);
    if (stdout != null) send({ id: 0, method: 'print', params: { content: stdout } });
    return { exitCode, stdout: null };
  },
};
async function handle(line) {
  const { id, method, params = {} } = JSON.parse(line);
  if (!method) return; // the answer to `print`
  current = id;
  try {
    send({ id, result: (await (methods[method] ? methods[method](params) : (await engine())[method](params))) ?? null });
  } catch (err) {
    const e = known(err, ds.url);
    const code = [e.code, e.error_code].find((c) => typeof c === 'string' && /^P\d/.test(c)) ?? null;
    send({ id, error: { code: 4466, message: 'An error happened. Check the data field for details.', data: { is_panic: false, message: String(e.message ?? e), meta: e.meta ?? null, error_code: code } } });
  }
}
let queue = Promise.resolve();
createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on('line', (l) => { if (l.trim()) queue = queue.then(() => handle(l)); })
  .on('close', () => queue.finally(() => process.exit(0)));
