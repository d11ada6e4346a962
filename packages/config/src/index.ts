export { describeSettings, settingsInForce, unknownSettings, type SettingDescription } from './describe-settings.js';
export { ConfigError, readConfig, readPresent, type Config, type PresentConfig, type SettingFault } from './read-config.js';
export { settings, type Environment, type Reader, type SettingName } from './settings.js';
