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

/** The form alone, without what the website says about it. */
export const formSignature = (verdict: Verdict): string =>
  JSON.stringify([
    verdict.kind,
    verdict.fields.map(({ type, ref }) => [type, ref]),
    verdict.choices.map(({ type, label }) => [type, label]),
  ]);

/** What became of the last thing sent, and what the flow knows since (D43). `end` names the failure that follows, if any. */
export interface Judgement {
  readonly memory: FlowMemory;
  readonly end?: 'credentials_invalid' | 'stuck_in_loop' | 'captcha_blocked';
}

const most = 3;

/** The website's text that is news since the last submit, or null (D58). */
export const newError = (verdict: Verdict, memory: FlowMemory): string | null =>
  memory.before !== null && verdict.errorIsNew ? verdict.error : null;

/**
 * Reads the page that follows a submit. With a new text and the same kind of boxes: rejected, and asked again. The same form without a word: not accepted either.
 * Anything else: the submit did its work. `resumed`: the worker that sent it died, so the form may stand there because nothing was ever sent; then nothing
 * is counted, and the person is asked again without a reproach (D41).
 */
export function judge(memory: FlowMemory, verdict: Verdict, resumed: boolean): Judgement {
  const { last } = memory;
  if (last === null) return { memory };
  const settled: FlowMemory = { ...memory, last: null };
  const error = newError(verdict, memory);
  const sameForm = last.signature === formSignature(verdict);
  if (last.fields.length === 0)
    return {
      memory: { ...settled, choiceInDoubt: sameForm, silent: sameForm && !resumed ? memory.silent + 1 : 0 },
      ...(sameForm && !resumed && memory.silent + 1 >= most && { end: 'stuck_in_loop' as const }),
    };
  const sentKinds = new Set(last.fields.map(({ type }) => kindOf[type]));
  const again = verdict.fields.filter(({ type, editable }) => editable && sentKinds.has(kindOf[type]));
  const lastRefs = last.fields.map(({ ref }) => ref);
  if (resumed && error === null && sameForm) return { memory: { ...settled, inDoubt: union(memory.inDoubt, lastRefs) } };
  if (error !== null && (again.length > 0 || verdict.kind === 'error'))
    return reject(
      settled,
      verdict,
      sentKinds,
      union(
        again.map(({ ref }) => ref),
        lastRefs,
      ),
    );
  if (sameForm) return repeat(settled, verdict, lastRefs);
  return { memory: { ...settled, silent: 0, rejected: memory.rejected.filter((ref) => !lastRefs.includes(ref)) } };
}

function reject(memory: FlowMemory, verdict: Verdict, kinds: ReadonlySet<Kind>, refs: readonly string[]): Judgement {
  if (verdict.captcha) return { memory, end: 'captcha_blocked' };
  const rejections = { ...memory.rejections };
  for (const kind of kinds) rejections[kind] += 1;
  const next = { ...memory, rejections, silent: 0, rejected: union(memory.rejected, refs) };
  return [...kinds].some((kind) => rejections[kind] >= most) ? { memory: next, end: 'credentials_invalid' } : { memory: next };
}

function repeat(memory: FlowMemory, verdict: Verdict, refs: readonly string[]): Judgement {
  if (verdict.captcha) return { memory, end: 'captcha_blocked' };
  const next = { ...memory, silent: memory.silent + 1, rejected: union(memory.rejected, refs) };
  // The form's first showing counts: it is there for the third time after two submits.
  return next.silent + 1 >= most ? { memory: next, end: 'stuck_in_loop' } : { memory: next };
}

const union = (left: readonly string[], right: readonly string[]): string[] => [...new Set([...left, ...right])];
