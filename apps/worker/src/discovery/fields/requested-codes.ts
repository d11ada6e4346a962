import { isUsable } from '../evidence.js';
import type { JudgedForm } from '../forms/forms.js';
import { isJust } from '../lexicon/words.js';
import type { ErrorFinding } from '../outcome/refusal.js';
import { type PageView, pressTarget } from '../page-view.js';
import type { FieldFinding, PageKind, PressTarget, RuleId } from '../verdict.js';

/** What is asked next of a form that shows all its boxes at once. */
export interface Stage {
  readonly id: RuleId;
  readonly kind: PageKind;
  readonly fields: readonly FieldFinding[];
  /** Null: the form's own. */
  readonly submit: PressTarget | null;
}

const isCode = ({ type }: FieldFinding): boolean => type === 'code';

/**
 * A form of a name and a code, and a button in it that has the code sent: the name comes first and goes by that button, then the code by the
 * form's own. A code is nothing that anybody could know before. Null for any other form.
 */
export function stageOf(view: PageView, form: JudgedForm, fields: readonly FieldFinding[], error: ErrorFinding | null): Stage | null {
  const names = fields.filter(({ type }) => type === 'identifier');
  const buttons = form.segment.buttons.filter(({ control }) => isUsable(control));
  const request = buttons.find(({ evidence: { text } }) => isJust('sendCode', text));
  const isOnly = !buttons.some((button) => button !== request && button.control.tag !== 'a');
  if (request === undefined || isOnly || names.length === 0 || !fields.some(isCode) || fields.some(({ type }) => type === 'password'))
    return null;
  return isToBeSent(view, error)
    ? {
        id: 'stage/requests_code',
        kind: 'identifier',
        fields: fields.filter((field) => !isCode(field)),
        submit: pressTarget(view, request.control, ['submit/send_code']),
      }
    : { id: 'stage/code_requested', kind: 'code', fields: fields.filter((field) => isCode(field) || !field.filled), submit: null };
}

/** Nothing was sent yet, or what was sent has been refused. */
function isToBeSent({ context: { sent, before } }: PageView, error: ErrorFinding | null): boolean {
  return !sent.includes('identifier') || (error?.isNew === true && before?.asked.includes('code') !== true);
}
