import { credentialKeyFor } from '@berth/login-flow';
import { authenticator } from 'otplib';
import type { FieldFinding, Verdict } from '../discovery/verdict.js';
import type { FlowMemory } from './memory.js';

/** Values of a flow that rest sealed in its row: by ref those to save after success, and the one-time codes, which are only masked. */
export interface SubmittedValues {
  readonly save: Readonly<Record<string, string>>;
  readonly codes: readonly string[];
}
export const noValues: SubmittedValues = { save: {}, codes: [] };

/** A stored credential, opened. */
export interface OpenCredential {
  readonly values: Readonly<Record<string, string>>;
  readonly totpSecret: string | null;
}

/** A code about to lapse may be refused on arrival; the next one is waited for. */
const safetyMs = 2_000;

/** Everything the service could fill in by itself: what the person has given in this flow, then the stored credential. */
export class KnownValues {
  constructor(
    private readonly submitted: SubmittedValues,
    private readonly credential: OpenCredential | null,
  ) {}

  knows(field: FieldFinding, { rejected, inDoubt }: FlowMemory): boolean {
    return !rejected.includes(field.ref) && !inDoubt.includes(field.ref) && this.valueOf(field) !== undefined;
  }

  /** The value for a field; one-time codes are made now. */
  valueOf({ type, ref }: Pick<FieldFinding, 'type' | 'ref'>): string | undefined {
    if (type === 'totp_code') return this.seed === undefined ? undefined : authenticator.generate(this.seed);
    if (type === 'code') return undefined;
    if (type === 'totp_secret') return this.seed;
    return this.submitted.save[ref] ?? this.fromCredential(ref);
  }

  /** Milliseconds to wait before a generated code is safe to send; 0 for everything else. */
  waitFor(fields: readonly FieldFinding[]): number {
    if (this.seed === undefined || fields.every(({ type }) => type !== 'totp_code')) return 0;
    const left = authenticator.timeRemaining() * 1000;
    return left < safetyMs ? left : 0;
  }

  /** Whatever must never be readable in text taken from a page (D45); identifiers may be. */
  secrets(): string[] {
    const values = [...Object.entries(this.submitted.save), ...Object.entries(this.credential?.values ?? {})];
    return [
      ...values.filter(([ref]) => !isIdentifier(ref)).map(([, value]) => value),
      ...this.submitted.codes,
      ...(this.seed === undefined ? [] : [this.seed, authenticator.generate(this.seed)]),
    ];
  }

  private get seed(): string | undefined {
    const seed = this.submitted.save['totp_secret'] ?? this.credential?.totpSecret ?? undefined;
    return seed?.replace(/[\s-]/g, '').toUpperCase();
  }

  private fromCredential(ref: string): string | undefined {
    const key = credentialKeyFor(ref, Object.keys(this.credential?.values ?? {}));
    return key === undefined ? undefined : this.credential?.values[key];
  }
}

const isIdentifier = (ref: string): boolean => credentialKeyFor('username', [ref.replace(/_\d+$/, '')]) !== undefined;

const madeFromSeed = 'engine/code_from_seed';

/**
 * A set-up page shows a seed and wants a code made with it. The person gives the seed, once; the code is made here, now and at every later login (D60:
 * `totp_secret` only on a set-up page).
 */
export function asksForSeed(verdict: Verdict): Verdict {
  if (verdict.kind !== 'totp_setup') return verdict;
  return {
    ...verdict,
    fields: verdict.fields.map((field) =>
      field.type === 'code' || field.type === 'totp_code'
        ? { ...field, type: 'totp_secret', ref: 'totp_secret', inputMode: 'text', rules: [...field.rules, madeFromSeed] }
        : field,
    ),
  };
}

/** What is typed into a box for the value that was given. Someone who gave the code instead of the seed meant the code. */
export function typedFor({ rules }: FieldFinding, value: string): string {
  const isSeed = rules.includes(madeFromSeed) && !/^\d{6,8}$/.test(value.trim());
  return isSeed ? authenticator.generate(value.replace(/[\s-]/g, '').toUpperCase()) : value;
}
