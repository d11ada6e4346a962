import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { authenticator } from 'otplib';

/** A person who can sign in. One table serves every scenario of the site; it lives in memory only. */
export interface Account {
  readonly username: string;
  readonly email: string;
  readonly phone: string;
  readonly displayName: string;
  readonly password: string;
  /** Base32 seed. Where it is set, the main site asks for a second factor. */
  readonly totpSecret?: string;
  /** The code that "arrives" by text message; fixed per account so that a test can answer. */
  readonly smsCode: string;
  /** The code that "arrives" by e-mail. */
  readonly emailCode: string;
  readonly organizations: readonly string[];
}

export type NewAccount = Partial<Account>;

const sixDigits = (): string => String(randomInt(100_000, 1_000_000));

/** A complete account from the parts a test cares about; the rest is random, so tests never share a person. */
export function buildAccount(parts: NewAccount = {}): Account {
  const username = parts.username ?? `mara.${randomBytes(4).toString('hex')}`;
  return {
    email: `${username}@example.com`,
    phone: `+4670${sixDigits()}7`,
    displayName: 'Mara Lind',
    password: `Kelp-${randomBytes(9).toString('base64url')}`,
    smsCode: sixDigits(),
    emailCode: sixDigits(),
    organizations: ['Saltmarsh Foods', 'North Pier Logistics'],
    ...parts,
    username,
  };
}

export function newTotpSecret(): string {
  return authenticator.generateSecret(20);
}

/** The six digits an authenticator app would show now (30 s steps, SHA-1). */
export function totpCode(secret: string): string {
  return authenticator.generate(secret);
}

/** Accepts the present, previous and next 30 s step, as most sites do. */
export function totpMatches(secret: string, code: string): boolean {
  return authenticator.clone({ window: 1 }).check(code.replace(/\s/g, ''), secret);
}

export function secretsEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Masks as sites do: the last two digits of a phone number, the first letter and the domain of an address. */
export const masked = {
  phone: (account: Account): string => `••• ••• ${account.phone.slice(-2)}`,
  email: (account: Account): string => {
    const [name = '', domain = ''] = account.email.split('@');
    return `${name.slice(0, 1)}•••@${domain}`;
  },
};

export class Accounts {
  readonly #byUsername = new Map<string, Account>();

  /** Adds or replaces the account of that user name. */
  add(parts: NewAccount = {}): Account {
    const account = buildAccount(parts);
    this.#byUsername.set(account.username.toLowerCase(), account);
    return account;
  }

  /** By user name, e-mail address or phone number, in any letter case. */
  find(identifier: string): Account | undefined {
    const wanted = identifier.trim().toLowerCase();
    const direct = this.#byUsername.get(wanted);
    if (direct) return direct;
    const digits = wanted.replace(/[^\d+]/g, '');
    return [...this.#byUsername.values()].find(
      (account) => account.email.toLowerCase() === wanted || (digits.length > 6 && account.phone === digits),
    );
  }
}
