import { isInEdge, isPressable, isTextBox, isTick, isUsable } from './evidence.js';
import { askableBoxes } from './fields/lists.js';
import { type JudgedForm, judgeForms } from './forms/forms.js';
import type { Meant } from './forms/meanings.js';
import { labelForm } from './labels.js';
import { type Concept, says, type Words, words } from './lexicon/words.js';
import type { FormKind } from './rules/forms/form-rule.js';
import type { ControlSnapshot, Handle, PageSnapshot } from './snapshot.js';
import { isProven, type LabelledControl, marksOf, offerMark, type PageContext, type PressTarget, type RuleId } from './verdict.js';

/** Everything the deciding rules look at, read once from the snapshot. */
export interface PageView {
  readonly snapshot: PageSnapshot;
  readonly context: PageContext;
  readonly forms: readonly JudgedForm[];
  readonly labels: ReadonlyMap<Handle, LabelledControl>;
  /** Usable buttons and links. */
  readonly pressables: readonly Meant[];
  readonly ticks: readonly Meant[];
  readonly selects: readonly Meant[];
  readonly headings: Words;
  /** Headings, then what a modal says if one is open, else the page: the words that say what this step is. */
  readonly step: Words;
  /** The page's words without those of its buttons and links: instructions, not offers. */
  readonly told: Words;
  readonly frameUrl: (frame: string) => string;
}

const STEP_CHARACTERS = 1_500;

export function viewOf(snapshot: PageSnapshot, context: PageContext): PageView {
  const forms = judgeForms(snapshot, context);
  const members = forms.flatMap(({ segment }) => [...segment.buttons, ...segment.ticks, ...segment.boxes]);
  const urls = new Map(snapshot.frames.map(({ key, url }) => [key, url]));
  const body = (snapshot.modalText || snapshot.text).slice(0, STEP_CHARACTERS);
  return {
    snapshot,
    context,
    forms,
    labels: new Map(forms.flatMap((form) => labelForm(form, context)).map((one) => [one.handle, one])),
    pressables: withoutKeypad(members.filter(({ control }) => isPressable(control) && isUsable(control) && !control.disabled)),
    ticks: members.filter(({ control }) => isTick(control) && isUsable(control) && !control.disabled),
    selects: members.filter(({ control }) => control.tag === 'select' && isUsable(control) && !control.disabled),
    headings: words(snapshot.headings.join(' ')),
    step: words(`${snapshot.headings.join(' ')} ${body}`),
    told: words(`${snapshot.headings.join(' ')} ${withoutButtons(snapshot)}`),
    frameUrl: (frame) => urls.get(frame) ?? snapshot.url,
  };
}

/** Digits to press are the keys of a box, and nothing that a page offers. */
function withoutKeypad(pressables: readonly Meant[]): readonly Meant[] {
  const isKey = ({ control: { text, href } }: Meant): boolean => /^\d$/.test(text) && href === '';
  return new Set(pressables.filter(isKey).map(({ control: { text } }) => text)).size >= 9
    ? pressables.filter((one) => !isKey(one))
    : pressables;
}

/** What a page says in its own voice: its text without that of its buttons and links. */
export function withoutButtons(snapshot: PageSnapshot): string {
  const labels = snapshot.controls.filter(isPressable).map(({ text }) => text);
  const offers = labels.filter((text) => text.length > 2).sort((a, b) => b.length - a.length);
  const short = new Set(labels.filter((text) => SHORT_OFFER.test(text)));
  return offers
    .reduce((text, offer) => text.replaceAll(offer, ' '), (snapshot.modalText || snapshot.text).slice(0, STEP_CHARACTERS))
    .replace(/(?<=^|\s)\S{2}(?=\s|$)/gu, (word) => (short.has(word) ? ' ' : word));
}

/** A word of two characters in a script that has blanks only where a block ends: in a sentence it has none around it. */
const SHORT_OFFER = /^[\u3040-\u30ff\u3400-\u9fff]{2}$/u;

/** The best usable form of a kind. */
export function bestForm(view: PageView, kind: FormKind): JudgedForm | null {
  const found = view.forms.filter((form) => form.kind === kind && askableBoxes(form).length > 0 && !isLeftBeside(view, form));
  // Of equals the one in a dialog was just opened, and the main part of a page comes before its edges.
  const rank = (form: JudgedForm): number => form.points + (inDialog(form) ? 6 : 0) - (inEdge(form) ? 2 : 0);
  return found.reduce<JudgedForm | null>((top, form) => (top === null || rank(form) > rank(top) ? form : top), null);
}

const inDialog = ({ segment }: JudgedForm): boolean => segment.boxes.some(({ control }) => control.landmark === 'dialog');

const inEdge = ({ segment }: JudgedForm): boolean => segment.boxes.every(({ control }) => isInEdge(control));

export function usableBoxes({ segment }: JudgedForm): Meant[] {
  return segment.boxes.filter(({ control }) => isTextBox(control) && isUsable(control) && !control.disabled);
}

/** Something is laid over a form to sign in with. */
export const isLoginCovered = ({ snapshot, labels }: PageView): boolean =>
  snapshot.controls.some(
    ({ unreachable, type, handle }) => unreachable === 'covered' && (type === 'password' || labels.get(handle)?.label === 'identifier'),
  );

/** Something is laid over the boxes that were sent. */
export function isSentCovered({ snapshot, context: { before } }: PageView): boolean {
  const covered = marksOf(snapshot.controls.filter(({ visible, unreachable }) => visible && unreachable === 'covered'));
  return before !== null && before.boxes.length > 0 && before.boxes.every((box) => covered.includes(box));
}

const STEPS_OVER: readonly Concept[] = [
  'linkSent',
  'pushWait',
  'callWait',
  'codeSent',
  'verify',
  'approves',
  'authenticator',
  'chooseMethod',
];

/** A box over what was sent that asks for nothing to be typed, and speaks of a step. */
export function isStepOver(view: PageView): boolean {
  const said = words(view.snapshot.modalText);
  const isRefusal = (['wrong', 'failure', 'refused'] as const).some((concept) => says(concept, said));
  return isSentCovered(view) && !isRefusal && STEPS_OVER.some((concept) => says(concept, said)) && !asksForText(view);
}

/** A form to join that stood beside the login, on a page that has changed around it: it is no part of what comes next. */
export function isLeftBeside({ context: { before, sent } }: PageView, { kind, segment }: JudgedForm): boolean {
  const senders = segment.buttons.filter(({ control }) => control.tag !== 'a' && isUsable(control));
  const stood = ({ control }: Meant): boolean => before?.offers.includes(offerMark(control)) === true;
  return kind === 'signup' && isProven(sent) && senders.length > 0 && senders.every(stood);
}

/** Whether the page shows any box that is part of a step: everything but search and newsletter. */
export function asksForText(view: PageView): boolean {
  return view.forms.some(
    (form) =>
      form.kind !== 'search' &&
      form.kind !== 'newsletter' &&
      !isLeftBeside(view, form) &&
      usableBoxes(form).some(({ meaning, control }) => meaning !== 'search' && control.landmark !== 'footer'),
  );
}

export function anySays(view: PageView, ...concepts: readonly Concept[]): boolean {
  return concepts.some((concept) => says(concept, view.told));
}

/** "← Go to the front page": the way back, whatever it says. */
export const pointsBack = (text: string): boolean => /^\s*[←‹«⟵]/u.test(text);

/** The last two parts of a name are one website's, or a registry's: then too much counts as one. A number is a whole name. */
function siteOf(url: string): string {
  const hostname = URL.canParse(url) ? new URL(url).hostname : '';
  return /[a-z]$/i.test(hostname) ? hostname.split('.').slice(-2).join('.') : hostname;
}

/**
 * A link to another website tells of something, as where to get an app; the ways of a website lead through its own pages. That is the
 * website of the frame in which the link stands.
 */
export const leavesSite = (view: PageView, control: ControlSnapshot): boolean =>
  control.tag === 'a' && /^https?:/.test(control.href) && siteOf(control.href) !== siteOf(view.frameUrl(control.frame));

export function pressTarget(view: PageView, control: ControlSnapshot, rules: readonly RuleId[]): PressTarget {
  return {
    handle: control.handle,
    selector: control.selector,
    xpath: control.xpath,
    frameUrl: view.frameUrl(control.frame),
    label: control.text.slice(0, 120),
    rules,
  };
}
