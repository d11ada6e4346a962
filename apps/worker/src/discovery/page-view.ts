import { isInEdge, isInHead, isPressable, isTextBox, isTick, isUsable } from './evidence.js';
import { judgeForms, type JudgedForm } from './forms/forms.js';
import { labelForm } from './labels.js';
import { isJust, says, words, type Concept, type Words } from './lexicon/words.js';
import { askableBoxes } from './fields/lists.js';
import type { Meant } from './forms/meanings.js';
import type { FormKind } from './rules/forms/form-rule.js';
import { isSignOut } from './outcome/sign-out.js';
import { placeOf, shapeOf, type ControlSnapshot, type Handle, type PageSnapshot } from './snapshot.js';
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
  const isKey = ({ control: { text } }: Meant): boolean => /^\d$/.test(text);
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

/** What every page may offer, one that lets nobody on or only asks too. */
export const ASIDE: readonly Concept[] = ['back', 'help', 'leave', 'enter', 'signUp', 'forgot', 'resend', 'close', 'guest'];
const ANSWERS: readonly Concept[] = ['next', 'accept', 'allow', 'deny', 'yes', 'no', 'mine'];

const isOfUse = ({ control, evidence: { text } }: Meant, { context }: PageView): boolean =>
  control.landmark !== 'footer' &&
  // It opens a list to choose from, which a step may be about.
  control.role !== 'combobox' &&
  placeOf(control.href) !== placeOf(context.before?.url ?? '') &&
  !says('signIn', text) &&
  ![...ASIDE, ...ANSWERS].some((concept) => isJust(concept, text));

/** Something that only who is in could want: not the way back, or to help. */
export const offersUse = (view: PageView): boolean => view.pressables.some((button) => isOfUse(button, view));

/** What goes with a step in any of its words. */
const BESIDE: readonly Concept[] = ['resend', 'anotherWay', 'anotherAccount', 'terms'];

/** The same beside the parts of a step (`parts`) and the way out; the name of a website in its head leads to its front page or nowhere. */
export function offersUseBeside(view: PageView, parts: ReadonlySet<Handle>): boolean {
  const rest = view.pressables.filter((button) => !parts.has(button.control.handle) && !isSignOut(button));
  const here = placeOf(view.snapshot.url);
  const idle = new Set([here, here.replace(/^(\w+:\/\/[^/]+)\/.*$/, '$1/')]);
  const isUse = (button: Meant): boolean =>
    isOfUse(button, view) &&
    !/^(mailto|tel):/.test(button.control.href) &&
    !idle.has(placeOf(button.control.href)) &&
    !BESIDE.some((concept) => says(concept, button.evidence.text));
  return isAtWork({ ...view, pressables: rest }) || rest.some(isUse);
}

const MOST_LISTED = 9;

/** A page of a heading and a few links of one list, with no menus around it that the login did not have: a list to choose from, perhaps. */
export function loneList({ snapshot, context, pressables }: PageView): readonly Meant[] {
  const offers = context.before?.offers ?? [];
  const isOld = ({ control }: Meant): boolean => control.landmark === 'footer' || offers.includes(offerMark(control));
  const own = pressables.filter((button) => !isOld(button) && !ASIDE.some((concept) => isJust(concept, button.evidence.text)));
  const isListed = own.every(
    ({ control }) => control.tag === 'a' && !isInEdge(control) && shapeOf(control) === shapeOf(own[0]?.control ?? control),
  );
  return context.before !== null && snapshot.headings.length <= 2 && own.length >= 2 && own.length <= MOST_LISTED && isListed ? own : [];
}

const FEWEST_MENUS = 2;

/**
 * Behind a proof there are menus that the login did not have, and links of the page's own: a sentence about a letter, a device or a code on it
 * is one of the website's, and no step.
 */
export function isBesideWork(view: PageView): boolean {
  const { context, pressables } = view;
  const { before } = context;
  if (before === null || !isProven(context.sent)) return false;
  const menus = pressables.filter(({ control }) => isInHead(control) && !before.offers.includes(offerMark(control)));
  const isOwn = (button: Meant): boolean =>
    button.control.tag === 'a' &&
    !isInEdge(button.control) &&
    button.control.landmark !== 'dialog' &&
    isOfUse(button, view) &&
    !leavesSite(view, button.control) &&
    !BESIDE.some((concept) => says(concept, button.evidence.text));
  return menus.length >= FEWEST_MENUS && pressables.some(isOwn);
}

const FEWEST_PLACES = 5;
const FEWEST_WORKS = 3;

/** The box in which an editor of code takes its keys: what is typed is drawn elsewhere. */
const isEditorInput = ({ tag, unreachable }: ControlSnapshot): boolean =>
  tag === 'textarea' && (unreachable === 'transparent' || unreachable === 'clipped');

/**
 * Many places to go to, and an editor among them, or not all of them in one form: a step in words we do not know has its few buttons there,
 * and a menu of languages leads to one page. Where all stand in one, some of them must be about work.
 */
export function isAtWork({ pressables, snapshot }: Pick<PageView, 'pressables' | 'snapshot'>): boolean {
  const inside = pressables.filter(({ control }) => control.landmark !== 'footer');
  const places = new Set(inside.map(({ control }) => control.href || control.handle));
  places.delete(placeOf(snapshot.url));
  if (places.size < FEWEST_PLACES) return false;
  if (snapshot.controls.some(isEditorInput)) return true;
  const offers = [...inside.map(({ evidence: { text } }) => text), ...snapshot.folded.map(({ text }) => words(text))];
  const works = new Set(offers.filter((said) => isJust('work', said)).map(({ squeezed }) => squeezed));
  return new Set(inside.map(({ control }) => control.form)).size >= 2 || works.size >= FEWEST_WORKS;
}

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
