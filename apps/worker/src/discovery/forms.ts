import { words } from './lexicon/words.js';
import { FORM_RULES, type FormKind, type Surroundings } from './rules/form-rules.js';
import type { Segment } from './segments.js';
import { segmentsOf } from './segments.js';
import type { PageSnapshot } from './snapshot.js';
import type { RuleId } from './verdict.js';

const SURE = 5;

export interface JudgedForm {
  readonly segment: Segment;
  /** Null when nothing speaks for any kind. */
  readonly kind: FormKind | null;
  readonly points: number;
  readonly rules: readonly RuleId[];
  readonly scores: Readonly<Partial<Record<FormKind, number>>>;
}

export function surroundingsOf(snapshot: PageSnapshot, segments: readonly Segment[]): Surroundings {
  const withText = segments.filter(({ boxes }) => boxes.some(({ control, meaning }) => control.visible && meaning !== 'search'));
  return {
    title: words(snapshot.title),
    headings: words(snapshot.headings.join(' ')),
    path: pathOf(snapshot.url),
    text: words(snapshot.text),
    onlyForm: withText.length <= 1,
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
export function judgeForms(snapshot: PageSnapshot): JudgedForm[] {
  const segments = segmentsOf(snapshot);
  const page = surroundingsOf(snapshot, segments);
  return segments.map((segment) => judge(segment, page));
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
