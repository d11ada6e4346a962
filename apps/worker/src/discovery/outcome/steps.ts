import { agreementsOf } from '../choices/agreements.js';
import { isInEdge, isInHead, isUsable } from '../evidence.js';
import { type JudgedForm, pathOf } from '../forms/forms.js';
import type { Meant } from '../forms/meanings.js';
import { type Concept, isJust, says } from '../lexicon/words.js';
import { isLoginCovered, type PageView } from '../page-view.js';
import { isSettings } from '../rules/forms/aside.js';
import { isProven, marksOf } from '../verdict.js';
import { isBesideWork } from '../work.js';
import { isErrorAnswer } from './refusal.js';

/** Words of a step that still stands between a password and the website. */
const STEPS: readonly Concept[] = [
  'chooseMethod',
  'authenticator',
  'setupKey',
  'backupCode',
  'passkey',
  'securityKey',
  'pushWait',
  'linkSent',
  'callWait',
  'scanCode',
  'human',
  'securityCheck',
  'mustChange',
  'consent',
  'chooseAccount',
  'chooseOrganization',
  'staySignedIn',
];

/** Addresses of such a step, in whatever language its page speaks. */
export const STEP_PATH =
  /login|signin|logon|(^|[/_])(log_in|sign_in|log_on|mfa|2fa|two_?(factor|step)|second_?factor|verif|check_?point|step_?up|authenticat)|(^|[/_])(otp|challenge|sso|consent)($|[/_])/;

export function isAtStep(view: PageView): boolean {
  const said = isBesideWork(view) ? view.headings : view.told;
  return STEP_PATH.test(pathOf(view.snapshot.url)) || STEPS.some((concept) => says(concept, said));
}

export const isBehindProof = ({ context: { before, sent } }: PageView): boolean => before !== null && isProven(sent);

export const isEntry = ({ evidence: { text } }: Meant): boolean =>
  (['signIn', 'enter', 'signUp'] as const).some((concept) => isJust(concept, text));

/**
 * A way to sign in or to join, or a word in the head of a page that may mean one: not enough to press it, enough not to believe that a login
 * is done.
 */
export const offersEntry = ({ pressables }: PageView): boolean =>
  pressables.some(({ control, evidence: { text } }) =>
    isInHead(control)
      ? isJust('signIn', text) || isJust('enter', text) || isJust('signUp', text)
      : control.landmark !== 'footer' && isJust('signIn', text),
  );

const LOGIN_LABELS: ReadonlySet<string> = new Set(['identifier', 'password', 'new_password', 'code', 'totp_secret', 'captcha']);

/** A password among settings belongs to them. */
export const asksForLogin = ({ forms, labels }: PageView): boolean =>
  forms
    .filter(({ kind, segment }) => kind === 'login' || !isSettings(segment))
    .flatMap(({ segment }) => segment.boxes)
    .some(({ control }) => isUsable(control) && LOGIN_LABELS.has(labels.get(control.handle)?.label ?? ''));

/** Nothing on the page is part of a login. */
export const isPastLogin = (view: PageView): boolean =>
  !isErrorAnswer(view) &&
  !asksForLogin(view) &&
  !isLoginCovered(view) &&
  !offersEntry(view) &&
  !isAtStep(view) &&
  !(['signIn', 'wrong', 'failure', 'refused', 'verify'] as const).some((concept) => says(concept, view.headings));

/** The boxes that were sent are all there still. */
export function isFormThere({ snapshot, context: { before } }: PageView): boolean {
  const here = marksOf(snapshot.controls.filter(isUsable));
  return before !== null && before.boxes.length > 0 && before.boxes.every((box) => here.includes(box));
}

/** A form of nothing but buttons asks something, whatever its words; a button in a header or a menu does not. */
export const questionsOf = ({ forms }: PageView): readonly JudgedForm[] =>
  forms.filter(
    ({ segment }) =>
      segment.form?.element === true &&
      segment.boxes.length === 0 &&
      segment.buttons.some((button) => button.control.tag !== 'a' && isUsable(button.control) && !isInEdge(button.control)),
  );

/** So does a box to agree to. */
export const isQuestion = (view: PageView): boolean => questionsOf(view).length > 0 || agreementsOf(view).length > 0;
