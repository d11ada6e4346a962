import { secretsEqual, type Account } from '../accounts.js';
import { html, type Html } from '../html.js';
import { card } from '../layout.js';
import { go, reject, type Form, type Outcome, type Screen, type Visit } from '../screen.js';
import { helpfulMarkup, identifierField, passwordField, person, postForm, submitButton, type Markup } from './form.js';

/** Where an account goes once this step is passed, or the end of the journey. */
export type Onward = (visit: Visit, account: Account) => Outcome;

export const onwardTo =
  (step: string): Onward =>
  () =>
    go(step);

/** Judges a password and remembers whose it was; wrong ones are counted on the attempt. */
export function judgePassword(visit: Visit, account: Account | undefined, password: string, wrong: string, onward: Onward): Outcome {
  if (!account || !secretsEqual(password, account.password)) {
    visit.attempt.failures.set('password', (visit.attempt.failures.get('password') ?? 0) + 1);
    return reject(wrong, account?.username);
  }
  visit.attempt.account = account;
  return onward(visit, account);
}

/** Judges a form that holds both, under the usual names. */
export const judgeBoth = (visit: Visit, form: Form, onward: Onward, markup: Markup = helpfulMarkup): Outcome =>
  judgePassword(visit, visit.findAccount(form[markup.identifier] ?? ''), form[markup.password] ?? '', visit.words.wrongCredentials, onward);

const signUpLine = ({ words, base }: Visit): Html =>
  html`<p class="below">${words.noAccount} <a href="${base}/signup">${words.signUp}</a></p>`;
const forgotLine = ({ words, base }: Visit): Html =>
  html`<div class="between"><span></span><a href="${base}/forgot">${words.forgot}</a></div>`;

export interface CredentialOptions {
  readonly step?: string;
  readonly onward: Onward;
  readonly markup?: Markup;
  /** Under the form, inside the card. */
  readonly beside?: (visit: Visit) => Html;
}

/** `extra` stands between the boxes and the button. */
export function onePageForm(visit: Visit, step: string, markup: Markup = helpfulMarkup, extra?: Html): Html {
  return postForm(
    visit,
    step,
    identifierField(visit, markup),
    passwordField(visit, markup),
    forgotLine(visit),
    html`${extra}`,
    submitButton(visit.words.signIn),
  );
}

/** Identifier and password in one form. */
export function onePageLogin({ step = 'login', onward, beside, markup }: CredentialOptions): Screen {
  return {
    step,
    show: (visit) => ({
      title: visit.words.signIn,
      body: html`${card(html`<h1>${visit.words.signInTitle}</h1>`, onePageForm(visit, step, markup), html`${beside?.(visit)}`)}${signUpLine(visit)}`,
    }),
    accept: (visit, form) => judgeBoth(visit, form, onward, markup),
  };
}

/** First page of a two-step login: who are you? */
export function identifierScreen({ step = 'login', onward, beside, markup = helpfulMarkup }: CredentialOptions): Screen {
  return {
    step,
    show: (visit) => ({
      title: visit.words.signIn,
      body: html`${card(
        html`<h1>${visit.words.signInTitle}</h1>`,
        postForm(visit, step, identifierField(visit, markup), submitButton(visit.words.next)),
        html`${beside?.(visit)}`,
      )}${signUpLine(visit)}`,
    }),
    accept: (visit, form) => {
      const account = visit.findAccount(form[markup.identifier] ?? '');
      if (!account) return reject(visit.words.unknownAccount);
      visit.attempt.account = account;
      return onward(visit, account);
    },
  };
}

/** Second page of a two-step login. Reached without a known person it sends back to the start. */
export function passwordScreen({ step = 'password', onward, beside, markup = helpfulMarkup }: CredentialOptions): Screen {
  return {
    step,
    show: (visit) =>
      visit.attempt.account
        ? {
            title: visit.words.signIn,
            body: card(
              html`<h1>${visit.words.signInTitle}</h1>`,
              person(visit.attempt.account.username),
              postForm(visit, step, passwordField(visit, markup), forgotLine(visit), submitButton(visit.words.signIn)),
              html`${beside?.(visit)}`,
            ),
          }
        : go('login'),
    accept: (visit, form) => judgePassword(visit, visit.attempt.account, form[markup.password] ?? '', visit.words.wrongPassword, onward),
  };
}
