import type { Meant } from '../forms/meanings.js';
import { type Concept, says, words } from '../lexicon/words.js';
import { isGreeted } from '../outcome/greeting.js';
import { isSignOut } from '../outcome/sign-out.js';
import { anySays, type PageView } from '../page-view.js';
import type { Handle } from '../snapshot.js';
import { type ChoiceFinding, offerMark } from '../verdict.js';
import { offersUseBeside } from '../work.js';
import { counts } from './forms/facts.js';
import { type Findings, isQuestion, realMethods } from './kind-facts.js';

type Found = Omit<Findings, 'success'>;

const isOf = (rule: string, choices: readonly ChoiceFinding[]): boolean => choices.some(({ rules }) => rules.includes(rule));

const isBanner = (view: PageView): boolean => anySays(view, 'cookies') && !anySays(view, 'terms');

/** What a page may ask of somebody who has proven a part and is not in yet, each with a way to give up beside it. */
const STEPS: readonly ((found: Found) => boolean)[] = [
  // A banner about cookies is accepted too, but is no form.
  ({ view, forks, asksForText }) =>
    !asksForText && isOf('fork/goes_on', isBanner(view) ? forks.filter(({ rules }) => rules.includes('fork/in_form')) : forks),
  (f) => ['form/question/words', 'form/question/goes_on', 'form/question/back'].some((rule) => isQuestion(f, rule)) && !isOfOrder(f),
  ({ view, accounts, asksForText }) => !asksForText && accounts.length > 0 && anySays(view, 'chooseAccount', 'chooseOrganization'),
  isDemandedOver,
  ({ external, asksForText }) => external !== null && external.kind !== 'qr' && !asksForText,
  // What a list of an application tells of is announced somewhere on its page; a page that is about a refusal says so at its head.
  ({ error, asksForText }) =>
    !asksForText && (error?.rules.some((rule) => rule === 'error/heading' || rule === 'error/http_status') ?? false),
];

/** Where to send something: an order goes on so, and a login does not. */
const isOfOrder = ({ question }: Found): boolean => question !== null && counts(question.segment, 'address') >= 2;

/** What these steps are made of, so that only the rest of the page can be of use to somebody. */
function partsOf({ methods, accounts, forks, ways, question }: Found): ReadonlySet<Handle> {
  const offers = [
    ...methods,
    ...accounts,
    ...ways,
    ...forks.filter(({ rules }) => rules.includes('fork/goes_on') || rules.includes('fork/in_form')),
  ];
  const pressed = offers.flatMap(({ action }) => (action.kind === 'press' ? [action.handle] : []));
  return new Set([...pressed, ...(question?.segment.buttons ?? []).map(({ control }) => control.handle)]);
}

const MOST_BESIDE = 2;
const DEMANDS: readonly Concept[] = ['mustChange', 'authenticator'];

/** Waits for an app, a call or a key, or demands another password or a second factor, and has next to nothing else: neither a greeting nor a way out tells that somebody is in. */
function isProofElsewhere({ view, external, toldAction, asksForText }: Found): boolean {
  const { before } = view.context;
  // What stood beside the login too is no use of being in.
  const isOther = (button: Meant): boolean =>
    !isSignOut(button) && button.control.landmark !== 'footer' && before?.offers.includes(offerMark(button.control)) !== true;
  const others = view.pressables.filter(isOther).length;
  const isAsked =
    external?.kind === 'push' ||
    external?.kind === 'call' ||
    (external?.kind === 'magic_link' && (others === 0 || says('linkSent', view.headings))) ||
    toldAction !== null ||
    anySays(view, 'securityKey') ||
    DEMANDS.some((concept) => says(concept, view.headings));
  return isAsked && before !== null && !asksForText && others <= MOST_BESIDE;
}

/** A way out lies under something. */
const isOutCovered = (forms: PageView['forms']): boolean =>
  forms.flatMap(({ segment }) => segment.buttons).some((button) => button.control.unreachable === 'covered' && isSignOut(button));

/** A form laid over an application that cannot be put off. */
function isDemandedOver({ view: { forms, snapshot }, forks, dismiss }: Found): boolean {
  const isInDialog = ({ action, rules }: ChoiceFinding): boolean =>
    rules.includes('fork/in_form') && snapshot.controls.some(({ handle, landmark }) => handle === action.handle && landmark === 'dialog');
  return dismiss === null && forks.length > 0 && !isOf('fork/puts_off', forks) && forks.every(isInDialog) && isOutCovered(forms);
}

const WANTED: readonly Concept[] = ['terms', 'consent', 'mustChange', 'verify', 'human', 'staySignedIn'];

/** "What's new", and "OK": a box that tells something, over the menus and the way out of an application. */
function isAnnouncement({ view: { forms, snapshot }, forks }: Found): boolean {
  return (
    forks.length === 1 &&
    !isOf('fork/in_form', forks) &&
    isOutCovered(forms) &&
    !WANTED.some((concept) => says(concept, words(snapshot.modalText)))
  );
}

/**
 * Once something was sent, a page that asks for more and offers nothing else to use: its way out is one to give up, and proves nothing. A
 * page that greets is believed, unless what it offers could not be meant for somebody who is in.
 */
export function isUnfinished(found: Found): boolean {
  const { view, methods, forks, asksForText } = found;
  if (isProofElsewhere(found)) return true;
  if (view.context.before === null || offersUseBeside(view, partsOf(found)) || isAnnouncement(found)) return false;
  const isAsked = !asksForText && (realMethods({ methods }).length >= 2 || isOf('fork/ends_others', forks));
  return isAsked || (!isGreeted(view) && STEPS.some((test) => test(found)));
}
