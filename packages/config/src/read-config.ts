import { settings, type Environment, type Setting, type SettingName } from './settings.js';

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}` : Lowercase<S>;
/** `BERTH_API_PORT` is `apiPort` in code. */
export type PropertyName<N extends SettingName> = N extends `BERTH_${infer Rest}` ? Camel<Rest> : never;

type Parsed<N extends SettingName> = (typeof settings)[N] extends { parser: { _output: infer T } } ? T : never;
type IsPresent<N extends SettingName> = (typeof settings)[N] extends { fallback: unknown } | { required: true } ? true : false;

/** What `readConfig` gives: settings that are neither required nor have a default may be `undefined`. */
export type Config<N extends SettingName> = {
  readonly [K in N as PropertyName<K>]: IsPresent<K> extends true ? Parsed<K> : Parsed<K> | undefined;
};

/** What `readPresent` gives: a required setting may be missing too. */
export type PresentConfig<N extends SettingName> = {
  readonly [K in N as PropertyName<K>]: (typeof settings)[K] extends { fallback: unknown } ? Parsed<K> : Parsed<K> | undefined;
};

export interface SettingFault {
  readonly name: SettingName;
  /** What is wrong, what the setting is for and what to set, in one line; never a secret's value. */
  readonly message: string;
}

/** The environment cannot be used; `faults` and the message list everything that is wrong with it, not only the first. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly faults: readonly SettingFault[]) {
    super(`The settings cannot be used:\n${faults.map((fault) => `  - ${fault.message}`).join('\n')}`);
  }
}

const table: Readonly<Record<SettingName, Setting>> = settings;

/** Faults that one value alone does not show. Each is looked for when its setting is among those read. */
const rules: readonly { readonly name: SettingName; readonly broken: (env: Environment) => boolean; readonly message: string }[] = [
  {
    name: 'BERTH_ALLOW_PRIVATE_NETWORKS',
    broken: (env) => rawValue('BERTH_ALLOW_PRIVATE_NETWORKS', env)?.toLowerCase() === 'false',
    message:
      'BERTH_ALLOW_PRIVATE_NETWORKS cannot be false: browsers would need an egress proxy that does not exist yet (D61). Unset it, and keep the browser hosts in a network of their own.',
  },
  {
    name: 'BERTH_OAUTH_ISSUER',
    broken: (env) => Boolean(rawValue('BERTH_OAUTH_ISSUER', env)) !== Boolean(rawValue('BERTH_OAUTH_AUDIENCE', env)),
    message: 'BERTH_OAUTH_ISSUER and BERTH_OAUTH_AUDIENCE go together: set both, or neither to refuse every OAuth token (D11).',
  },
  {
    name: 'BERTH_FLOW_PAUSE_SECONDS',
    broken: (env) => Number(rawValue('BERTH_FLOW_PAUSE_SECONDS', env)) > Number(rawValue('BERTH_FLOW_TOTAL_SECONDS', env)),
    message:
      'BERTH_FLOW_PAUSE_SECONDS is longer than BERTH_FLOW_TOTAL_SECONDS, so no pause could last that long (D39). Lower the first or raise the second.',
  },
];

/** The setting's text, or its default's; empty and blank mean unset, as a compose file leaves them. */
export function rawValue(name: SettingName, env: Environment): string | undefined {
  const set = env[name];
  if (set !== undefined && set.trim() !== '') return set.trim();
  const { fallback } = table[name];
  return typeof fallback === 'function' ? fallback(env) : fallback;
}

export function propertyName(name: string): string {
  return name
    .replace(/^BERTH_/, '')
    .toLowerCase()
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function readOne(name: SettingName, env: Environment, required: boolean): { value?: unknown; fault?: string } {
  const { parser, description, example, secret } = table[name];
  const raw = rawValue(name, env);
  const advice = example ? ` For example: ${example}` : '';
  if (raw === undefined) return required ? { fault: `${name} is not set. ${description}${advice}` } : {};
  const result = parser.safeParse(raw);
  if (result.success) return { value: result.data };
  const shown = secret ? 'its value (not shown, it is a secret)' : JSON.stringify(raw);
  return { fault: `${name}: ${shown} cannot be used: it ${result.error.issues[0]?.message ?? 'is not legal'}. ${description}${advice}` };
}

/** What is wrong with the value that a setting has in `env`; a missing one is not looked at. */
export function faultOf(name: SettingName, env: Environment): string | undefined {
  return readOne(name, env, false).fault ?? rules.find((rule) => rule.name === name && rule.broken(env))?.message;
}

function read(names: readonly SettingName[], env: Environment, missingIsFault: boolean): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  const faults: SettingFault[] = [];
  for (const name of names) {
    const { value, fault } = readOne(name, env, missingIsFault && table[name].required === true);
    if (fault === undefined) config[propertyName(name)] = value;
    else faults.push({ name, message: fault });
  }
  const alreadyFaulty = new Set(faults.map((fault) => fault.name));
  for (const { name, broken, message } of rules) {
    if (names.includes(name) && !alreadyFaulty.has(name) && broken(env)) faults.push({ name, message });
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/**
 * The named settings, typed, under their camel-case names (`BERTH_API_PORT` → `apiPort`).
 * @throws {ConfigError} once, listing every fault of the selection.
 */
export function readConfig<const N extends SettingName>(names: readonly N[], env: Environment): Config<N> {
  return read(names, env, true) as Config<N>;
}

/**
 * Like `readConfig`, but a required setting that is missing is `undefined` instead of a fault:
 * for the launcher, which supplies those of the embedded default itself.
 * @throws {ConfigError} once, listing every value that is present and wrong.
 */
export function readPresent<const N extends SettingName>(names: readonly N[], env: Environment): PresentConfig<N> {
  return read(names, env, false) as PresentConfig<N>;
}
