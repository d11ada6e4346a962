import { Accounts, type Account, type NewAccount } from './accounts.js';
import { scenarioByName } from './scenarios/index.js';
import type { Scenario } from './scenario.js';
import { Stats } from './stats.js';
import { Visitors } from './visitors.js';

/** Holds back the next answer that matches, once. Absent parts match everything. */
export interface Delay {
  /** Milliseconds. */
  readonly ms: number;
  readonly scenario?: string;
  readonly step?: string;
}

export function scenarioNamed(name: string): Scenario {
  const scenario = scenarioByName.get(name);
  if (!scenario) throw new Error(`The website has no scenario ${name}.`);
  return scenario;
}

/** Everything one running website remembers. Gone when it stops. */
export class World {
  readonly accounts = new Accounts();
  readonly visitors = new Visitors();
  readonly stats = new Stats();
  readonly #delays: Delay[] = [];

  /** An account with all that the scenario needs (a seed, one organization, …). */
  addAccountFor(scenario: string, parts: NewAccount = {}): Account {
    return this.accounts.add({ ...scenarioNamed(scenario).account?.(), ...parts });
  }

  delayNext(delay: Delay): void {
    this.#delays.push(delay);
  }

  /** Milliseconds the answer to this request must wait; the matching delay is used up. */
  takeDelay(scenario: string, step: string): number {
    const at = this.#delays.findIndex((delay) => (delay.scenario ?? scenario) === scenario && (delay.step ?? step) === step);
    return at < 0 ? 0 : (this.#delays.splice(at, 1)[0]?.ms ?? 0);
  }
}
