import { secretsEqual, type Account } from '../accounts.js';
import { html, type Html } from '../html.js';
import { card } from '../layout.js';
import { go, reject, type Outcome, type Screen, type Visit } from '../screen.js';
import { inputField, person, postForm, submitButton } from './form.js';

/** Where an account goes once its password is known, or the end of the journey. */
export type Onward = (visit: Visit, account: Account) => Outcome;

export const onwardTo = (step: string): Onward => () => go(step);

/** Judges a password and remembers whose it was; wrong ones are counted on the attempt. */
export function judgePassword(visit: Visit, account: Account | undefined, password: string, wrong: string, onward: Onward): Outcome {
  if (!account || !secretsEqual(password, account.password)) {
    visit.attempt.failures.set('password', (visit.attempt.failures.get('password') ?? 0) + 1);
    return reject(wrong, account?.username);
  }
  visit.attempt.account = account;
  return onward(visit, account);
}

const signUpLine = ({ words, base }: Visit): Html => html`<p class="below">${words.noAccount} <a href="${base}/signup">${words.signUp}</a></p>`;

export interface CredentialOptions {
  readonly step?: string;
  readonly onward: Onward;
  /** Between the form and the sign-up line, inside the card. */
  readonly beside?: (visit: Visit) => Html;
}

/** Identifier and password in one form. */
export function onePageLogin({ step = 'login', onward, beside }: CredentialOptions): Screen {
  return {
    step,
    show: (visit) => ({
      title: visit.words.signIn,
      body: html`${card(html`<h1>${visit.words.signInTitle}</h1>`, onePageForm(visit, step), html`${beside?.(visit)}`)}${signUpLine(visit)}`,
    }),
    accept: (visit, form) => judgePassword(visit, visit.findAccount(form['username'] ?? ''), form['password'] ?? '', visit.words.wrongCredentials, onward),
  };
}

export function onePageForm(visit: Visit, step: string): Html {
  const { words } = visit;
  return postForm(visit, step,
    inputField({ name: 'username', label: words.identifier, autocomplete: 'username', ...(visit.typed ? { value: visit.typed } : {}) }),
    inputField({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password' }),
    html`<div class="between"><span></span><a href="${visit.base}/forgot">${words.forgot}</a></div>`,
    submitButton(words.signIn));
}

export interface IdentifierOptions {
  readonly step?: string;
  readonly onward: Onward;
  readonly beside?: (visit: Visit) => Html;
}

/** First page of a two-step login: who are you? */
export function identifierScreen({ step = 'login', onward, beside }: IdentifierOptions): Screen {
  return {
    step,
    show: (visit) => ({
      title: visit.words.signIn,
      body: html`${card(
        html`<h1>${visit.words.signInTitle}</h1>`,
        postForm(visit, step, inputField({ name: 'username', label: visit.words.identifier, autocomplete: 'username' }), submitButton(visit.words.next)),
        html`${beside?.(visit)}`,
      )}${signUpLine(visit)}`,
    }),
    accept: (visit, form) => {
      const account = visit.findAccount(form['username'] ?? '');
      if (!account) return reject(visit.words.unknownAccount);
      visit.attempt.account = account;
      return onward(visit, account);
    },
  };
}

/** Second page of a two-step login. Reached without a known person it sends back to the start. */
export function passwordScreen({ step = 'password', onward, beside }: CredentialOptions): Screen {
  return {
    step,
    show: (visit) => visit.attempt.account ? {
      title: visit.words.signIn,
      body: card(
        html`<h1>${visit.words.signInTitle}</h1>`,
        person(visit.attempt.account.username),
        postForm(visit, step,
          inputField({ name: 'password', label: visit.words.password, type: 'password', autocomplete: 'current-password' }),
          html`<div class="between"><span></span><a href="${visit.base}/forgot">${visit.words.forgot}</a></div>`,
          submitButton(visit.words.signIn)),
        html`${beside?.(visit)}`,
      ),
    } : go('login'),
    accept: (visit, form) => judgePassword(visit, visit.attempt.account, form['password'] ?? '', visit.words.wrongPassword, onward),
  };
}
