import { providerNamed } from '../choices/providers.js';
import { isInEdge, isUsable } from '../evidence.js';
import { askableBoxes } from '../fields/lists.js';
import { type Concept, isJust, says, words } from '../lexicon/words.js';
import type { FormKind, Surroundings } from '../rules/forms/form-rule.js';
import { FORM_RULES } from '../rules/forms/form-rules.js';
import { type PageSnapshot, placeOf } from '../snapshot.js';
import { marksOf, type PageContext, type RuleId } from '../verdict.js';
import type { Meant } from './meanings.js';
import { type Segment, segmentsOf } from './segments.js';

const SURE = 5;

export interface JudgedForm {
  readonly segment: Segment;
  /** Null when nothing speaks for any kind. */
  readonly kind: FormKind | null;
  readonly points: number;
  readonly rules: readonly RuleId[];
  readonly scores: Readonly<Partial<Record<FormKind, number>>>;
}

const PROOFS: ReadonlySet<string> = new Set(['password', 'code', 'totp_code', 'external']);

/** What has been sent tells what may be asked by now; a choice alone tells nothing. */
function givenIn({ sent }: PageContext): Surroundings['given'] {
  if (sent.some((kind) => PROOFS.has(kind))) return 'proof';
  return sent.some((kind) => kind !== 'choice') ? 'name' : 'nothing';
}

/** Not the "Not now" of a box laid over the page. */
const isPuttingOff = ({ control, evidence: { text } }: Meant): boolean =>
  isUsable(control) && !isInEdge(control) && control.overlay === '' && isJust('later', text);

const WAYS_ON: readonly Concept[] = ['next', 'signIn', 'enter', 'continueWith'];

const isWayOn = ({ control, evidence: { text } }: Meant): boolean =>
  isUsable(control) &&
  !isInEdge(control) &&
  (providerNamed(control.text) !== null || WAYS_ON.some((concept) => isJust(concept, text) || (concept !== 'next' && says(concept, text))));

export function surroundingsOf(snapshot: PageSnapshot, segments: readonly Segment[], context: PageContext): Surroundings {
  const isPart = ({ control, meaning }: Meant): boolean => control.visible && control.landmark !== 'footer' && meaning !== 'search';
  const withText = segments.filter(({ boxes }) => boxes.some(isPart));
  return {
    title: words(snapshot.title),
    headings: words(snapshot.headings.join(' ')),
    path: pathOf(snapshot.url),
    text: words(snapshot.text),
    onlyForm: withText.length <= 1,
    given: givenIn(context),
    canWait: segments.some(({ buttons }) => buttons.some(isPuttingOff)),
    goesOnElsewhere: segments.some(({ boxes, buttons }) => !boxes.some(isPart) && buttons.some(isWayOn)),
    entered: context.entered === true,
    moved: context.before !== null && placeOf(context.before.url) !== placeOf(snapshot.url),
  };
}

/** Path and fragment in the shape that code patterns read. */
export function pathOf(url: string): string {
  return (
    url
      .replace(/^[a-z]+:\/\/[^/]*/i, '')
      .split('?')[0]
      ?.replace(/([a-z])([A-Z])/g, '$1_$2')
      .replace(/[-.]/g, '_')
      .toLowerCase() ?? ''
  );
}

/** Every form of the page with what sending it would do. */
export function judgeForms(snapshot: PageSnapshot, context: PageContext): JudgedForm[] {
  const segments = segmentsOf(snapshot, context);
  const page = surroundingsOf(snapshot, segments, context);
  return segments.map((segment) => asItWas(judge(segment, page), context));
}

/** Surer than any word. */
const BACK = 30;

function asItWas(judged: JudgedForm, { before }: PageContext): JudgedForm {
  const form = before?.form ?? null;
  if (form === null || before === null || !isBack(judged.segment, before.boxes)) return judged;
  // One box for whatever is asked, and now it is a code.
  const asksElse = judged.segment.boxes.some(({ control, rules }) => control.type === 'password' && rules.includes('code/second_step'));
  if (asksElse && form === 'login') return judged;
  return { ...judged, kind: form, points: BACK, rules: [`form/${form}/back`, ...(judged.kind === form ? judged.rules : [])] };
}

/** The form from which something was sent stands there once more. */
function isBack(segment: Segment, before: readonly string[]): boolean {
  const marks = marksOf(askableBoxes({ segment }).map(({ control }) => control));
  return marks.length > 0 && marks.length === before.length && marks.every((mark) => before.includes(mark));
}

function judge(segment: Segment, page: Surroundings): JudgedForm {
  if (segment.boxes.length === 0) return { segment, kind: null, points: 0, rules: [], scores: {} };
  const scores: Partial<Record<FormKind, number>> = {};
  const rules: Partial<Record<FormKind, RuleId[]>> = {};
  for (const rule of FORM_RULES) {
    if (!rule.test(segment, page)) continue;
    scores[rule.kind] = (scores[rule.kind] ?? 0) + rule.weight;
    (rules[rule.kind] ??= []).push(rule.id);
  }
  const [best] = (Object.entries(scores) as [FormKind, number][]).sort((a, b) => b[1] - a[1]);
  const kind = best?.[0] ?? null;
  const hits = kind ? (rules[kind] ?? []) : [];
  // One word that hints at a login is not enough to ask a person for a name.
  const isSure =
    kind !== 'login' ||
    (best?.[1] ?? 0) >= SURE ||
    hits.includes('form/login/one_password') ||
    (hits.includes('form/login/identifier_next') && page.onlyForm);
  return { segment, kind: isSure ? kind : null, points: best?.[1] ?? 0, rules: hits, scores };
}
