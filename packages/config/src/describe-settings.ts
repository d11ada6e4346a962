import { rawValue } from './read-config.js';
import { settings, type Environment, type Reader, type Setting, type SettingName } from './settings.js';

export interface SettingDescription {
  readonly name: SettingName;
  /** The value in force, as text; masked when it is a secret, `null` when there is none. */
  readonly value: string | null;
  readonly source: 'environment' | 'default' | 'unset';
  readonly description: string;
  readonly readBy: readonly Reader[];
  readonly secret: boolean;
}

const masked = '********';

/** Every setting with the value it has in `env`, for `berth config` (D52). Never throws: wrong values are shown as they are. */
export function describeSettings(env: Environment): readonly SettingDescription[] {
  return (Object.entries(settings) as [SettingName, Setting][]).map(([name, setting]) => {
    const value = rawValue(name, env);
    const isSet = (env[name] ?? '').trim() !== '';
    return {
      name,
      value: value === undefined ? null : setting.secret ? masked : value,
      source: isSet ? 'environment' : value === undefined ? 'unset' : 'default',
      description: setting.description,
      readBy: setting.readBy,
      secret: setting.secret ?? false,
    };
  });
}

/** Names in `env` that begin with `BERTH_` and are no setting: most likely misspelt. `BERTH_TEST_*` belongs to the test run. */
export function unknownSettings(env: Environment): readonly string[] {
  return Object.keys(env).filter((name) => name.startsWith('BERTH_') && !name.startsWith('BERTH_TEST_') && !(name in settings)).sort();
}
