import { type Concept, says, type Words, words } from '../lexicon/words.js';
import type { PageView } from '../page-view.js';
import type { FieldFinding, RuleId } from '../verdict.js';

export interface ErrorFinding {
  readonly text: string;
  readonly isNew: boolean;
  readonly rules: readonly RuleId[];
}

/**
 * Whether the server itself said that this page is a failure: any 5xx, too many requests, and after something was sent any 4xx. The status of
 * a document that stood there already is no answer, and that of none is where the login itself comes with an error: applications of one page
 * are often what is served for whatever is not there.
 */
export function isErrorAnswer({ snapshot: { httpStatus, documentId }, context }: PageView): boolean {
  const { before } = context;
  if (before !== null && (before.documentId === documentId || before.httpStatus === httpStatus)) return false;
  return httpStatus !== null && (httpStatus === 429 || httpStatus >= (context.sent.length === 0 ? 500 : 400));
}

/** It stood there when something was sent, on a page that asks for nothing of a login any more: a toast that has not gone yet. */
export const isLeftOver = ({ context }: PageView, { isNew }: ErrorFinding, asked: readonly FieldFinding[]): boolean =>
  context.before !== null && !isNew && asked.length === 0;

export const REFUSALS: readonly Concept[] = ['wrong', 'failure', 'barred'];

/** Why a page lets nobody on, whatever else is around. */
export const BARS: readonly Concept[] = ['barred', 'lockedOut', 'noAccess', 'refused'];

export const saysAny = (concepts: readonly Concept[], said: Words): boolean => concepts.some((concept) => says(concept, said));

/** That something is wrong with what was sent; "Something went wrong" says nothing of it. */
export const saysWrong = (text: string): boolean => says('wrong', words(text.replace(/went wrong/giu, '')));

/** That the account is closed: not that it may come to that, "after two more tries" or unless something is done. */
export function isLockedOut(text: string): boolean {
  const closed = text.split(/(?<=[.!?。！？])\s*/u).filter((sentence) => says('lockedOut', words(sentence)));
  return closed.some((sentence) => !says('provided', words(sentence))) && !says('attemptsLeft', words(text));
}
