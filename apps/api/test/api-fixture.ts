import { createLogger, type LoggerOptions } from '@berth/logging';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Database } from '@berth/database';
import { type Endpoint, ErrorBody, errorTraits, refusalsOf } from '@berth/schema';
import { createTenant, everySlotSettles, freshStores, type FreshStores, type Tenant, type TenantChoices } from '@berth/testkit';
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
  readonly call: <T = unknown>(method: string, path: string, options?: CallOptions) => Promise<Reply<T>>;
  /** Ends by the invariant of admission, over every tenant of this API; `forged` where a test has written rows that hold no slots. */
  stop(rows?: 'forged'): Promise<void>;
}

export const testSecretKey = '5a'.repeat(32);

/** Whether the document lists the refusal for the endpoint. */
function isListed(endpoint: Endpoint, statusCode: number, { code }: ErrorBody): boolean {
  return [...refusalsOf(endpoint)].map(errorTraits).some(({ status, wireCode }) => status === statusCode && wireCode === code);
}

/**
 * Every JSON answer of the suite is held against the schema of its endpoint and status, every refusal against those listed; a mismatch is a
 * loud 500 (house, habit 9).
 */
function checkEveryAnswer(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('preSerialization', async (request, reply, payload) => {
    const { endpoint } = request.routeOptions.config;
    const schema =
      reply.statusCode >= 400 && endpoint?.responses[reply.statusCode] === undefined ? ErrorBody : endpoint?.responses[reply.statusCode];
    if (schema == null)
      throw new Error(`${endpoint?.operationId ?? request.url} answers ${reply.statusCode}, which its contract does not list`);
    const result = schema.safeParse(payload);
    if (result.success && schema === ErrorBody && endpoint !== undefined && !isListed(endpoint, reply.statusCode, payload as ErrorBody)) {
      throw new Error(
        `${endpoint.operationId} refuses with ${reply.statusCode} ${(payload as ErrorBody).code}, which its contract does not list`,
      );
    }
    if (!result.success)
      throw new Error(
        `${endpoint?.operationId ?? request.url} ${reply.statusCode} breaks its contract: ${result.error.message} in ${JSON.stringify(payload)}`,
      );
    return payload;
  });
}

/** JSON parsed, pages as their text; a stream is left as soon as it has begun. */
async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return void (await response.body?.cancel());
  const text = await response.text();
  if (text === '') return undefined;
  return type.startsWith('application/json') ? JSON.parse(text) : text;
}

/** `log` reads what the process logs; without it the lines go to standard output. */
export async function startApi(env: Record<string, string> = {}, log?: LoggerOptions['destination']): Promise<ApiFixture> {
  const stores = await freshStores();
  const config = readApiConfig({
    BERTH_DATABASE_URL: stores.databaseUrl,
    BERTH_REDIS_URL: stores.redisUrl,
    BERTH_SECRET_KEY: testSecretKey,
    BERTH_API_PORT: '0',
    BERTH_LOG_LEVEL: 'error',
    ...env,
  });
  const app = await createApp(
    config,
    createLogger({ name: 'api-test', level: config.logLevel, ...(log === undefined ? {} : { destination: log }) }),
  );
  checkEveryAnswer(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const database = new Database({ url: config.databaseUrl, maxConnections: 3 });

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
    return { status: response.status, headers: response.headers, body: (await bodyOf(response)) as T };
  }

  return {
    url,
    stores,
    database,
    app,
    call,
    tenant: (choices) => createTenant(database, choices),
    stop: async (rows) => {
      try {
        // A row that a test made and took away by hand may have been given its slot by a sweep: that one is back within a lease.
        if (rows !== 'forged') await everySlotSettles(database, stores.redisUrl, (config.leaseSeconds + 15) * 1_000);
      } finally {
        await app.close();
        await database.close();
        await stores.drop();
      }
    },
  };
}
