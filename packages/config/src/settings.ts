/**
 * Every setting of Berth (D52, D2, D11, D61) in one table: what it means, what it accepts, what it is when unset, and who reads it.
 * An app reads its own selection with `readConfig`; nothing else in the product looks at the environment.
 */
import * as read from './parsers.js';
import type { Parser } from './parsers.js';

/** Who reads a setting. `launcher` is `npm start` and its kin. */
export type Reader = 'api' | 'worker' | 'browser-host' | 'cli' | 'launcher';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Setting<T = unknown> {
  readonly parser: Parser<T>;
  readonly description: string;
  readonly readBy: readonly Reader[];
  /** Text used when the variable is unset or empty; a function when it follows another setting. */
  readonly fallback?: string | ((env: Environment) => string);
  /** Absent and without fallback: `required` is a fault, otherwise the value is `undefined`. */
  readonly required?: boolean;
  /** A secret's value is never shown, not even in the message about its own fault. */
  readonly secret?: boolean;
  /** A value that would do, shown in the message about a fault. */
  readonly example: string;
}

type Fallback = string | ((env: Environment) => string);
type Details = Omit<Setting, 'parser' | 'fallback' | 'required'>;

const apps = ['api', 'worker', 'browser-host'] as const;
const withDefault = <T>(parser: Parser<T>, fallback: Fallback, details: Omit<Details, 'example'> & { example?: string }) =>
  ({ parser, fallback, example: typeof fallback === 'string' ? fallback : '', ...details }) as const;
const required = <T>(parser: Parser<T>, details: Details) => ({ parser, required: true, ...details }) as const;
const optional = <T>(parser: Parser<T>, details: Details) => ({ parser, ...details }) as const;

/** Headers that HTTP, every client or the API itself gives a meaning: none can name a project as well. */
const takenHeaders = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'last-event-id',
  'origin',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-request-id',
  'x-service-project-id',
] as const;
const apiKey = () => read.matching(/^bk_[0-9A-Za-z]{32,}$/, 'bk_ followed by 32 or more letters and digits');
const given = (env: Environment, name: string, fallback: string) => env[name]?.trim() || fallback;
/**
 * Where a process is reached on its own machine; a wildcard is no address to dial, and a port that is no number is its own setting's fault.
 */
function localOrigin(env: Environment, portName: string, fallbackPort: string): string {
  const address = given(env, 'BERTH_LISTEN_ADDRESS', '127.0.0.1');
  const port = given(env, portName, fallbackPort);
  return `http://${['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address}:${/^\d{1,5}$/.test(port) ? port : fallbackPort}`;
}

export const settings = {
  BERTH_DATABASE_URL: required(read.url('postgres:', 'postgresql:'), {
    description: 'PostgreSQL to use. Unset, `npm start` runs its own in BERTH_DATA_DIR.',
    secret: true,
    readBy: [...apps, 'cli', 'launcher'],
    example: 'postgresql://user:password@host:5432/berth',
  }),
  BERTH_DATABASE_POOL_SIZE: withDefault(read.integer(2, 500), '10', {
    description: 'Connections to PostgreSQL that one process keeps at most; a sweep holds one and works with another.',
    readBy: apps,
  }),
  BERTH_REDIS_URL: required(read.url('redis:', 'rediss:'), {
    description: 'Redis to use. Unset, `npm start` runs its own in BERTH_DATA_DIR.',
    secret: true,
    readBy: [...apps, 'cli', 'launcher'],
    example: 'redis://host:6379/0',
  }),
  BERTH_SECRET_KEY: required(read.keyOf(32), {
    description:
      'Seals profiles, credentials and answers at rest. On the embedded default one is made once, in a file only its owner reads.',
    secret: true,
    readBy: [...apps, 'launcher'],
    example: 'the output of `openssl rand -hex 32`',
  }),
  BERTH_SECRET_KEYS_PREVIOUS: withDefault(read.listOf(read.keyOf(32)), '', {
    description: 'Former values of BERTH_SECRET_KEY, comma-separated: they open what they sealed and seal nothing new.',
    secret: true,
    readBy: apps,
    example: 'the former BERTH_SECRET_KEY',
  }),
  BERTH_DATA_DIR: withDefault(read.text(), '.berth', {
    description:
      'Folder of the embedded default: data of PostgreSQL and Redis, Chromium, generated keys. Relative to where the command runs.',
    readBy: [...apps, 'cli', 'launcher'],
  }),
  BERTH_LOG_LEVEL: withDefault(read.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info', {
    description: 'Least severe log line that is written.',
    readBy: apps,
  }),
  BERTH_LISTEN_ADDRESS: withDefault(read.text(), '127.0.0.1', {
    description: 'Address that the servers listen on; 0.0.0.0 in a container.',
    readBy: apps,
    example: '0.0.0.0',
  }),
  BERTH_METRICS_PORT: optional(read.port(), {
    description: 'Port for /metrics alone. Unset, /metrics answers on the main port.',
    readBy: apps,
    example: '9464',
  }),

  BERTH_API_PORT: withDefault(read.port(), '8080', { description: 'HTTP port of the API.', readBy: ['api', 'launcher'] }),
  BERTH_PUBLIC_URL: withDefault(read.url('http:', 'https:'), (env) => localOrigin(env, 'BERTH_API_PORT', '8080'), {
    description: 'Base URL under which callers reach the API; used in hosted_url and by the CLI. Unset, the API on this machine.',
    readBy: ['api', 'worker', 'cli', 'launcher'],
    example: 'https://berth.example.com',
  }),
  BERTH_PROJECT_HEADER_ALIASES: withDefault(read.headerNames(...takenHeaders), '', {
    description: 'Other names of the X-Service-Project-Id header, comma-separated (D2).',
    readBy: ['api'],
    example: 'X-Other-Project-Id',
  }),
  BERTH_KEY_CACHE_SECONDS: withDefault(read.integer(0, 3600), '30', {
    description:
      'How long a process may trust an API key it has looked up; revocations are announced at once, this is the bound when Redis is down.',
    readBy: ['api', 'cli'],
  }),
  BERTH_SSE_HEARTBEAT_SECONDS: withDefault(read.integer(1, 300), '15', {
    description: 'Time between heartbeats on an event stream (D48).',
    readBy: ['api'],
  }),
  BERTH_STOP_NOTICE_SECONDS: withDefault(read.integer(0, 8), '1', {
    description: 'How long an API that was told to stop still takes requests while its readiness fails, so that a balancer sees it (D55).',
    readBy: ['api'],
  }),
  BERTH_OAUTH_ISSUER: optional(read.url('http:', 'https:'), {
    description: 'Issuer of the OAuth access tokens to accept (D11). Unset, every JWT is refused.',
    readBy: ['api'],
    example: 'https://login.example.com',
  }),
  BERTH_OAUTH_AUDIENCE: optional(read.text(), {
    description: 'Audience those tokens must name. Needed with BERTH_OAUTH_ISSUER.',
    readBy: ['api'],
    example: 'https://berth.example.com',
  }),
  BERTH_BOOTSTRAP_ORG: optional(read.text(), {
    description: 'Organization made on the first run, with its default project and first key (D13).',
    readBy: ['api', 'launcher'],
    example: 'Acme',
  }),
  BERTH_BOOTSTRAP_KEY: optional(apiKey(), {
    description: 'First org-wide key of that organization. Unset, one is made and written to bootstrap-key in BERTH_DATA_DIR.',
    secret: true,
    readBy: ['api', 'launcher'],
    example: 'bk_ and at least 32 random letters and digits',
  }),
  BERTH_ORG_MAX_CONCURRENT_SESSIONS: withDefault(read.integer(0, 1_000_000), '100', {
    description: 'Browsers that the bootstrapped organization may run at once (D23).',
    readBy: ['api'],
  }),
  BERTH_PLAN_LIMITS: withDefault(
    read.namedIntegers({ developer: 5, hobbyist: 10, startup: 150, enterprise: 1000 }, 1_000_000),
    'developer=5,hobbyist=10,startup=150,enterprise=1000',
    { description: 'Browsers at once of each plan (D23); a plan left out keeps its default.', readBy: ['api', 'worker', 'cli'] },
  ),

  BERTH_LEASE_SECONDS: withDefault(read.integer(1, 3600), '30', {
    description: 'How long a browser stays counted without a sign of life from its host.',
    readBy: apps,
  }),
  BERTH_LAUNCH_TIMEOUT_SECONDS: withDefault(read.integer(1, 300), '10', {
    description: 'How long a create waits for a host to start the browser before 529.',
    readBy: ['api', 'worker', 'browser-host'],
  }),
  BERTH_RECONCILE_SECONDS: withDefault(read.integer(1, 3600), '15', {
    description: 'Time between comparisons of Redis with PostgreSQL that free what a crash left counted.',
    readBy: ['api', 'worker'],
  }),
  BERTH_SWEEP_SECONDS: withDefault(read.integer(1, 300), '2', {
    description: 'Time between searches for flows past their deadline or without a worker (D39).',
    readBy: ['api', 'worker'],
  }),

  BERTH_WORKER_PORT: withDefault(read.port(), '8070', {
    description: 'Port of the worker for health and metrics.',
    readBy: ['worker', 'launcher'],
  }),
  BERTH_WORKER_CONCURRENCY: withDefault(read.integer(1, 10_000), '100', {
    description: 'Login flows that one worker holds at once; most of them only wait for a person.',
    readBy: ['worker'],
  }),
  BERTH_FLOW_PAUSE_SECONDS: withDefault(read.integer(1, 86_400), '600', {
    description: 'How long a flow waits for an answer (D39).',
    readBy: ['api', 'worker'],
  }),
  BERTH_FLOW_TOTAL_SECONDS: withDefault(read.integer(1, 86_400), '1200', {
    description: 'How long a flow may take overall (D39).',
    readBy: ['api', 'worker'],
  }),
  BERTH_FLOW_MAX_STEPS: withDefault(read.integer(1, 1000), '25', {
    description: 'Steps after which a flow fails with max_steps_exceeded (D43).',
    readBy: ['worker'],
  }),
  BERTH_DISCOVERY_QUIET_MS: withDefault(read.integer(0, 60_000), '500', {
    description: 'Milliseconds without change before a page on which nothing is recognised is judged (D43).',
    readBy: ['worker'],
  }),
  BERTH_DISCOVERY_QUIET_MAX_MS: withDefault(read.integer(0, 120_000), '10000', {
    description: 'Milliseconds to wait for that quiet at most (D43).',
    readBy: ['worker'],
  }),
  BERTH_ALLOW_PRIVATE_NETWORKS: withDefault(read.flag(), 'true', {
    description:
      'Whether browsers may reach private and loopback addresses. false needs an egress proxy that does not exist yet, so it is refused (D61).',
    readBy: ['api', 'worker', 'browser-host'],
  }),

  BERTH_HOST_ID: optional(read.matching(/^[a-z0-9][a-z0-9-]{0,62}$/, '1 to 63 lower-case letters, digits and hyphens'), {
    description: 'Name of a browser host, unique among the hosts. Unset, one is made at each start.',
    readBy: ['browser-host'],
    example: 'host-1',
  }),
  BERTH_HOST_PORT: withDefault(read.port(), '8090', {
    description: 'Port of the browser host: CDP, BiDi, live view.',
    readBy: ['browser-host', 'launcher'],
  }),
  BERTH_HOST_INTERNAL_URL: withDefault(read.urlTemplate('http:', 'https:'), (env) => localOrigin(env, 'BERTH_HOST_PORT', '8090'), {
    description: 'Where API and worker processes reach this browser host.',
    readBy: ['browser-host'],
    example: 'http://browser-host-1:8090',
  }),
  BERTH_HOST_PUBLIC_URL: withDefault(
    read.urlTemplate('http:', 'https:'),
    (env) => given(env, 'BERTH_HOST_INTERNAL_URL', localOrigin(env, 'BERTH_HOST_PORT', '8090')),
    {
      description: 'Where callers reach this browser host; {host_id} is filled in. Unset, its internal URL.',
      readBy: ['browser-host'],
      example: 'https://berth.example.com/hosts/{host_id}',
    },
  ),
  BERTH_HOST_CAPACITY: withDefault(read.integer(1, 10_000), '20', {
    description: 'Browsers that one host runs at once.',
    readBy: ['browser-host'],
  }),
  BERTH_HOST_WARM_BROWSERS: withDefault(read.integer(0, 1000), '1', {
    description: 'Browsers that a host keeps started for the next create.',
    readBy: ['browser-host'],
  }),
  BERTH_BROWSER_MEMORY_MB: withDefault(read.integer(128, 1_000_000), '4096', {
    description: 'Memory in MiB that one browser may take, all its processes together; above it the session is ended.',
    readBy: ['browser-host'],
  }),
  BERTH_CHROMIUM_PATH: optional(read.text(), {
    description: 'Chromium to run. Unset, the one shipped with npm, unpacked into BERTH_DATA_DIR.',
    readBy: ['browser-host', 'cli', 'launcher'],
    example: '/usr/bin/chromium',
  }),
  BERTH_CHROMIUM_SANDBOX: withDefault(read.flag(), 'true', {
    description:
      'Whether Chromium runs in its own sandbox. The embedded default turns it off, because the npm-shipped build has none and root cannot use it.',
    readBy: ['browser-host', 'launcher'],
  }),

  BERTH_API_KEY: optional(apiKey(), {
    description: 'Key that the CLI uses for calls over HTTP.',
    secret: true,
    readBy: ['cli'],
    example: 'bk_…',
  }),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
