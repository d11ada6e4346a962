import { isDeepStrictEqual } from 'node:util';
import type { Verdict } from '../discovery/verdict.js';
import { type FlowMemory, type Kind, kindOf } from './memory.js';

/** Two pages with the same signature ask the same: kind, fields, choices and texts that decide. Page addresses may differ. */
export function signatureOf(verdict: Verdict): string {
  return JSON.stringify([
    verdict.kind,
    verdict.fields.map(({ type, ref, editable }) => [type, ref, editable]),
    verdict.choices.map(({ type, mfaType, label }) => [type, mfaType, label]),
    verdict.errorIsNew ? verdict.error : null,
    verdict.submit !== null,
    verdict.captcha,
    verdict.externalAction?.number ?? null,
    verdict.entry !== null,
    verdict.dismiss !== null,
  ]);
}

/** The form alone, without what the website says about it. A code of another length is another code. */
export const formSignature = (verdict: Verdict): string =>
  JSON.stringify([
    verdict.kind,
    verdict.fields.map(({ type, ref, handles }) => (handles.length > 1 ? [type, ref, handles.length] : [type, ref])),
    verdict.choices.map(({ type, label }) => [type, label]),
  ]);

type FormParts = readonly [kind: unknown, fields: readonly unknown[], choices: readonly unknown[]];
const partsOf = (signature: string): FormParts => JSON.parse(signature) as FormParts;

/** Whether a page asks for the fields of the form with this signature, whatever ways stand beside it. */
export function asksTheSame(signature: string, verdict: Verdict): boolean {
  const [[kind, fields], [sentKind, sentFields]] = [partsOf(formSignature(verdict)), partsOf(signature)];
  return kind === sentKind && isDeepStrictEqual(fields, sentFields);
}

/** Whether it is that form: some of the ways beside its fields may be locked since it was sent, and are not offered then. */
export function isSameForm(signature: string, verdict: Verdict): boolean {
  const [[, fields, choices], [, , sentChoices]] = [partsOf(formSignature(verdict)), partsOf(signature)];
  const isIn = (choice: unknown): boolean => sentChoices.some((sent) => isDeepStrictEqual(sent, choice));
  return asksTheSame(signature, verdict) && choices.every(isIn) && (fields.length > 0 || choices.length === sentChoices.length);
}

/** What became of the last thing sent, and what the flow knows since (D43). `end` names the failure that follows, if any. */
export interface Judgement {
  readonly memory: FlowMemory;
  readonly end?: 'credentials_invalid' | 'session_expired' | 'stuck_in_loop' | 'captcha_blocked' | 'website_error';
}

const most = 3;

/**
 * What the website says to the last submit, or null (D58): a text that is news since then, or the refusal that was there before and has
 * not gone, now that the website has answered by asking for nothing else.
 */
export const newError = ({ error, errorIsNew, fields }: Verdict, { before }: FlowMemory): string | null => {
  if (before === null) return null;
  const asksElse = fields.some(({ editable, ref }) => editable && !before.asked.includes(ref));
  return errorIsNew || (error === before.error && !asksElse) ? error : null;
};

/**
 * Reads the page that follows a submit. With a new text and the same kind of boxes: rejected, and asked again. The same form without a
 * word: not accepted either. Anything else: the submit did its work. `resumed`: the worker that sent it died, so the form may stand there
 * because nothing was ever sent; then nothing is counted, and the person is asked again without a reproach (D41).
 */
export function judge(memory: FlowMemory, verdict: Verdict, resumed: boolean): Judgement {
  const { last } = memory;
  if (last === null) return saidLate(memory, verdict);
  const settled: FlowMemory = { ...memory, last: null };
  const error = newError(verdict, memory);
  const sameForm = isSameForm(last.signature, verdict);
  if (last.fields.length === 0)
    return {
      memory: { ...settled, choiceInDoubt: sameForm, silent: sameForm && !resumed ? memory.silent + 1 : 0 },
      ...(sameForm && !resumed && memory.silent + 1 >= most && { end: 'stuck_in_loop' as const }),
    };
  const blamed = blamedOf(last.fields, memory, verdict);
  const sentKinds = new Set(blamed.map(({ type }) => kindOf[type]));
  const again = verdict.fields.filter(({ type, editable }) => editable && sentKinds.has(kindOf[type]));
  const lastRefs = last.fields.map(({ ref }) => ref);
  const blamedRefs = blamed.map(({ ref }) => ref);
  if (error !== null && verdict.lockedOut && !resumed) return { end: 'website_error', ...reject(settled, verdict, sentKinds, blamedRefs) };
  if (resumed && !verdict.errorIsNew && sameForm) return { memory: { ...inDoubt(settled), inDoubt: union(memory.inDoubt, lastRefs) } };
  if (error !== null && verdict.expired && (again.length > 0 || verdict.kind === 'error')) return cameLate(settled, lastRefs);
  if (error !== null && (again.length > 0 || verdict.kind === 'error'))
    return reject(
      settled,
      verdict,
      sentKinds,
      union(
        again.map(({ ref }) => ref),
        blamedRefs,
      ),
    );
  if (sameForm) return repeat(settled, verdict, blamedRefs);
  const rejected = memory.rejected.filter((ref) => !lastRefs.includes(ref));
  const isSilent = error === null && last.fields.some(({ type }) => type === 'password');
  const left = isSilent ? [...memory.left, last.signature] : memory.left;
  // A password that was taken ends the count: what is refused after it is something else.
  const rejections = isSilent && again.length === 0 ? { ...memory.rejections, sign_in: 0 } : memory.rejections;
  const next = { ...settled, silent: 0, rejected, rejections, left, accepted: union(memory.accepted, lastRefs) };
  return isRound(next, verdict) ? { memory: next, end: 'stuck_in_loop' } : { memory: next };
}

/** The form with the password is there for the third time, by way of other pages that said nothing. */
const isRound = ({ left }: FlowMemory, verdict: Verdict): boolean =>
  left.filter((form) => form === formSignature(verdict)).length + 1 >= most;

/** A text that comes once the form has been taken for silent, and may be gone again soon: it was refused, not left unanswered. */
function saidLate(memory: FlowMemory, verdict: Verdict): Judgement {
  if (isRound(memory, verdict)) return { memory, end: 'stuck_in_loop' };
  const refused = verdict.fields.filter(({ ref }) => memory.rejected.includes(ref));
  if (memory.silent === 0 || refused.length === 0 || newError(verdict, memory) === null) return { memory };
  return reject(memory, verdict, new Set(refused.map(({ type }) => kindOf[type])), []);
}

/** Nobody has looked at what was sent: it is asked for again without a reproach, and not sent once more unasked (D41). */
function cameLate(memory: FlowMemory, refs: readonly string[]): Judgement {
  const next = { ...memory, renewals: memory.renewals + 1, inDoubt: union(memory.inDoubt, refs) };
  return next.renewals >= most ? { memory: next, end: 'session_expired' } : { memory: next };
}

/** Nothing may have been sent, so that a refusal which stands there is none of it. */
const inDoubt = (memory: FlowMemory): FlowMemory => ({ ...memory, before: memory.before && { ...memory.before, error: null } });

type SentField = NonNullable<FlowMemory['last']>['fields'][number];

/**
 * What the website means when it refuses what was sent: a code that went beside values with which it had gone on before, if it asks for a
 * code again; otherwise everything.
 */
function blamedOf(sent: readonly SentField[], { accepted }: FlowMemory, verdict: Verdict): readonly SentField[] {
  const isCode = ({ type }: Pick<SentField, 'type'>): boolean => kindOf[type] === 'code';
  const codes = sent.filter(isCode);
  const isOnlyNews = codes.length > 0 && sent.every((field) => isCode(field) || accepted.includes(field.ref));
  return isOnlyNews && verdict.fields.some((field) => field.editable && isCode(field)) ? codes : sent;
}

function reject(memory: FlowMemory, verdict: Verdict, kinds: ReadonlySet<Kind>, refs: readonly string[]): Judgement {
  if (verdict.captcha) return { memory, end: 'captcha_blocked' };
  const rejections = { ...memory.rejections };
  for (const kind of kinds) rejections[kind] += 1;
  const next = { ...memory, rejections, silent: 0, rejected: union(memory.rejected, refs) };
  return [...kinds].some((kind) => rejections[kind] >= most)
    ? { memory: next, end: verdict.outage ? 'website_error' : 'credentials_invalid' }
    : { memory: next };
}

function repeat(memory: FlowMemory, verdict: Verdict, refs: readonly string[]): Judgement {
  if (verdict.captcha) return { memory, end: 'captcha_blocked' };
  const next = { ...memory, silent: memory.silent + 1, rejected: union(memory.rejected, refs) };
  // The form's first showing counts: it is there for the third time after two submits.
  return next.silent + 1 >= most ? { memory: next, end: 'stuck_in_loop' } : { memory: next };
}

const union = (left: readonly string[], right: readonly string[]): string[] => [...new Set([...left, ...right])];
