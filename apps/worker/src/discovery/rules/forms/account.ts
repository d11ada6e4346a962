import type { Meant } from '../../forms/meanings.js';
import type { Segment } from '../../forms/segments.js';
import { type Concept, isJust, says } from '../../lexicon/words.js';
import {
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
import type { FormRule } from './form-rule.js';

const RESET_CODE = /forgot|reset|recover|lost_?pass|remind/;

/** Shown, and not to be changed. */
const isFixed = ({ control }: Meant): boolean => control.readOnly && control.filled;

/** Asks for a password that does not hold yet. */
const isNew = ({ control, meaning }: Meant): boolean => control.autocomplete === 'new-password' || meaning === 'new_password';

/** What a button beside "Register" may say that sends no login. */
const GIVES_UP: readonly Concept[] = ['back', 'close', 'deny', 'no', 'help', 'forgot', 'show', 'later'];

/** A name and a password, and a button that sends them before the one that says "Register": a login in words of no table. */
const isBesideLogin = (s: Segment): boolean => {
  const sends = ({ evidence: { text }, control }: Meant): boolean =>
    control.type === 'submit' &&
    text.squeezed.length > 2 &&
    !says('signUp', text) &&
    !says('continueWith', text) &&
    !GIVES_UP.some((concept) => isJust(concept, text));
  const first = senders(s).findIndex(sends);
  return (
    boxes(s).length === 2 &&
    counts(s, 'new_password') === 0 &&
    boxes(s).filter(isIdentifier).length === 1 &&
    passwords(s).length === 1 &&
    first !== -1 &&
    senders(s).every(({ evidence: { text } }, place) => !says('signUp', text) || place > first)
  );
};

/** Forms that make an account, or give it another password. */
export const ACCOUNT_FORMS: readonly FormRule[] = [
  {
    id: 'form/signup/new_password',
    kind: 'signup',
    weight: 5,
    test: (s, page) => (hasAutocomplete(s, 'new-password') || counts(s, 'new_password') > 0) && !isGuarded(s, page),
  },
  {
    id: 'form/signup/button',
    kind: 'signup',
    weight: 5,
    test: (s) => sendSays(s, 'signUp') && !sendSays(s, 'signIn') && !isBesideLogin(s),
  },
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
    test: (s, page) =>
      counts(s, 'person') > 0 &&
      (passwords(s).length > 0 || (page.given !== 'proof' && boxes(s).some(isIdentifier))) &&
      !provesByDate(s, page),
  },
  {
    id: 'form/signup/many_boxes',
    kind: 'signup',
    weight: 5,
    test: (s, page) => counts(s, 'person', 'address') - countRepeats(s) >= 2 && (page.given !== 'proof' || passwords(s).length > 0),
  },
  { id: 'form/signup/terms', kind: 'signup', weight: 2, test: (s) => tickSays(s, 'terms') },
  {
    id: 'form/signup/two_passwords',
    kind: 'signup',
    weight: 4,
    test: (s) =>
      passwords(s).length === 2 &&
      !hasTwoSecrets(s) &&
      boxes(s).some(isIdentifier) &&
      !boxes(s).some(({ control }) => /current/.test(control.autocomplete)),
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
    id: 'form/change/known_person',
    kind: 'change',
    weight: 14,
    test: (s) => passwords(s).length === 2 && passwords(s).every(isNew) && boxes(s).some((box) => isIdentifier(box) && isFixed(box)),
  },
  // Nor signs in, with a password that does not hold yet, be it beside the one that does.
  {
    id: 'form/change/after_proof',
    kind: 'change',
    weight: 14,
    test: (s, page) =>
      page.given === 'proof' &&
      passwords(s).length >= 2 &&
      passwords(s).some(isNew) &&
      boxes(s).every((box) => passwords(s).includes(box) || (isIdentifier(box) && (box.control.readOnly || box.control.filled))),
  },
  // Nobody signs up who has just proved who they are: the website wants another password, and a code with it.
  {
    id: 'form/change/with_code',
    kind: 'change',
    weight: 14,
    test: (s, page) =>
      page.given === 'proof' &&
      counts(s, 'code') > 0 &&
      passwords(s).length > 0 &&
      passwords(s).every(isNew) &&
      boxes(s).every((box) => box.meaning === 'code' || passwords(s).includes(box)),
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
];
