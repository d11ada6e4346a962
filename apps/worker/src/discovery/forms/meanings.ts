import { type Evidence, evidenceOf, isBox, isNamed } from '../evidence.js';
import { isJust, says } from '../lexicon/words.js';
import { CODE_RULES } from '../rules/code.js';
import { type FieldRule, type Meaning, type Score, scoreRule } from '../rules/field-rules.js';
import { IDENTIFIER_RULES } from '../rules/identifier.js';
import { OTHER_RULES } from '../rules/other.js';
import { PASSWORD_RULES } from '../rules/password.js';
import type { ControlSnapshot } from '../snapshot.js';
import type { RuleId } from '../verdict.js';

export const FIELD_RULES: readonly FieldRule[] = [...IDENTIFIER_RULES, ...PASSWORD_RULES, ...CODE_RULES, ...OTHER_RULES];

export interface Meant {
  readonly evidence: Evidence;
  readonly control: ControlSnapshot;
  /** Strongest meaning, null when nothing speaks for any. */
  readonly meaning: Meaning | null;
  readonly points: number;
  readonly rules: readonly RuleId[];
  readonly scores: Readonly<Partial<Record<Meaning, Score>>>;
}

/** What each box asks for by its own words, form and surroundings left aside. */
export function meaningOf(control: ControlSnapshot): Meant {
  const evidence = evidenceOf(control);
  const scores: Partial<Record<Meaning, Score>> = {};
  if (isBox(control)) {
    for (const rule of FIELD_RULES) {
      const score = scoreRule(rule, evidence);
      if (score.points > 0) scores[rule.meaning] = score;
    }
  }
  if (isOneTimeCode(evidence)) for (const meaning of NEVER_ONE_TIME) delete scores[meaning];
  correct(evidence, scores);
  const [best] = (Object.entries(scores) as [Meaning, Score][]).sort((a, b) => b[1].points - a[1].points);
  return { evidence, control, meaning: best?.[0] ?? null, points: best?.[1].points ?? 0, rules: best?.[1].rules ?? [], scores };
}

/** What a "one-time password" and an "authentication number" are not, whatever words they are made of. */
const NEVER_ONE_TIME: readonly Meaning[] = ['username', 'password', 'new_password'];

const LONGEST_CODE = 10;

const isOneTimeCode = (evidence: Evidence): boolean =>
  evidence.control.autocomplete !== 'current-password' && isNamed(evidence, 'oneTimeCode');

/** Meanings that exclude each other by what the box can hold. */
function correct(evidence: Evidence, scores: Partial<Record<Meaning, Score>>): void {
  const { control } = evidence;
  if (control.type === 'password') {
    for (const meaning of ['username', 'email', 'phone', 'person', 'address', 'search'] as const) delete scores[meaning];
    if (/current-password/.test(control.autocomplete)) delete scores.new_password;
    const fresh = scores.new_password;
    // A password box that says "new" or "confirm" says so on top of being a password.
    if (fresh && scores.password)
      scores.new_password = { points: fresh.points + scores.password.points, rules: [...scores.password.rules, ...fresh.rules] };
  } else {
    // "Forgot your password?" beside a text box does not make it one; only a box said by its own name is a shown password.
    const shown = scores.password;
    if (shown && !shown.rules.some((rule) => /\/(autocomplete|name|label|placeholder)$/.test(rule))) delete scores.password;
    if (scores.new_password && !scores.password) delete scores.new_password;
  }
  // The PIN, or the code, from an e-mail is no e-mail address, nor is one from a telephone its number.
  const isSlip = control.maxLength !== null && control.maxLength <= LONGEST_CODE && says('code', evidence.label);
  if (control.type !== 'email' && (isSlip || says('pin', evidence.label)))
    for (const meaning of ['email', 'phone'] as const)
      if (isSlip || scores[meaning]?.rules.every((rule) => rule === `${meaning}/label`)) delete scores[meaning];
  if (control.type === 'email') for (const meaning of ['code', 'search', 'person', 'address', 'payment'] as const) delete scores[meaning];
  if (isOfDialCodes(control)) delete scores.address;
  if (control.tag === 'select' || control.tag === 'textarea')
    for (const meaning of [
      'username',
      'email',
      'phone',
      'password',
      'new_password',
      'code',
      'captcha',
      'totp_secret',
      'authenticator_code',
    ] as const)
      delete scores[meaning];
  if (scores.code && (isOtherCode(scores) || isBranch(evidence) || isPersonal(evidence, scores))) delete scores.code;
  if (isTenant(evidence))
    for (const meaning of ['username', 'code', 'search'] as const)
      if (scores[meaning]?.rules.every((rule) => TOLD.test(rule))) delete scores[meaning];
  if (scores.authenticator_code && scores.code)
    scores.code = { points: scores.code.points + 0.5, rules: [...scores.code.rules, ...scores.authenticator_code.rules] };
  delete scores.authenticator_code;
}

/** Countries with the numbers that are dialled for them: a part of a telephone number, and no address. */
const isOfDialCodes = ({ options }: ControlSnapshot): boolean =>
  options.length > 1 && options.filter(({ text }) => /\+\s?\d{1,4}\b/.test(text)).length > options.length / 2;

/** Told by words, names and shape alone, not declared to machines. */
const TOLD = /\/(?!autocomplete|type)/;

/** Named as whose part of a website is meant: the code of a company is no one-time code, a shop no box to search in. */
export const isTenant = ({ label, aria, placeholder, neighbour }: Evidence): boolean =>
  [label, aria, placeholder, neighbour].some((told) => isJust('tenant', told));

/** The code of a bank's branch is the same at every login. */
const isBranch = ({ label, aria, placeholder, control }: Evidence): boolean =>
  control.autocomplete !== 'one-time-code' && [label, aria, placeholder].some((told) => isJust('branch', told));

/** So is the number by which a state knows somebody, which some call a code, where no name in code says that it is one. */
const isPersonal = ({ label, aria, placeholder, neighbour }: Evidence, { code }: Partial<Record<Meaning, Score>>): boolean =>
  [label, aria, placeholder, neighbour].some((told) => isJust('idNumber', told)) &&
  code?.rules.every((rule) => /\/(?:label|aria|placeholder|neighbour)$/.test(rule)) === true;

/** Postal codes, coupon codes and card codes are codes too; and a short box alone says nothing. */
function isOtherCode({ code, address, payment }: Partial<Record<Meaning, Score>>): boolean {
  if (!code || code.rules.includes('code/autocomplete')) return false;
  const weak = code.rules.every((rule) => rule === 'code/shape' || rule === 'code/neighbour' || rule === 'code/description');
  return weak ? code.points < 4 : (address?.points ?? 0) >= 4 || (payment?.points ?? 0) >= 4;
}
