import { credentialKeyFor } from '@berth/login-flow';
import { authenticator } from 'otplib';
import { DELIVERED, FALLBACK_LABEL } from '../discovery/fields/fields.js';
import { isNamedIn } from '../discovery/evidence.js';
import type { ChoiceFinding, FieldFinding, Verdict } from '../discovery/verdict.js';
import type { FlowMemory } from './memory.js';

/**
 * Values of a flow that rest sealed in its row: by ref those to save after success, and those that are only masked: one-time codes, and
 * what was given before and replaced. `open`: refs of what the website itself names, as the options of a list, so that it is no secret.
 */
export interface SubmittedValues {
  readonly save: Readonly<Record<string, string>>;
  readonly masked: readonly string[];
  readonly open: readonly string[];
}
export const noValues: SubmittedValues = { save: {}, masked: [], open: [] };

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

  /** The stored credential has it so: whoever is asked for it later is asked for that. */
  isStored({ type, ref }: Pick<FieldFinding, 'type' | 'ref'>, value: string): boolean {
    return (type === 'totp_secret' ? this.credential?.totpSecret : this.fromCredential(ref)) === value;
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
      ...values.filter(([ref]) => !isIdentifier(ref) && !this.submitted.open.includes(ref)).map(([, value]) => value),
      ...this.submitted.masked,
      ...(this.seed === undefined ? [] : [this.seed, authenticator.generate(this.seed)]),
    ];
  }

  /** An account that is called by the name that is known, or the authenticator app whose seed is. */
  isOwn({ type, mfaType, label, description }: ChoiceFinding): boolean {
    if (mfaType === 'totp') return this.hasSeed;
    return type === 'account' && this.name !== undefined && isNamedIn(`${label} ${description ?? ''}`, this.name);
  }

  /** Who logs in, as the website asks for it. */
  get name(): string | undefined {
    return this.valueOf({ type: 'identifier', ref: 'username' });
  }

  get hasSeed(): boolean {
    return this.seed !== undefined;
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

/** Of a field whose seed is asked for instead of the code that the page wants. */
export const MADE_FROM_SEED = 'engine/code_from_seed';

/**
 * A set-up page shows a seed and wants a code made with it. The person gives the seed, once; the code is made here, now and at every later
 * login (D60: `totp_secret` only on a set-up page).
 */
export function asksForSeed(verdict: Verdict): Verdict {
  if (verdict.kind !== 'totp_setup') return verdict;
  return {
    ...verdict,
    fields: verdict.fields.map((field) =>
      field.type === 'code' || field.type === 'totp_code'
        ? {
            ...field,
            type: 'totp_secret',
            ref: 'totp_secret',
            label: FALLBACK_LABEL.totp_secret,
            inputMode: 'text',
            rules: [...field.rules, MADE_FROM_SEED],
          }
        : field,
    ),
  };
}

/**
 * Whoever has stored a seed has an authenticator app for this login (D60), so a code that the website does not say it has sent is one of
 * the app's.
 */
export function codesFromSeed(verdict: Verdict, { hasSeed }: KnownValues): Verdict {
  if (!hasSeed) return verdict;
  return {
    ...verdict,
    fields: verdict.fields.map((field) =>
      field.type === 'code' && !field.rules.includes(DELIVERED)
        ? { ...field, type: 'totp_code', rules: [...field.rules, 'engine/seed_is_stored'] }
        : field,
    ),
  };
}
