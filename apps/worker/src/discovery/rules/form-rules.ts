import { isCharacter } from '../characters.js';
import { isInEdge, isTextBox, isUsable } from '../evidence.js';
import { isJust, lengthOf, says, type Concept, type Words } from '../lexicon/words.js';
import type { Meant } from '../meanings.js';
import { askableBoxes } from '../lists.js';
import { endsForm, type Segment } from '../segments.js';
import type { Meaning } from './field-rules.js';

/** What sending a form would do. `question`: it answers what a website asks on the way in, whatever that is. */
export type FormKind = 'login' | 'signup' | 'reset' | 'change' | 'code' | 'question' | 'search' | 'newsletter' | 'other';

/** The page around a form, read once. */
export interface Surroundings {
  readonly title: Words;
  readonly headings: Words;
  readonly path: string;
  readonly text: Words;
  readonly onlyForm: boolean;
  /** What the website knows by now: nothing; who it is or who vouches for it; a proof. */
  readonly given: 'nothing' | 'name' | 'proof';
  /** Something on the page goes on without what it asks for. */
  readonly canWait: boolean;
  /** The page is another than the one from which something was sent last. */
  readonly moved: boolean;
}

export interface FormRule {
  readonly id: string;
  readonly kind: FormKind;
  readonly weight: number;
  readonly test: (segment: Segment, page: Surroundings) => boolean;
}

const boxes = (segment: Segment): readonly Meant[] => segment.boxes.filter(({ control }) => control.visible);
const counts = (segment: Segment, ...meanings: Meaning[]): number =>
  boxes(segment).filter(({ meaning }) => meaning !== null && meanings.includes(meaning)).length;
const passwords = (segment: Segment): readonly Meant[] =>
  boxes(segment).filter(
    ({ control, meaning }) =>
      (control.type === 'password' && meaning !== 'code' && meaning !== 'question') || meaning === 'password' || meaning === 'new_password',
  );
const hasAutocomplete = (segment: Segment, token: string): boolean =>
  boxes(segment).some(({ control }) => control.autocomplete.split(/\s+/).includes(token));
/** Buttons that could send this form: not the links around it. */
const senders = (segment: Segment): readonly Meant[] => segment.buttons.filter(({ control }) => control.tag !== 'a' && isUsable(control));
const sendSays = (segment: Segment, concept: Concept): boolean =>
  senders(segment).some(({ evidence: { text } }) => lengthOf(text) <= 40 && says(concept, text));
const sendIs = (segment: Segment, concept: Concept): boolean => senders(segment).some(({ evidence: { text } }) => isJust(concept, text));
const anyButtonSays = (segment: Segment, concept: Concept): boolean =>
  segment.buttons.some(({ evidence: { text } }) => says(concept, text));
const tickSays = (segment: Segment, concept: Concept): boolean =>
  segment.ticks.some(({ evidence }) => says(concept, evidence.label) || says(concept, evidence.neighbour) || says(concept, evidence.aria));
const isIdentifier = ({ meaning }: Meant): boolean => meaning === 'username' || meaning === 'email' || meaning === 'phone';

const LOGIN_CODE = /log_?[io]n|log_?on|sign_?(in|on)|auth(?!or)|session|sso|anmeld|connexion|acceso|entrar/;
const SIGNUP_CODE = /sign_?up|regist(?!ered)|create_?(an_?)?(account|user)|join|enrol|new_?(user|account|customer)/;
const RESET_CODE = /forgot|reset|recover|lost_?pass|remind/;

/** What the page as a whole says speaks for each of its forms, except one that calls itself something else. */
const isOwn = (segment: Segment): boolean => !says('signUp', segment.heading) && !says('resetPassword', segment.heading);
/** A box whose own words or name say that it takes a code, or that stands alone after a password: not its shape, nor what stands near. */
const saysCode = ({ meaning, rules }: Meant): boolean =>
  meaning === 'code' && rules.some((rule) => /^code\/(autocomplete|label|aria|name|placeholder|split|second_step)$/.test(rule));

/** One name and no more than a box beside it: the shape of a first step. */
const isNameStep = (segment: Segment): boolean =>
  boxes(segment).filter(isIdentifier).length === 1 &&
  boxes(segment).length <= 2 &&
  counts(segment, 'person', 'address', 'code', 'search') === 0 &&
  passwords(segment).length === 0;

const NAMES = ['username', 'email', 'phone'] as const satisfies readonly (Concept & Meaning)[];

/** Outside the edges of the page, all that could send it says that it signs in, and no more. */
const onlySignsIn = (segment: Segment): boolean => {
  const enders = senders(segment).filter(({ evidence, control }) => endsForm(evidence) && !isInEdge(control));
  return enders.length > 0 && enders.every(({ evidence: { text } }) => isJust('signIn', text));
};

/** "Continue with email" below the box for it: no choice of a way, but the way on. */
const goesOnWithOwn = (segment: Segment): boolean =>
  senders(segment).some(
    ({ evidence: { text } }) =>
      lengthOf(text) <= 40 &&
      says('next', text) &&
      NAMES.some((name) => says(name, text) && boxes(segment).some(({ scores }) => scores[name] !== undefined)),
  );

/** Only a form to sign up: many pages are for both. */
const isForNewcomers = (segment: Segment, { headings }: Surroundings): boolean =>
  [segment.heading, headings].some((heading) => says('signUp', heading) && !says('signIn', heading));

/** Buttons beside a step, and those of other things than steps. */
const NO_STEP: readonly Concept[] = [
  'show',
  'forgot',
  'resend',
  'back',
  'help',
  'close',
  'guest',
  'later',
  'deny',
  'no',
  'search',
  'subscribe',
];
const isAtWork = (text: Words): boolean => isJust('work', text) && !isJust('submit', text);
const GOES_ON: readonly Concept[] = ['next', 'verify', 'signIn'];
const typed = (segment: Segment): readonly Meant[] => segment.boxes.filter(({ control }) => isTextBox(control) && isUsable(control));
/** All that a step asks for, the characters of one secret once. A list alone is a choice between its options. */
function asked(segment: Segment): readonly Meant[] {
  const boxes = askableBoxes({ segment });
  const [first] = boxes.filter(isCharacter);
  const found = boxes.filter((box) => box === first || !isCharacter(box));
  return found.length === 1 && found[0]?.control.tag === 'select' ? [] : found;
}

/** A few boxes of no meaning to a login, outside the edges of the page, and one button that sends them. */
function isStep(segment: Segment): boolean {
  const goers = senders(segment).filter(({ evidence: { text } }) => !NO_STEP.some((concept) => isJust(concept, text)) && !isAtWork(text));
  const enders = goers.filter(({ evidence: { text } }) => [...GOES_ON, 'submit' as const].some((concept) => says(concept, text)));
  return (
    asked(segment).length >= 1 &&
    asked(segment).length <= 4 &&
    asked(segment).every(({ control }) => !isInEdge(control)) &&
    (goers.length === 1 || enders.length === 1) &&
    passwords(segment).length === 0 &&
    counts(segment, 'code', 'search', 'captcha', 'totp_secret') === 0
  );
}

/** What stands alone and may be the name once more, for a website that begins anew. */
const isLoneName = (segment: Segment): boolean => asked(segment).length === 1 && typed(segment).some(isIdentifier);
const isNumber = (segment: Segment): boolean =>
  typed(segment).every(({ scores, evidence: { label } }) => scores.email === undefined && !says('username', label));

const FEWEST_SETTINGS = 6;

/**
 * More lists and boxes to tick than come with a change of a password, and no name as in a form to sign up: the settings of an application,
 * a password among them.
 */
export const isSettings = (segment: Segment): boolean =>
  !boxes(segment).some(isIdentifier) &&
  [...boxes(segment), ...segment.ticks].filter(({ control, meaning }) => control.visible && meaning === null && !isTextBox(control))
    .length >= FEWEST_SETTINGS;

/** One password, at most two names before it: the plain shape of a login. */
const isLoginShape = (segment: Segment): boolean =>
  passwords(segment).length === 1 &&
  counts(segment, 'new_password') === 0 &&
  boxes(segment).length <= 4 &&
  counts(segment, 'person', 'address', 'payment') <= 1;

export const FORM_RULES: readonly FormRule[] = [
  {
    id: 'form/login/current_password',
    kind: 'login',
    weight: 5,
    test: (s) => hasAutocomplete(s, 'current-password') && passwords(s).length === 1,
  },
  { id: 'form/login/one_password', kind: 'login', weight: 4, test: isLoginShape },
  { id: 'form/login/button', kind: 'login', weight: 4, test: (s) => sendSays(s, 'signIn') || sendIs(s, 'enter') },
  { id: 'form/login/heading', kind: 'login', weight: 3, test: (s) => says('signIn', s.heading) && !says('signUp', s.heading) },
  { id: 'form/login/code', kind: 'login', weight: 3, test: (s) => LOGIN_CODE.test(s.code) },
  { id: 'form/login/forgot', kind: 'login', weight: 3, test: (s) => anyButtonSays(s, 'forgot') },
  { id: 'form/login/remember', kind: 'login', weight: 3, test: (s) => tickSays(s, 'remember') },
  {
    id: 'form/login/title',
    kind: 'login',
    weight: 2,
    test: (s, page) => says('signIn', page.title) && !says('signUp', page.title) && isOwn(s),
  },
  { id: 'form/login/page_heading', kind: 'login', weight: 2, test: (_s, page) => says('signIn', page.headings) && page.onlyForm },
  {
    id: 'form/login/path',
    kind: 'login',
    weight: 2,
    test: (s, page) => LOGIN_CODE.test(page.path) && !SIGNUP_CODE.test(page.path) && isOwn(s),
  },
  {
    id: 'form/login/autocomplete_username',
    kind: 'login',
    weight: 3,
    test: (s) => hasAutocomplete(s, 'username') && passwords(s).length <= 1 && counts(s, 'new_password', 'person') === 0,
  },
  { id: 'form/login/identifier_next', kind: 'login', weight: 3, test: (s) => isNameStep(s) && sendIs(s, 'next') },
  {
    id: 'form/login/identifier_signs_in',
    kind: 'login',
    weight: 3,
    test: (s, page) => page.onlyForm && isNameStep(s) && onlySignsIn(s) && boxes(s).every(({ control }) => !isInEdge(control)),
  },
  {
    id: 'form/login/identifier_named',
    kind: 'login',
    weight: 5,
    test: (s, page) => isNameStep(s) && goesOnWithOwn(s) && !isForNewcomers(s, page),
  },
  {
    id: 'form/login/box_named',
    kind: 'login',
    weight: 2,
    test: (s) => boxes(s).some((box) => isIdentifier(box) && LOGIN_CODE.test(box.evidence.code)),
  },

  {
    id: 'form/signup/new_password',
    kind: 'signup',
    weight: 5,
    test: (s) => hasAutocomplete(s, 'new-password') || counts(s, 'new_password') > 0,
  },
  { id: 'form/signup/button', kind: 'signup', weight: 5, test: (s) => sendSays(s, 'signUp') && !sendSays(s, 'signIn') },
  { id: 'form/signup/heading', kind: 'signup', weight: 4, test: (s) => says('signUp', s.heading) && !says('signIn', s.heading) },
  {
    id: 'form/signup/code',
    kind: 'signup',
    weight: 3,
    test: (s) => SIGNUP_CODE.test(s.code) && !LOGIN_CODE.test(s.code.replace(SIGNUP_CODE, '')),
  },
  {
    id: 'form/signup/person',
    kind: 'signup',
    weight: 3,
    test: (s, page) => counts(s, 'person') > 0 && (passwords(s).length > 0 || (page.given !== 'proof' && boxes(s).some(isIdentifier))),
  },
  {
    id: 'form/signup/many_boxes',
    kind: 'signup',
    weight: 5,
    test: (s, page) => counts(s, 'person', 'address') >= 2 && (page.given !== 'proof' || passwords(s).length > 0),
  },
  { id: 'form/signup/terms', kind: 'signup', weight: 2, test: (s) => tickSays(s, 'terms') },
  {
    id: 'form/signup/two_passwords',
    kind: 'signup',
    weight: 4,
    test: (s) =>
      passwords(s).length === 2 && boxes(s).some(isIdentifier) && !boxes(s).some(({ control }) => /current/.test(control.autocomplete)),
  },
  // A login asks for one name; who signs up gives the name and the address.
  {
    id: 'form/signup/name_and_email',
    kind: 'signup',
    weight: 3,
    test: (s) => counts(s, 'username') > 0 && counts(s, 'email') > 0 && passwords(s).length > 0 && !hasAutocomplete(s, 'current-password'),
  },
  { id: 'form/signup/title', kind: 'signup', weight: 2, test: (_s, page) => says('signUp', page.title) && !says('signIn', page.title) },
  { id: 'form/signup/path', kind: 'signup', weight: 2, test: (_s, page) => SIGNUP_CODE.test(page.path) && !LOGIN_CODE.test(page.path) },

  { id: 'form/reset/button', kind: 'reset', weight: 5, test: (s) => passwords(s).length === 0 && sendSays(s, 'resetPassword') },
  {
    id: 'form/reset/heading',
    kind: 'reset',
    weight: 5,
    test: (s, page) =>
      passwords(s).length === 0 &&
      (says('resetPassword', s.heading) || (page.onlyForm && (says('resetPassword', page.title) || RESET_CODE.test(page.path)))),
  },
  { id: 'form/reset/code', kind: 'reset', weight: 4, test: (s) => passwords(s).length === 0 && RESET_CODE.test(s.code) },

  {
    id: 'form/change/current_and_new',
    kind: 'change',
    weight: 7,
    test: (s) =>
      passwords(s).length >= 2 &&
      passwords(s).some(
        ({ scores, control }) =>
          /current|old/.test(`${control.autocomplete} ${control.name} ${control.id}`.toLowerCase()) ||
          scores.password?.rules.includes('password/current') === true,
      ) &&
      (counts(s, 'new_password') > 0 || passwords(s).length === 3),
  },
  {
    id: 'form/change/new_only',
    kind: 'change',
    weight: 6,
    test: (s) =>
      passwords(s).length >= 1 &&
      passwords(s).length === boxes(s).filter(({ meaning }) => meaning !== null).length &&
      (counts(s, 'new_password') > 0 || passwords(s).length >= 2),
  },
  {
    id: 'form/change/button',
    kind: 'change',
    weight: 5,
    test: (s) => passwords(s).length > 0 && (sendSays(s, 'changePassword') || (sendIs(s, 'resetPassword') && !sendSays(s, 'signIn'))),
  },
  {
    id: 'form/change/heading',
    kind: 'change',
    weight: 3,
    test: (s) => passwords(s).length > 0 && (says('changePassword', s.heading) || says('mustChange', s.heading)),
  },
  {
    id: 'form/change/code',
    kind: 'change',
    weight: 3,
    test: (s) => passwords(s).length > 0 && /(change|reset|update|edit|new)_?(pass|pwd)|password_?(reset|change|edit|update)/.test(s.code),
  },

  {
    id: 'form/code/box',
    kind: 'code',
    weight: 6,
    test: (s) =>
      counts(s, 'code') > 0 &&
      passwords(s).length === 0 &&
      counts(s, 'person', 'address', 'payment') === 0 &&
      boxes(s).filter(isIdentifier).length === 0,
  },
  // A step that asks for a code is part of signing in: the words of signing in around it say nothing against it.
  {
    id: 'form/code/only',
    kind: 'code',
    weight: 14,
    test: (s) =>
      boxes(s).some(saysCode) &&
      passwords(s).length === 0 &&
      counts(s, 'person') <= 1 &&
      counts(s, 'address', 'payment') === 0 &&
      !boxes(s).some(isIdentifier),
  },
  { id: 'form/code/verify', kind: 'code', weight: 2, test: (s) => counts(s, 'code') > 0 && sendSays(s, 'verify') },
  { id: 'form/code/one_time', kind: 'code', weight: 4, test: (s) => hasAutocomplete(s, 'one-time-code') && passwords(s).length === 0 },

  {
    id: 'form/search/box',
    kind: 'search',
    weight: 8,
    test: (s) => counts(s, 'search') > 0 && passwords(s).length === 0 && boxes(s).length <= 2,
  },
  {
    id: 'form/search/code',
    kind: 'search',
    weight: 4,
    test: (s) => /search|suche|buscar|recherche/.test(s.code) && passwords(s).length === 0,
  },
  { id: 'form/search/button', kind: 'search', weight: 3, test: (s) => passwords(s).length === 0 && sendIs(s, 'search') },

  { id: 'form/newsletter/button', kind: 'newsletter', weight: 5, test: (s) => passwords(s).length === 0 && sendSays(s, 'subscribe') },
  {
    id: 'form/newsletter/text',
    kind: 'newsletter',
    weight: 4,
    test: (s) =>
      passwords(s).length === 0 &&
      (says('newsletter', s.heading) ||
        boxes(s).some(({ evidence }) => says('newsletter', evidence.placeholder) || says('newsletter', evidence.label))),
  },
  {
    id: 'form/newsletter/code',
    kind: 'newsletter',
    weight: 5,
    test: (s) => passwords(s).length === 0 && /newsletter|subscri|mailing|mc_embed|mailchimp|klaviyo/.test(s.code),
  },
  {
    id: 'form/newsletter/email_signup',
    kind: 'newsletter',
    weight: 2,
    test: (s) => counts(s, 'email') === 1 && boxes(s).length === 1 && sendSays(s, 'signUp'),
  },
  {
    id: 'form/newsletter/footer',
    kind: 'newsletter',
    weight: 4,
    test: (s) => passwords(s).length === 0 && boxes(s).length > 0 && boxes(s).every(({ control }) => control.landmark === 'footer'),
  },

  { id: 'form/other/payment', kind: 'other', weight: 8, test: (s) => counts(s, 'payment') >= 2 },
  { id: 'form/other/address', kind: 'other', weight: 5, test: (s) => counts(s, 'address') >= 2 && passwords(s).length === 0 },
  {
    id: 'form/other/message',
    kind: 'other',
    weight: 9,
    test: (s) => boxes(s).some(({ control }) => control.tag === 'textarea') && passwords(s).length === 0,
  },
  { id: 'form/other/settings', kind: 'other', weight: 6, test: (s) => passwords(s).length > 0 && isSettings(s) },
  { id: 'form/other/many', kind: 'other', weight: 4, test: (s) => boxes(s).length >= 6 && counts(s, 'code') < 4 },

  // Last, so that words for anything else decide between equals.
  {
    id: 'form/question/words',
    kind: 'question',
    weight: 8,
    test: (s, page) => page.given !== 'nothing' && isStep(s) && counts(s, 'question') > 0,
  },
  // Once something has been sent, a form in words of no table is a step of the way in.
  {
    id: 'form/question/step',
    kind: 'question',
    weight: 4,
    test: (s, page) => page.given !== 'nothing' && isStep(s) && (!isLoneName(s) || (page.given === 'proof' && isNumber(s))),
  },
  {
    id: 'form/question/goes_on',
    kind: 'question',
    weight: 1,
    test: (s, page) => page.given !== 'nothing' && isStep(s) && (sendIs(s, 'accept') || GOES_ON.some((concept) => sendSays(s, concept))),
  },
  // Whoever begins anew cannot put off saying who they are.
  { id: 'form/question/can_wait', kind: 'question', weight: 14, test: (s, page) => page.given === 'proof' && page.canWait && isStep(s) },
  {
    id: 'form/question/other_name',
    kind: 'question',
    weight: 20,
    test: (s, page) => page.given === 'name' && page.moved && isStep(s) && counts(s, 'question') > 0 && isNumber(s),
  },
  // The words of signing in stand above each of its steps.
  {
    id: 'form/question/no_name',
    kind: 'question',
    weight: 12,
    test: (s, page) =>
      isStep(s) && ((page.given === 'proof' && !isLoneName(s)) || (page.given === 'name' && page.moved && !boxes(s).some(isIdentifier))),
  },
];
