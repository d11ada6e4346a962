import { faultOf, rawValue } from './read-config.js';
import { settings, type Environment, type Reader, type Setting, type SettingName } from './settings.js';

export interface SettingDescription {
  readonly name: SettingName;
  /** The value in force, as text; masked when it is a secret, `null` when there is none. */
  readonly value: string | null;
  /** `launcher`: what `npm start` gave to the apps of the running stack, where the environment says nothing. */
  readonly source: 'environment' | 'launcher' | 'default' | 'unset';
  /** Why no app would start with the value. */
  readonly fault: string | undefined;
  readonly description: string;
  readonly readBy: readonly Reader[];
  readonly secret: boolean;
}

const masked = '********';

const isSet = (value: string | undefined): boolean => (value ?? '').trim() !== '';

/** The environment laid over what the launcher of the running stack has set; blank is unset. */
export function settingsInForce(env: Environment, launched: Environment = {}): Environment {
  return { ...launched, ...Object.fromEntries(Object.entries(env).filter(([, value]) => isSet(value))) };
}

/**
 * Every setting with the value it has in `env`, else with the one that the launcher of the running stack has set (`launched`), for `berth
 * config` (D52). Never throws: wrong values are shown as they are, with what is wrong with them.
 */
export function describeSettings(env: Environment, launched: Environment = {}): readonly SettingDescription[] {
  const inForce = settingsInForce(env, launched);
  return (Object.entries(settings) as [SettingName, Setting][]).map(([name, setting]) => {
    const value = rawValue(name, inForce);
    return {
      name,
      value: value === undefined ? null : setting.secret && value !== '' ? masked : value,
      source: isSet(env[name]) ? 'environment' : isSet(launched[name]) ? 'launcher' : value === undefined ? 'unset' : 'default',
      fault: faultOf(name, inForce),
      description: setting.description,
      readBy: setting.readBy,
      secret: setting.secret ?? false,
    };
  });
}

/** Names in `env` that begin with `BERTH_` and are no setting: most likely misspelt. `BERTH_TEST_*` belongs to the test run. */
export function unknownSettings(env: Environment): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('BERTH_') && !name.startsWith('BERTH_TEST_') && !(name in settings))
    .sort();
}
