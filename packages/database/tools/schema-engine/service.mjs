/** The methods of the engine's JSON-RPC: those of the WebAssembly engine, and the few that differ from the native one's. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { openConnection, openNoConnection, openShadowConnection } from './adapter.mjs';
import { createDatabase } from './databases.mjs';

async function loadEngine() {
  const path = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(readFileSync(path), { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings.SchemaEngine;
}

const needsNoDatabase = ({ from, to }) => [from, to].every(({ tag }) => tag === 'empty' || tag === 'schemaDatamodel');

export class SchemaEngineService {
  #datasource;
  #datamodels;
  #print;
  #loaded;
  #engine;

  /** `datamodels` are paths of schema files; `print` shows text to the user, `panicked` is told when the engine is lost. */
  constructor(datasource, datamodels, { print, panicked }) {
    this.#datasource = datasource;
    this.#datamodels = datamodels;
    this.#print = print;
    // The name under which the WebAssembly engine looks for somebody to tell.
    globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: panicked };
  }

  #methods = {
    createDatabase: () => createDatabase(this.#datasource.url),
    getDatabaseVersion: async () => (await this.#connected()).version(null),
    evaluateDataLoss: (params) => this.#withShadow('evaluateDataLoss', params),
    createMigration: (params) => this.#withShadow('createMigration', params),
    diff: (params) => this.#diff(params),
  };

  async call(method, params) {
    const own = this.#methods[method];
    return own ? own(params) : (await this.#connected())[method](params);
  }

  /** One for all calls: it keeps the schema of the shadow database from one call to the next. */
  #connected() {
    return (this.#engine ??= this.#make(
      () => openConnection(this.#datasource.url),
      () => openShadowConnection(this.#datasource),
    ));
  }

  async #make(connect, connectToShadowDb) {
    const SchemaEngine = await (this.#loaded ??= loadEngine());
    const files = this.#datamodels.map((path) => [path, readFileSync(path, 'utf8')]);
    const adapter = bindMigrationAwareSqlAdapterFactory({
      provider: 'postgres',
      adapterName: '@prisma/adapter-pg',
      connect,
      connectToShadowDb,
    });
    return SchemaEngine.new({ datamodels: files.length > 0 ? files : undefined }, () => {}, adapter);
  }

  /** These read the shadow database's schema from the engine's memory alone, which `applyMigrations` empties and `devDiagnostic` fills. */
  async #withShadow(method, params) {
    const engine = await this.#connected();
    await engine.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters });
    return engine[method](params);
  }

  /** The native engine prints the difference itself; the WebAssembly engine gives it back. */
  async #diff(params) {
    const engine = needsNoDatabase(params) ? await this.#make(openNoConnection, openNoConnection) : await this.#connected();
    const { exitCode, stdout } = await engine.diff(params);
    if (stdout != null) this.#print(stdout);
    return { exitCode, stdout: null };
  }
}
