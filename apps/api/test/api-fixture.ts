import { createLogger } from '@berth/logging';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Database } from '@berth/database';
import { createTenant, freshStores, type FreshStores, type Tenant, type TenantChoices } from '@berth/testkit';
import { readApiConfig } from '../src/config.js';
import { createApp } from '../src/create-app.js';

export interface Reply<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface CallOptions {
  readonly key?: string;
  readonly project?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** The real API, listening, on stores of its own. */
export interface ApiFixture {
  readonly url: string;
  readonly stores: FreshStores;
  readonly database: Database;
  readonly app: NestFastifyApplication;
  tenant(choices?: TenantChoices): Promise<Tenant>;
  call<T = unknown>(method: string, path: string, options?: CallOptions): Promise<Reply<T>>;
  stop(): Promise<void>;
}

export const testSecretKey = '5a'.repeat(32);

export async function startApi(env: Record<string, string> = {}): Promise<ApiFixture> {
  const stores = await freshStores();
  const config = readApiConfig({
    BERTH_DATABASE_URL: stores.databaseUrl,
    BERTH_REDIS_URL: stores.redisUrl,
    BERTH_SECRET_KEY: testSecretKey,
    BERTH_API_PORT: '0',
    BERTH_LOG_LEVEL: 'error',
    ...env,
  });
  const app = await createApp(config, createLogger({ name: 'api-test', level: config.logLevel }));
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const database = new Database({ url: stores.databaseUrl, maxConnections: 3 });

  async function call<T>(method: string, path: string, { key, project, body, headers }: CallOptions = {}): Promise<Reply<T>> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(project === undefined ? {} : { 'x-service-project-id': project }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text === '' ? undefined : JSON.parse(text)) as T };
  }

  return {
    url, stores, database, app, call,
    tenant: (choices) => createTenant(database, choices),
    stop: async () => {
      await app.close();
      await database.close();
      await stores.drop();
    },
  };
}
