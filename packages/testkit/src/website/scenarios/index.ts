import type { Scenario } from '../scenario.js';
import { mainScenarios } from './main.js';

/** Every journey of the site, in the order of its families. Names are unique: they are host labels. */
export const scenarios: readonly Scenario[] = [...mainScenarios];

export const scenarioByName: ReadonlyMap<string, Scenario> = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
