import { isInEdge, isUsable } from '../evidence.js';
import type { Meant } from '../forms/meanings.js';
import { type Concept, isJust, lengthOf, says, type Words, words } from '../lexicon/words.js';
import { areSessions, declinesAndLeaves, endsOthers, isSignOut } from '../outcome/sign-out.js';
import { isLoginCovered, type PageView, pointsBack, usableBoxes } from '../page-view.js';
import { shapeOf } from '../snapshot.js';
import type { ChoiceFinding, RuleId } from '../verdict.js';
import { isBesideWork, loneList } from '../work.js';
import { agreeing, agreementsOf } from './agreements.js';
import { choice, distinct } from './choice.js';
import { methodOf } from './methods.js';
import { type Offer, offersOf, pressOffer, rowOffer } from './offers.js';
import { ssoProvider } from './sso.js';

/** A page that offers more than this is none that asks which way to go on. */
const MOST = 6;
/** Of a list to choose from, as of countries. */
const MOST_LISTED = 60;
const LONGEST = 80;
const LONGEST_LATER = 48;

/** What leads off the way, when it is all that a button says. */
const OFF: readonly Concept[] = ['back', 'help', 'forgot', 'search', 'subscribe', 'resend', 'show', 'work', 'account'];
/** The same, said among other words. */
const AWAY: readonly Concept[] = ['signIn', 'signUp', 'signOut', 'leave', 'cookies'];
/** What goes on, so that a link which says it counts as a button. */
const ON: readonly Concept[] = ['mine', 'yes', 'next', 'verify', 'anotherWay', 'chooseMethod', 'accept', 'allow'];
/** Of these what helps where the website has just refused to go on. */
const HELPS: readonly Concept[] = ['mine', 'yes', 'verify', 'anotherWay', 'chooseMethod'];
/** What goes on without what a page offers, for now. */
const PUTS_OFF: readonly Concept[] = ['no', 'guest', 'later'];
/** What takes no consent along. */
const DECLINES: readonly Concept[] = ['deny', 'reject', 'close', ...PUTS_OFF];

/**
 * The ways to go on from a page that asks for nothing to be typed, in words that no other rule knows: the options of a list, else buttons,
 * each with what it demands to be agreed to.
 */
export function forkChoices(view: PageView): ChoiceFinding[] {
  const options = optionsOfForm(view);
  if (options.length > 0) {
    const found = options.map(({ offer, rules }) => choice(view, offer, 'other', ['fork/in_form', 'fork/option', ...rules]));
    return withQuestion(view, distinct(found));
  }
  const sessions = sessionsToEnd(view);
  if (sessions.length > 0) return sessions;
  const listed = view.context.loginStands === true ? loneList(view) : [];
  if (listed.length > 0) return withQuestion(view, distinct(listed.map((of) => choice(view, rowOffer(of), 'other', ['fork/listed']))));
  const boxes = agreementsOf(view);
  const offers = buttonsOf(view, boxes.length > 0);
  const later = offers.filter((offer) => offer.of.control.tag === 'a' && isLater(offer));
  const found = offers.filter((offer) => isWayOn(offer) || later.some((other) => isTwin(offer, other, offers)));
  return found.length > MOST ? [] : withQuestion(view, distinct(found.map((offer) => wayOn(view, offer, boxes))));
}

/** Which of the devices that somebody has signed in on has to leave, each called by its row. */
function sessionsToEnd(view: PageView): ChoiceFinding[] {
  const isTooMany = says('barred', view.headings);
  const outs = view.pressables.filter(
    (button) => !isInEdge(button.control) && (isSignOut(button) || (isTooMany && isJust('work', button.evidence.text))),
  );
  if (view.context.before === null || !areSessions(outs, view.headings, isBesideWork(view))) return [];
  const named = outs.map((of) => ({ of, found: choice(view, rowOffer(of), 'other', ['fork/ends_others']) }));
  return named.map(({ of, found }) => ({ ...found, label: of.control.row.split('\n')[0] ?? found.label, description: found.label }));
}

/** Where a page has no buttons: the other of two links beside each other, one of which puts it off. */
function isTwin(offer: Offer, later: Offer, offers: readonly Offer[]): boolean {
  const placeIn = (one: Offer): string => `${one.of.control.form} ${shapeOf(one.of.control)}`;
  const beside = offers.filter((other) => placeIn(other) === placeIn(later));
  return offers.every(({ of }) => of.control.tag === 'a') && beside.length === 2 && beside.includes(offer) && offer.text.length <= LONGEST;
}

const LONGEST_QUESTION = 200;

/** Where a bare yes or no is among the answers, they tell what is asked: nobody can know it from them. */
function withQuestion({ snapshot }: PageView, answers: ChoiceFinding[]): ChoiceFinding[] {
  const question = snapshot.headings.join(' ').slice(0, LONGEST_QUESTION).trim();
  const isBare = answers.some(({ label }) => isOneOf(['yes', 'no', 'later'], words(label)));
  return isBare && question !== '' ? answers.map((answer) => ({ ...answer, description: answer.description ?? question })) : answers;
}

const isLater = ({ words: said }: Offer): boolean => lengthOf(said) <= LONGEST_LATER && says('later', said);

/** What goes on without what a page asks for, once something has been sent: beside the boxes for it. */
export function waysToPutOff(view: PageView): ChoiceFinding[] {
  const offers = view.context.before === null ? [] : view.pressables.filter(({ control }) => !isInEdge(control)).map(pressOffer);
  return distinct(offers.filter(isLater).map((offer) => choice(view, offer, 'other', ['fork/puts_off'])));
}

/** Has the code sent that a page asks for, which does not say that one is on its way. */
export function waysToHaveSent(view: PageView): ChoiceFinding[] {
  if (says('codeSent', view.told)) return [];
  const offers = view.pressables.filter(({ control }) => !isInEdge(control)).map(pressOffer);
  return distinct(
    offers.filter(({ words: said }) => isJust('sendCode', said)).map((offer) => choice(view, offer, 'other', ['fork/sends_code'])),
  );
}

/** Words of menus and of help, none of which is a way in that one chooses. */
const BESIDES: readonly Concept[] = [
  'back',
  'help',
  'forgot',
  'signUp',
  'signOut',
  'terms',
  'cookies',
  'leave',
  'show',
  'close',
  'search',
  'subscribe',
  'work',
];

const CHOOSING: readonly Concept[] = ['signIn', 'select', 'chooseMethod', 'chooseAccount', 'myAccount'];

/**
 * All that a first page offers where it is about signing in or choosing, and nothing on it is known: which of its few buttons and links leads
 * on is for the person to say.
 */
export function firstWays(view: PageView): ChoiceFinding[] {
  const { context, headings, snapshot } = view;
  const isAbout = saysOneOf(CHOOSING, headings) || says('signIn', words(snapshot.title));
  const offers = view.pressables
    .filter(({ control }) => !isInEdge(control) && control.text !== '' && control.text.length <= LONGEST)
    .map(pressOffer)
    .filter(({ words: said }) => isJust('accept', said) || !saysOneOf(BESIDES, said));
  const isList = says('pick', headings) && new Set(offers.map(({ of }) => shapeOf(of.control))).size === 1;
  const isAgreement = offers.length === 1 && offers.some(({ words: said }) => isJust('accept', said) || isJust('next', said));
  if (
    context.before !== null ||
    offers.length === 0 ||
    offers.length > (isList ? MOST_LISTED : MOST) ||
    !(isAgreement || (isAbout && offers.length > 1))
  )
    return [];
  return distinct(offers.map((offer) => choice(view, offer, 'other', ['fork/first_way'])));
}

/** The buttons of a box that is laid over a form to sign in with: which of them leads to it is for the person to say. */
export function overlayChoices(view: PageView): ChoiceFinding[] {
  if (!isLoginCovered(view)) return [];
  const buttons = view.pressables.filter(({ control }) => control.overlay !== '' && control.text !== '');
  return buttons.length > MOST ? [] : distinct(buttons.map(pressOffer).map((offer) => choice(view, offer, 'other', ['fork/over_form'])));
}

/** What asks once more for an act elsewhere that was refused or came too late. */
export function waysToAskAgain(view: PageView): ChoiceFinding[] {
  const offers = view.pressables.filter(({ control }) => !isInEdge(control)).map(pressOffer);
  const asks = ({ text, words: said }: Offer): boolean => text.length <= LONGEST && saysOneOf(['retry', 'resend'], said);
  return distinct(offers.filter(asks).map((offer) => choice(view, offer, 'other', ['fork/again'])));
}

/** A list to choose from that has a button of its own, and nothing else to answer. */
function optionsOfForm(view: PageView): { offer: Offer; rules: readonly RuleId[] }[] {
  const { forms, selects, ticks } = view;
  const [list] = [...ticks.filter(isRadio), ...selects];
  const form = forms.find(({ segment }) => list !== undefined && (segment.ticks.includes(list) || segment.boxes.includes(list)));
  if (list === undefined || form === undefined || isInEdge(list.control)) return [];
  const { boxes, buttons, ticks: all } = form.segment;
  // A list that is set goes with whichever answer is given.
  const isSet = all.some(({ control }) => control.checked) && buttons.some(({ evidence: { text } }) => isOneOf(DECLINES, text));
  if (isSet) return [];
  const isAlone = boxes.every((box) => box === list) && buttons.some(({ control }) => control.tag !== 'a' && isUsable(control));
  const offers = offersOf(view).filter(({ of, action }) => action.kind !== 'press' && (of === list || isRadio(of)));
  const rules = [...new Set(buttons.flatMap(({ evidence: { text } }) => leadsOn(text)))];
  return isAlone && offers.length > 1 ? offers.map((offer) => ({ offer, rules })) : [];
}

const isRadio = ({ control }: Meant): boolean => control.type === 'radio' || control.role === 'radio';

/** Where there is something to tick, a button may wait for it. */
function buttonsOf({ forms }: PageView, mayWait: boolean): Offer[] {
  const buttons = forms
    .filter((form) => usableBoxes(form).length === 0)
    .flatMap(({ segment }) => segment.buttons)
    .filter(({ control }) => isUsable(control) && (mayWait || !control.disabled) && !isInEdge(control));
  // Buttons of one name are told apart by what stands beside them.
  const isOneOfMany = ({ control }: Meant): boolean => buttons.filter((other) => other.control.text === control.text).length > 1;
  return buttons.map((button) => (isOneOfMany(button) ? rowOffer(button) : pressOffer(button))).filter(({ label }) => label !== '');
}

const saysOneOf = (concepts: readonly Concept[], text: Words): boolean => concepts.some((concept) => says(concept, text));
const isOneOf = (concepts: readonly Concept[], text: Words): boolean => concepts.some((concept) => isJust(concept, text));

/** Rules of a button that is an answer to what its page asks, not work to be done there. */
const leadsOn = (said: Words): readonly RuleId[] => [
  ...(isOneOf(ON, said) || endsOthers(said) ? ['fork/goes_on'] : []),
  ...(endsOthers(said) ? ['fork/ends_others'] : []),
];

/** A way out that answers the form it stands in. */
const isRefusal = ({ words: said, of: { control } }: Offer): boolean => control.type === 'submit' && declinesAndLeaves(said);

/** "Continue with" something that is no known provider may be a plan as well. */
const isProvider = (offer: Offer): boolean => {
  const found = ssoProvider(offer);
  return found !== null && found.rule !== 'sso/continue_with';
};

function isWayOn(offer: Offer): boolean {
  const { text, words: said, of } = offer;
  if (isRefusal(offer)) return text.length <= LONGEST;
  const goesOn = saysOneOf(ON, said) || isLater(offer) || endsOthers(said);
  const isButton = of.control.tag !== 'a' || of.control.role === 'button' || goesOn;
  // "Not now" closes a box, and goes on where a page offers it.
  const leads =
    pointsBack(text) ||
    (!endsOthers(said) && (isOneOf(OFF, said) || saysOneOf(AWAY, said) || (isJust('close', said) && !isOneOf(PUTS_OFF, said))));
  return isButton && of.control.role !== 'menubutton' && !leads && text.length <= LONGEST && !isProvider(offer);
}

function wayOn(view: PageView, offer: Offer, boxes: readonly Meant[]): ChoiceFinding {
  const said = offer.words;
  const isInForm = view.snapshot.forms.some(({ key, element }) => element && key === offer.of.control.form);
  const rules: RuleId[] = [
    saysOneOf(HELPS, said) ? 'fork/helps' : 'fork/button',
    ...leadsOn(said),
    ...(isOneOf(PUTS_OFF, said) ? ['fork/puts_off'] : []),
    ...(isInForm ? ['fork/in_form'] : []),
  ];
  const isAnother = says('anotherAccount', said);
  const isSwitch = !isAnother && methodOf(offer)?.type === 'switch';
  const type = isAnother ? 'account' : isSwitch ? 'mfa_method' : 'other';
  const found = choice(view, offer, type, rules, isSwitch ? { mfaType: 'switch' } : {});
  return isOneOf(DECLINES, said) || isRefusal(offer) ? found : agreeing(found, boxes);
}
