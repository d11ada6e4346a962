import { isInEdge, isUsable } from '../../evidence.js';
import type { Meant } from '../../forms/meanings.js';
import { endsForm, type Segment } from '../../forms/segments.js';
import { type Concept, isJust, lengthOf, says } from '../../lexicon/words.js';
import { NAMES } from '../field-rules.js';
import {
  asksForBankAccount,
  boxes,
  countRepeats,
  counts,
  hasAutocomplete,
  hasTwoSecrets,
  isGuarded,
  isIdentifier,
  LOGIN_CODE,
  passwords,
  provesByDate,
  senders,
  sendIs,
  sendSays,
  SIGNUP_CODE,
  tickSays,
} from './facts.js';
import type { FormRule, Surroundings } from './form-rule.js';

const anyButtonSays = (segment: Segment, concept: Concept): boolean =>
  segment.buttons.some(({ evidence: { text } }) => says(concept, text));

/** What the page as a whole says speaks for each of its forms, except one that calls itself something else. */
const isOwn = (segment: Segment): boolean => !says('signUp', segment.heading) && !says('resetPassword', segment.heading);

/** One name and no more than a box beside it: the shape of a first step. */
const isNameStep = (segment: Segment): boolean =>
  boxes(segment).filter(isIdentifier).length === 1 &&
  boxes(segment).length <= 2 &&
  counts(segment, 'person', 'address', 'code', 'search') === 0 &&
  passwords(segment).length === 0;

/** Outside the edges of the page, all that could send it says that it signs in, and no more. */
const onlySignsIn = (segment: Segment): boolean => {
  const enders = senders(segment).filter(({ evidence, control }) => endsForm(evidence) && !isInEdge(control));
  return enders.length > 0 && enders.every(({ evidence: { text } }) => isJust('signIn', text));
};

const HANDS_ON: readonly Concept[] = ['continueWith', 'signIn', 'next'];

/** All that could send it hands the login on, to wherever the name belongs. */
const onlyHandsOn = (segment: Segment): boolean => {
  const enders = senders(segment).filter(({ control }) => !isInEdge(control));
  return (
    enders.length === 1 &&
    enders.every(({ evidence: { text } }) => lengthOf(text) <= 40 && says('sso', text) && HANDS_ON.some((concept) => says(concept, text)))
  );
};

/** A link that leads nowhere of itself is a button. What turns over pictures says the same, above the box. */
function goesOn(segment: Segment): boolean {
  const links = segment.buttons.filter(({ control }) => control.tag === 'a' && control.href === '' && isUsable(control));
  const tops = boxes(segment).map(({ control }) => control.box.y);
  return [...senders(segment), ...links].some(
    ({ control, evidence: { text } }) => isJust('next', text) && control.box.y + control.box.height > Math.min(...tops),
  );
}

/** "Continue with email" below the box for it: no choice of a way, but the way on. */
const goesOnWithOwn = (segment: Segment): boolean =>
  senders(segment).some(
    ({ evidence: { text } }) =>
      lengthOf(text) <= 40 &&
      says('next', text) &&
      NAMES.some((name) => says(name, text) && boxes(segment).some(({ scores }) => scores[name] !== undefined)),
  );

const isInDialog = (segment: Segment): boolean => boxes(segment).every(({ control }) => control.landmark === 'dialog');

/** Only a form to sign up: many pages are for both. */
const isForNewcomers = (segment: Segment, { headings }: Surroundings): boolean =>
  [segment.heading, headings].some((heading) => says('signUp', heading) && !says('signIn', heading));

/** Holds what most leave as it is. */
const isSet = ({ control, meaning }: Meant): boolean => control.filled && meaning === null;

/** One password, at most two names before it: the plain shape of a login. */
const isLoginShape = (segment: Segment): boolean =>
  passwords(segment).length === 1 &&
  counts(segment, 'new_password') === 0 &&
  boxes(segment).filter((box) => !isSet(box)).length - countRepeats(segment) <= 4 &&
  counts(segment, 'person', 'address', 'payment') - countRepeats(segment) <= 1;

/** Forms that sign in. */
export const LOGIN_FORMS: readonly FormRule[] = [
  {
    id: 'form/login/current_password',
    kind: 'login',
    weight: 5,
    test: (s) => hasAutocomplete(s, 'current-password') && passwords(s).length === 1,
  },
  { id: 'form/login/one_password', kind: 'login', weight: 4, test: isLoginShape },
  { id: 'form/login/guarded_password', kind: 'login', weight: 5, test: isGuarded },
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
  { id: 'form/login/identifier_next', kind: 'login', weight: 3, test: (s) => isNameStep(s) && goesOn(s) },
  {
    id: 'form/login/identifier_signs_in',
    kind: 'login',
    weight: 3,
    test: (s, page) => page.onlyForm && isNameStep(s) && onlySignsIn(s) && boxes(s).every(({ control }) => !isInEdge(control)),
  },
  {
    id: 'form/login/identifier_to_provider',
    kind: 'login',
    weight: 5,
    test: (s, page) => page.onlyForm && isNameStep(s) && onlyHandsOn(s) && !isForNewcomers(s, page),
  },
  // Whatever it calls itself.
  {
    id: 'form/login/entered',
    kind: 'login',
    weight: 5,
    test: (s, page) =>
      page.entered &&
      isNameStep(s) &&
      (page.onlyForm || isInDialog(s)) &&
      !page.goesOnElsewhere &&
      !isForNewcomers(s, page) &&
      !sendSays(s, 'subscribe'),
  },
  // A password, and a secret of another kind behind it.
  { id: 'form/login/two_secrets', kind: 'login', weight: 5, test: hasTwoSecrets },
  {
    id: 'form/login/identifier_named',
    kind: 'login',
    weight: 5,
    test: (s, page) => isNameStep(s) && goesOnWithOwn(s) && !isForNewcomers(s, page),
  },
  {
    id: 'form/login/sends_proof',
    kind: 'login',
    weight: 5,
    test: (s, page) =>
      isNameStep(s) &&
      (sendIs(s, 'sendCode') || sendSays(s, 'magicLink')) &&
      isOwn(s) &&
      !isForNewcomers(s, page) &&
      ![page.headings, page.title].some((said) => says('resetPassword', said) || says('forgot', said)),
  },
  {
    id: 'form/login/name_and_code',
    kind: 'login',
    weight: 4,
    test: (s) => boxes(s).filter(isIdentifier).length === 1 && counts(s, 'code') === 1 && boxes(s).length === 2 && sendSays(s, 'signIn'),
  },
  {
    id: 'form/login/name_and_date',
    kind: 'login',
    weight: 3,
    test: (s, page) => boxes(s).filter(isIdentifier).length === 1 && provesByDate(s, page),
  },
  {
    id: 'form/login/bank_account',
    kind: 'login',
    weight: 5,
    test: (s, page) =>
      page.given !== 'proof' &&
      asksForBankAccount(s) &&
      counts(s, 'person', 'address', 'payment', 'search') === 0 &&
      isOwn(s) &&
      !isForNewcomers(s, page),
  },
  {
    id: 'form/login/box_named',
    kind: 'login',
    weight: 2,
    test: (s) => boxes(s).some((box) => isIdentifier(box) && LOGIN_CODE.test(box.evidence.code)),
  },
];
