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
  readonly #delays: { readonly delay: Delay; readonly taken: () => void }[] = [];

  /** An account with all that the scenario needs (a seed, one organization, …). */
  addAccountFor(scenario: string, parts: NewAccount = {}): Account {
    return this.accounts.add({ ...scenarioNamed(scenario).account?.(), ...parts });
  }

  /** `taken` is called when the request has come whose answer waits. */
  delayNext(delay: Delay, taken: () => void = () => undefined): void {
    this.#delays.push({ delay, taken });
  }

  /** Milliseconds the answer to this request must wait; the matching delay is used up. */
  takeDelay(scenario: string, step: string): number {
    const at = this.#delays.findIndex(({ delay }) => (delay.scenario ?? scenario) === scenario && (delay.step ?? step) === step);
    const [found] = at < 0 ? [] : this.#delays.splice(at, 1);
    found?.taken();
    return found?.delay.ms ?? 0;
  }
}
