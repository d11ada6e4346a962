import { randomBytes } from 'node:crypto';
import type { Account } from './accounts.js';

const token = (): string => randomBytes(18).toString('base64url');

/** A signed-in browser. `deviceKey` and `vaultKey` must also be in its localStorage and IndexedDB for the pages that ask for all three. */
export interface Session {
  readonly id: string;
  readonly account: Account;
  readonly scenario: string;
  readonly deviceKey: string;
  readonly vaultKey: string;
}

/** How far an anonymous browser has come towards signing in, tied to its `visit` cookie. */
export interface Attempt {
  readonly id: string;
  readonly scenario: string;
  account?: Account;
  /** Wrong answers by step, for lock-outs. */
  readonly failures: Map<string, number>;
  /** Small facts a scenario keeps between its screens (a chosen method, where to return). */
  readonly notes: Map<string, string>;
  /** What the person decided elsewhere: on the phone, or in the mailbox. */
  decision: 'none' | 'approved' | 'refused';
}

export type Decision = 'approved' | 'refused';

/** Cookie-bound state of every browser that visits, on all host names. */
export class Visitors {
  readonly #sessions = new Map<string, Session>();
  readonly #attempts = new Map<string, Attempt>();
  readonly #tickets = new Map<string, Account>();

  startAttempt(scenario: string): Attempt {
    const attempt: Attempt = { id: token(), scenario, failures: new Map(), notes: new Map(), decision: 'none' };
    this.#attempts.set(attempt.id, attempt);
    return attempt;
  }

  attempt(id: string | undefined, scenario: string): Attempt | undefined {
    const found = id === undefined ? undefined : this.#attempts.get(id);
    return found?.scenario === scenario ? found : undefined;
  }

  endAttempt(id: string): void {
    this.#attempts.delete(id);
  }

  /** Tells every attempt of that person which still waits what was decided; gives how many were told. */
  decide(username: string, decision: Decision): number {
    const waiting = [...this.#attempts.values()].filter(
      (attempt) => attempt.account?.username === username && attempt.notes.get('waiting') === 'yes',
    );
    for (const attempt of waiting) attempt.decision = decision;
    return waiting.length;
  }

  startSession(account: Account, scenario: string): Session {
    const session: Session = { id: token(), account, scenario, deviceKey: token(), vaultKey: token() };
    this.#sessions.set(session.id, session);
    return session;
  }

  session(id: string | undefined, scenario: string): Session | undefined {
    const found = id === undefined ? undefined : this.#sessions.get(id);
    return found?.scenario === scenario ? found : undefined;
  }

  endSession(id: string): void {
    this.#sessions.delete(id);
  }

  /** Signs a person out everywhere, as a bank does after a while; gives how many sessions ended. */
  expireSessions(username: string): number {
    const ended = [...this.#sessions.values()].filter((session) => session.account.username === username);
    for (const { id } of ended) this.#sessions.delete(id);
    return ended.length;
  }

  /** A single-use proof that the identity provider knows this person. */
  issueTicket(account: Account): string {
    const ticket = token();
    this.#tickets.set(ticket, account);
    return ticket;
  }

  redeemTicket(ticket: string): Account | undefined {
    const account = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    return account;
  }
}
