#!/usr/bin/env node
/**
 * Stands in for Prisma's native `schema-engine` (PRISMA_SCHEMA_ENGINE_BINARY), which the CLI would fetch from a host that a closed
 * network cannot reach. It takes the same arguments, speaks the same JSON-RPC, one message a line on standard input and output, and
 * has the work done by Prisma's own WebAssembly engine through `pg`.
 */
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createDatabase, describeError, dropDatabase, ping } from './schema-engine/databases.mjs';
import { SchemaEngineService } from './schema-engine/service.mjs';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  // The CLI passes options of the native engine that have no meaning here.
  strict: false,
  options: {
    datamodels: { type: 'string', multiple: true },
    datasource: { type: 'string' },
    version: { type: 'boolean' },
    'enabled-preview-features': { type: 'string' },
    'extension-types': { type: 'string' },
  },
});
/** `{ url, shadowDatabaseUrl? }`; absent for commands that need no database. */
const datasource = options.datasource ? JSON.parse(options.datasource) : {};

const isPrismaCode = (code) => typeof code === 'string' && /^P\d/.test(code);

/** `schema-engine cli <command>`: a single act, told by the exit code, with the reason in the log on standard error. */
async function runCommand(name) {
  const commands = {
    'can-connect-to-database': () => ping(datasource.url),
    'create-database': () => createDatabase(datasource.url),
    'drop-database': () => dropDatabase(datasource.url),
  };
  try {
    if (!commands[name]) throw new Error(`unknown command ${name}`);
    await commands[name]();
    return 0;
  } catch (error) {
    const told = describeError(error, datasource.url);
    // The CLI skips the first line and reads the error from the second.
    log('INFO', 'schema-engine (wasm)');
    log('ERROR', told.message, { error_code: isPrismaCode(told.code) ? told.code : undefined, is_panic: false });
    return 1;
  }
}

function log(level, message, extra) {
  const entry = { timestamp: new Date().toISOString(), level, fields: { message, ...extra }, target: 'schema_engine::logger' };
  process.stderr.write(`${JSON.stringify(entry)}\n`);
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const failure = (id, summary, data) => ({ id, error: { code: 4466, message: summary, data: { is_panic: false, ...data } } });

/** Serves JSON-RPC until standard input closes. One request at a time: the engine keeps state from one to the next. */
function serve() {
  let current;
  const service = new SchemaEngineService(datasource, options.datamodels ?? [], {
    print: (content) => send({ id: 0, method: 'print', params: { content } }),
    // A panic leaves the promise of its call unsettled for ever: answer in its place, then end as the native engine does.
    panicked(message) {
      send(failure(current, 'panic', { message: `Schema engine panicked: ${message}` }));
      process.on('uncaughtException', () => {});
      setTimeout(() => process.exit(101), 50);
    },
  });

  async function handle(line) {
    const { id, method, params = {} } = JSON.parse(line);
    // Without a method it is the CLI's answer to our `print`.
    if (!method) return;
    current = id;
    try {
      send({ id, result: (await service.call(method, params)) ?? null });
    } catch (error) {
      const told = describeError(error, datasource.url);
      const code = [told.code, told.error_code].find(isPrismaCode) ?? null;
      send(
        failure(id, 'An error happened. Check the data field for details.', {
          message: String(told.message ?? told),
          meta: told.meta ?? null,
          error_code: code,
        }),
      );
    }
  }

  let queue = Promise.resolve();
  createInterface({ input: process.stdin, crlfDelay: Infinity })
    .on('line', (line) => {
      if (line.trim()) queue = queue.then(() => handle(line));
    })
    .on('close', () => void queue.finally(() => process.exit(0)));
}

if (options.version) console.log('schema-engine-cli wasm');
else if (words[0] === 'cli') process.exitCode = await runCommand(words[1]);
else serve();
