import { providerIn } from '../choices/providers.js';
import type { Meant } from '../forms/meanings.js';
import { isJust, lengthOf, says, type Words } from '../lexicon/words.js';
import type { FormKind } from './forms/form-rule.js';

export interface SubmitContext {
  readonly kind: FormKind;
  readonly hasPassword: boolean;
  /** Places in the order of the page. */
  readonly at: number;
  readonly firstBox: number;
  readonly lastBox: number;
  /** It is the only button of its form, links aside; where there is no form, the only one right behind its boxes. */
  readonly only: boolean;
}

export interface SubmitRule {
  readonly id: string;
  readonly weight: number;
  readonly test: (button: Meant, context: SubmitContext) => boolean;
  /** Says what it does instead: then its place, and being the only one, speak for nothing. */
  readonly elsewhere?: true;
  /** Of where it stands, not of what it says. */
  readonly place?: true;
}

const short = ({ evidence: { text } }: Meant): boolean => lengthOf(text) <= 45;
const isSender = ({ control }: Meant): boolean => /^(submit|image)$/.test(control.type);

/** "Log in with BankID": the way of a form that has no other, and not "Continue with Google" beside one. */
const isHandedOn = (text: Words): boolean => says('signIn', text);

export const SUBMIT_RULES: readonly SubmitRule[] = [
  { id: 'submit/type', weight: 3, place: true, test: isSender },
  {
    id: 'submit/sign_in_only',
    weight: 6,
    test: ({ evidence: { text } }, { kind }) => kind === 'login' && (isJust('signIn', text) || isJust('enter', text)),
  },
  {
    id: 'submit/sign_in',
    weight: 4,
    test: (button, { kind }) => kind === 'login' && short(button) && says('signIn', button.evidence.text),
  },
  { id: 'submit/next', weight: 4, test: ({ evidence: { text } }) => isJust('next', text) },
  { id: 'submit/next_words', weight: 2, test: (button) => short(button) && says('next', button.evidence.text) },
  { id: 'submit/submit', weight: 3, test: (button) => short(button) && says('submit', button.evidence.text) },
  { id: 'submit/verify', weight: 4, test: (button, { kind }) => kind === 'code' && short(button) && says('verify', button.evidence.text) },
  {
    id: 'submit/sign_in_code',
    weight: 3,
    test: (button, { kind }) => kind === 'code' && short(button) && says('signIn', button.evidence.text),
  },
  {
    id: 'submit/named',
    weight: 2,
    test: ({ evidence, control }) =>
      /submit|log_?in|sign_?in|log_?on|(^|[ _-])next([ _-]|$)|continue/.test(`${evidence.code} ${control.classes.toLowerCase()}`),
  },
  { id: 'submit/primary', weight: 1, test: ({ control }) => /primary|cta|main|confirm/i.test(control.classes) },
  { id: 'submit/follows', weight: 3, place: true, test: (_button, { at, lastBox }) => at > lastBox },
  { id: 'submit/near', weight: 1, place: true, test: (_button, { at, lastBox }) => at > lastBox && at - lastBox <= 4 },
  { id: 'submit/only', weight: 4, place: true, test: ({ control }, { only, at, lastBox }) => only && control.tag !== 'a' && at > lastBox },
  { id: 'submit/above', weight: -4, test: (_button, { at, firstBox }) => at < firstBox },
  { id: 'submit/link', weight: -3, test: ({ control }) => control.tag === 'a' && control.role !== 'button' && control.href !== '' },
  { id: 'submit/sign_up', weight: -7, test: ({ evidence: { text } }) => says('signUp', text) && !isJust('signIn', text) },
  { id: 'submit/forgot', weight: -8, elsewhere: true, test: ({ evidence: { text } }) => says('forgot', text) },
  {
    id: 'submit/show',
    weight: -8,
    elsewhere: true,
    test: ({ evidence: { text, aria, title }, control }) =>
      (says('show', text) || says('show', aria) || says('show', title)) && !(isSender({ control } as Meant) && isJust('signIn', text)),
  },
  {
    id: 'submit/eye',
    weight: -6,
    elsewhere: true,
    test: ({ evidence: { text }, control }) =>
      lengthOf(text) === 0 && /eye|visib|reveal|toggle/i.test(`${control.icon} ${control.classes}`),
  },
  { id: 'submit/declines', weight: -9, elsewhere: true, test: ({ evidence: { text } }) => isJust('deny', text) || isJust('reject', text) },
  {
    id: 'submit/gives_up',
    weight: -8,
    elsewhere: true,
    test: ({ evidence, control }) =>
      /(^|[ _-])(cancel|abort|back|reset|resend|decline)([ _-]|$)/.test(`${evidence.code} ${control.classes.toLowerCase()}`),
  },
  { id: 'submit/resend', weight: -8, elsewhere: true, test: ({ evidence: { text } }) => says('resend', text) },
  // Beside a password a code is another way.
  {
    id: 'submit/code_instead',
    weight: -6,
    test: ({ evidence: { text } }, { kind, hasPassword }) => kind === 'login' && hasPassword && says('code', text),
  },
  // Beside another button it has a code sent to the person; where it is all there is, or sends a form, it may mean this one.
  { id: 'submit/sends_code', weight: -5, test: ({ evidence: { text } }, { kind }) => kind === 'code' && isJust('sendCode', text) },
  { id: 'submit/back', weight: -7, elsewhere: true, test: ({ evidence: { text } }) => isJust('back', text) },
  { id: 'submit/guest', weight: -7, elsewhere: true, test: ({ evidence: { text } }) => says('guest', text) },
  // "Continue without activation".
  { id: 'submit/without', weight: -9, elsewhere: true, test: (button) => short(button) && says('without', button.evidence.text) },
  { id: 'submit/later', weight: -7, elsewhere: true, test: ({ evidence: { text } }) => isJust('later', text) },
  {
    id: 'submit/remember',
    weight: -7,
    elsewhere: true,
    test: ({ evidence: { text } }) => isJust('remember', text) || isJust('staySignedIn', text),
  },
  { id: 'submit/help', weight: -6, test: ({ evidence: { text } }) => isJust('help', text) || says('terms', text) },
  { id: 'submit/asks', weight: -6, elsewhere: true, test: ({ control }) => /[?？؟]\s*$/u.test(control.text) },
  { id: 'submit/close', weight: -6, elsewhere: true, test: ({ evidence: { text } }) => isJust('close', text) },
  { id: 'submit/search', weight: -7, test: ({ evidence: { text, code } }) => isJust('search', text) || /search|suche|buscar/.test(code) },
  { id: 'submit/subscribe', weight: -6, test: ({ evidence: { text } }) => says('subscribe', text) },
  {
    id: 'submit/provider',
    weight: -9,
    test: ({ evidence: { text }, control }, { only }) =>
      !(only && isSender({ control } as Meant) && isHandedOn(text)) &&
      says('continueWith', text) &&
      providerIn(control.text, true) !== null,
  },
  {
    id: 'submit/provider_only',
    weight: -9,
    test: ({ control, evidence: { text } }, { only }) =>
      !(only && isSender({ control } as Meant) && isHandedOn(text)) && providerIn(control.text, false) !== null && control.text.length < 30,
  },
  {
    id: 'submit/passkey',
    weight: -7,
    test: ({ evidence: { text } }, { only }) =>
      says('passkey', text) || says('securityKey', text) || says('magicLink', text) || (!only && says('sso', text)),
  },
  { id: 'submit/another_way', weight: -6, elsewhere: true, test: ({ evidence: { text } }) => says('anotherWay', text) },
  { id: 'submit/with_password', weight: -6, test: ({ evidence: { text } }, { hasPassword }) => says('withPassword', text) && !hasPassword },
  {
    id: 'submit/tab',
    weight: -6,
    test: ({ control }) => control.role === 'tab' || control.role === 'menuitem' || control.role === 'option',
  },
  {
    id: 'submit/wordless',
    weight: -3,
    test: ({ evidence: { text }, control }) => lengthOf(text) === 0 && !(control.tag === 'input' && isSender({ control } as Meant)),
  },
  { id: 'submit/long', weight: -4, test: (button) => !short(button) },
  { id: 'submit/opens', weight: -3, test: ({ control }) => control.landmark === 'nav' || control.landmark === 'footer' },
];
