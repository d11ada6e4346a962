import type { Scenario } from '../scenario.js';
import { codeScenarios } from './codes.js';
import { embeddedScenarios } from './embedded.js';
import { faultScenarios } from './faults.js';
import { formScenarios } from './forms.js';
import { interludeScenarios } from './interludes.js';
import { languageScenarios } from './languages.js';
import { mainScenarios } from './main.js';
import { methodScenarios } from './methods.js';
import { providerSites } from './providers.js';
import { scriptedScenarios } from './scripted.js';
import { ssoScenarios } from './sso.js';
import { surroundingScenarios } from './surroundings.js';
import { waitScenarios } from './waits.js';
import { wallScenarios } from './walls.js';

/** Every journey of the site, in the order of its families. Names are unique: they are host labels. */
export const scenarios: readonly Scenario[] = [
  ...mainScenarios,
  ...formScenarios,
  ...codeScenarios,
  ...methodScenarios,
  ...waitScenarios,
  ...interludeScenarios,
  ...ssoScenarios,
  ...wallScenarios,
  ...faultScenarios,
  ...scriptedScenarios,
  ...embeddedScenarios,
  ...surroundingScenarios,
  ...languageScenarios,
];

/** Identity providers included: everything that has a host name. */
export const scenarioByName: ReadonlyMap<string, Scenario> = new Map(
  [...scenarios, ...providerSites].map((scenario) => [scenario.name, scenario]),
);
