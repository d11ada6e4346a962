import { setTimeout as wait } from 'node:timers/promises';
import { html } from '../html.js';
import { card } from '../layout.js';
import type { Scenario } from '../scenario.js';
import { go, reject, signedIn, type Page, type Screen, type Visit } from '../screen.js';
import { identifierScreen, judgeBoth, onePageForm, onePageLogin, onwardTo, passwordScreen } from '../screens/credentials.js';
import { inputField, postForm, submitButton } from '../screens/form.js';
import { again, asks, bothFields, finish, identifier, password, twoSteps, wrongPassword } from './shorthand.js';

const base = { family: 'faults', language: 'en', start: '/login' } as const;
const login = onePageLogin({ onward: finish });

const broken: Page = {
  title: 'Something went wrong',
  status: 500,
  body: card(html`<h1>Something went wrong</h1><p class="lead">We are having trouble on our side. Please try again later.</p>`),
};

/** Milliseconds each answer of the slow site takes. */
const slowness = 3_000;

const slow = (screen: Screen): Screen => ({
  ...screen,
  show: async (visit) => {
    await wait(slowness);
    return screen.show(visit);
  },
});

// Text, order and style change all the time, as on pages with tickers and animations: "wait until it is quiet" never ends.
const restless: Screen = {
  step: 'login',
  show: (visit) => ({
    title: 'Sign in',
    body: html`<p class="panel" id="ticker" aria-live="off">…</p>${card(html`<h1>Sign in to Tidewater</h1>`, onePageForm(visit, 'login'))}`,
    script: html`
let tick = 0;
const step = () => {
  const ticker = document.getElementById('ticker');
  ticker.textContent = 'Easy saver ' + (3 + Math.sin(tick += 1) / 10).toFixed(3) + ' %';
  ticker.style.transform = 'translateX(' + (tick % 40) + 'px)';
  document.body.dataset.tick = String(tick);
  const dot = document.createElement('i');
  ticker.append(dot);
  requestAnimationFrame(step);
};
requestAnimationFrame(step);
setInterval(() => void fetch('/_assets/site.css', { cache: 'no-store' }), 150);`,
  }),
  accept: (visit, form) => judgeBoth(visit, form, finish),
};

// The refusal is a page of its own, and the way back is a button that only its script knows.
const refusing: Screen = {
  ...login,
  accept: (visit, form) => {
    const outcome = judgeBoth(visit, form, finish);
    return outcome.kind === 'reject' ? { kind: 'page', verdict: 'rejected', page: refusal } : outcome;
  },
};
const refusal: Page = {
  title: 'Not signed in',
  body: card(
    html`<h1>You could not be signed in</h1><p class="lead">The user name or password is wrong.</p><button type="button" id="again">Try again</button>`,
  ),
  script: html`document.getElementById('again').addEventListener('click', () => location.assign('login'));`,
};

// The same on a page of the website's own, which leads nowhere, and an unknown name to the form to join.
const wayless: Screen = {
  ...login,
  accept: (visit, form) => {
    const outcome = judgeBoth(visit, form, finish);
    return outcome.kind === 'reject' ? { kind: 'page', verdict: 'rejected', page: { ...refusal, body: saysNo, script: html`` } } : outcome;
  },
};
const saysNo = card(html`<h1>You could not be signed in</h1><p class="lead">The user name or password is wrong.</p>`);
const joining: Screen = {
  ...identifierScreen({ onward: onwardTo('password') }),
  accept: (visit, form) => {
    visit.attempt.account = visit.findAccount(form['username'] ?? '');
    return visit.attempt.account ? go('password') : { kind: 'page', verdict: 'rejected', page: joinUs };
  },
};
const joinUs: Page = {
  title: 'Join us',
  layout: 'bare',
  body: card(html`<h1>Create your account</h1><form method="post" action="join">
    <label>First name <input name="first"></label><label>Last name <input name="last"></label>
    <label>Password <input type="password" name="new" autocomplete="new-password"></label><button>Create account</button></form>`),
};

// The form is back at once; why, is said a little later and not for long.
const toasting: Screen = {
  ...login,
  show: ({ error, ...visit }) => ({
    title: 'Sign in',
    body: html`${card(html`<h1>Sign in to Tidewater</h1>`, onePageForm(visit, 'login'))}<p class="panel" id="toast" role="alert" hidden>${error}</p>`,
    script: html`
const toast = document.getElementById('toast');
if (toast.textContent !== '') setTimeout(() => {
  toast.hidden = false;
  setTimeout(() => { toast.hidden = true; }, 1500);
}, 300);`,
  }),
};

// What its form sends by script comes to nobody, and the page keeps that to itself.
const cutOff: Screen = {
  ...login,
  show: (visit) => ({
    title: 'Sign in',
    body: card(html`<h1>Sign in to Tidewater</h1>`, onePageForm(visit, 'login')),
    script: html`
document.forms[0].onsubmit = (event) => {
  event.preventDefault();
  fetch(location.protocol + '//' + location.hostname + ':2/', { method: 'POST' }).catch(() => undefined);
};`,
  }),
};

// Whatever is typed, its button stays locked, and the page does not say why.
const locked: Screen = {
  ...login,
  show: (visit) => ({
    title: 'Sign in',
    body: card(html`<h1>Sign in to Tidewater</h1>`, onePageForm(visit, 'login')),
    script: html`document.querySelector('form button').disabled = true;`,
  }),
};

const notes = (of = 'everybody'): Page => ({
  title: 'Harbour notes',
  layout: 'bare',
  body: html`<nav><a href="tides">Tides</a><a href="moorings">Moorings</a><a href="crews">Crews</a></nav>${card(
    html`<h1>Harbour notes</h1><p class="lead" id="signed-in-as">High water is at nine tonight for <strong>${of}</strong>.</p>`,
  )}`,
});

// One address for the login and for an application that shows little of itself.
const harbour = onePageLogin({ step: 'harbour', onward: (_visit, account) => signedIn(account, 'harbour') });
const sparse: Screen = {
  ...harbour,
  show: (visit) => (visit.session === undefined ? harbour.show(visit) : notes(visit.session.account.username)),
};

// What everybody sees, whoever is there, in words that are in no table.
const front: Screen = {
  step: 'front',
  show: ({ session }) => ({
    title: 'Tides of today',
    layout: 'bare',
    body: html`<header><nav>${['tides', 'moorings', 'crews', 'weather', 'quay'].map((place) => html`<a href="${place}">${place}</a>`)}</nav></header>
      ${card(html`<h1>Tides of today</h1><p class="lead" id="signed-in-as">High water is at nine tonight for <strong>${session?.account.username ?? 'everybody'}</strong>.</p>`)}`,
  }),
};
const quay = onePageLogin({ step: 'quay', onward: (_visit, account) => signedIn(account, 'front') });
const atQuay: Screen = {
  ...quay,
  show: (visit) => (visit.session === undefined ? quay.show(visit) : go('front')),
  accept: (visit, form) => {
    const outcome = judgeBoth(visit, form, (_visit, account) => signedIn(account, 'front'));
    return outcome.kind === 'reject' ? go('front') : outcome;
  },
};

// Each answer brings another question.
const questions: Screen = {
  step: 'question',
  show: (visit) => ({
    title: 'One more question',
    body: card(
      html`<h1>One more question</h1>`,
      postForm(visit, 'question', inputField({ name: 'answer', label: `Name of ship ${asked(visit)}` }), submitButton('Continue')),
    ),
  }),
  accept: (visit) => {
    visit.attempt.notes.set('asked', asked(visit));
    return go('question');
  },
};
const asked = ({ attempt }: Visit): string => String(Number(attempt.notes.get('asked') ?? '0') + 1);

const round: Screen = { step: 'round', show: () => go('round') };

export const faultScenarios: readonly Scenario[] = [
  {
    ...base,
    name: 'cut-off',
    description: 'The form is sent by script to a server that is not there, and the page says nothing',
    screens: [cutOff],
    expected: { pauses: [{ ...bothFields, unsent: true }], end: ['network_error'], posts: { login: 0 } },
  },
  {
    ...base,
    name: 'never-quiet',
    description: 'The page changes and loads without end',
    screens: [restless],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { login: 1 } },
  },
  {
    ...base,
    name: 'never-unlocked',
    description: 'The button stays locked whatever is typed, without a word',
    screens: [locked],
    expected: { pauses: [{ ...bothFields, unsent: true, repeats: true }], end: ['stuck_in_loop'], posts: { login: 0 } },
  },
  {
    ...base,
    name: 'loop',
    description: 'Every submit shows the same form again, without a word',
    screens: [{ ...login, accept: () => reject('') }],
    expected: { pauses: [{ ...bothFields, repeats: true }], end: ['stuck_in_loop'] },
  },
  {
    ...base,
    name: 'loop-by-redirect',
    description: 'Every submit leads back to the form by a redirect, without a word',
    screens: [{ ...login, accept: () => go('login') }],
    expected: { pauses: [{ ...bothFields, repeats: true }], end: ['stuck_in_loop'] },
  },
  {
    ...base,
    name: 'dead-end',
    description: 'The right password leads to a page that nothing is known of, and the login still asks who is there',
    screens: [{ ...login, accept: (visit, form) => judgeBoth(visit, form, () => ({ kind: 'page', verdict: 'accepted', page: notes() })) }],
    expected: { pauses: [bothFields], end: ['navigation_confused'], posts: { login: 1 } },
  },
  {
    ...base,
    name: 'sparse-shell',
    start: '/harbour',
    description: 'The application shows little of itself at the address of its login, and stands there from now on',
    screens: [sparse],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { harbour: 1 } },
  },
  {
    ...base,
    name: 'front-page',
    start: '/quay',
    description: 'A wrong password leads without a word to the page for everybody, and so does the right one',
    screens: [atQuay, front],
    expected: {
      pauses: [asks(identifier(), wrongPassword), asks(again(identifier()), again(password))],
      end: 'SUCCESS',
      posts: { quay: 2 },
    },
  },
  {
    ...base,
    name: 'endless-questions',
    description: 'After the password one question follows the other',
    screens: [onePageLogin({ onward: onwardTo('question') }), questions],
    expected: { pauses: [bothFields, { ...asks({ type: 'text', answer: 'unknown' }), repeats: true }], end: ['max_steps_exceeded'] },
  },
  {
    ...base,
    name: 'endless-redirects',
    description: 'The right password leads to an address that redirects to itself',
    screens: [onePageLogin({ onward: onwardTo('round') }), round],
    expected: { pauses: [bothFields], end: ['stuck_in_loop'], posts: { login: 1 } },
  },
  {
    ...base,
    name: 'endless-start',
    description: 'The login page itself redirects to itself',
    start: '/round',
    screens: [round],
    expected: { pauses: [], end: ['stuck_in_loop'] },
  },
  {
    ...base,
    name: 'try-again',
    description: 'A wrong password leads to a page that only tells so, with a button to try again',
    screens: [refusing],
    expected: {
      pauses: [asks(identifier(), wrongPassword), asks(again(identifier()), again(password))],
      end: 'SUCCESS',
      posts: { login: 2 },
    },
  },
  {
    ...base,
    name: 'no-way-back',
    description: 'A wrong password leads to a page that tells so and leads nowhere',
    screens: [wayless],
    expected: {
      pauses: [
        asks(identifier(), wrongPassword),
        { ...asks(again(identifier()), again(password)), websiteError: 'The user name or password is wrong.' },
      ],
      end: 'SUCCESS',
      posts: { login: 2 },
    },
  },
  {
    ...base,
    name: 'join-instead',
    description: 'A name that nobody knows leads to a form to join',
    screens: [joining, passwordScreen({ onward: finish })],
    expected: {
      pauses: [asks(identifier('unknown')), asks(again(identifier())), asks(password)],
      end: 'SUCCESS',
      posts: { login: 2, password: 1 },
    },
  },
  {
    ...base,
    name: 'brief-toast',
    description: 'Why the form is back is said for a second and a half only',
    screens: [toasting],
    expected: {
      pauses: [asks(identifier(), wrongPassword), { ...asks(again(identifier()), again(password)), repeats: true }],
      end: 'SUCCESS',
      posts: { login: 2 },
    },
  },
  {
    ...base,
    name: 'submit-500',
    description: 'The server fails (500) on the submit',
    screens: [{ ...login, accept: () => ({ kind: 'page', verdict: 'rejected', page: broken }) }],
    expected: { pauses: [bothFields], end: ['website_error'], posts: { login: 1 } },
  },
  {
    ...base,
    name: 'start-500',
    description: 'The login page itself fails (500)',
    screens: [{ step: 'login', show: () => broken }],
    expected: { pauses: [], end: ['website_error', 'login_form_not_found'] },
  },
  {
    ...base,
    name: 'no-login',
    description: 'A page with nothing to sign in with',
    screens: [
      {
        step: 'login',
        show: () => ({ title: 'Opening hours', body: card(html`<h1>Opening hours</h1><p>Monday to Friday, nine to five.</p>`) }),
      },
    ],
    expected: { pauses: [], end: ['login_form_not_found'] },
  },
  {
    ...base,
    name: 'slow',
    description: 'Every page takes three seconds to come',
    screens: [slow(identifierScreen({ onward: onwardTo('password') })), slow(passwordScreen({ onward: finish }))],
    expected: { pauses: twoSteps, end: 'SUCCESS', posts: { login: 1, password: 1 } },
  },
];
