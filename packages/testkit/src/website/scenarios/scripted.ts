import { html } from '../html.js';
import { card } from '../layout.js';
import type { Scenario } from '../scenario.js';
import type { Screen } from '../screen.js';
import { clientForm, type ClientOptions, type ClientStep } from '../screens/client.js';
import { identifierScreen, onePageLogin, onwardTo, passwordScreen } from '../screens/credentials.js';
import { bothFields, finish, twoSteps } from './shorthand.js';

const base = { family: 'scripted', language: 'en', start: '/login' } as const;

const username = { name: 'username', label: 'Email or username', type: 'text' };
const secret = { name: 'password', label: 'Password', type: 'password' };
const together: readonly ClientStep[] = [{ step: 'login', boxes: [username, secret], button: 'Sign in' }];
const apart: readonly ClientStep[] = [
  { step: 'login', boxes: [username], button: 'Continue' },
  { step: 'password', boxes: [secret], button: 'Sign in' },
];

const shell = (screen: Screen, options: ClientOptions): Screen => ({
  ...screen,
  show: (visit) => ({
    title: 'Sign in',
    body: card(html`<h1>Sign in to Tidewater</h1><div id="app"><p class="waiting"><span class="spinner"></span>Loading…</p></div>`),
    script: clientForm(visit, options),
  }),
});

const onePage = onePageLogin({ onward: finish });
const twoPages = (options: ClientOptions): readonly Screen[] => [
  shell(identifierScreen({ onward: onwardTo('password') }), options),
  passwordScreen({ onward: finish }),
];

const shadowScript = html`
customElements.define('tide-card', class extends HTMLElement {
  connectedCallback() {
    const shadow = this.attachShadow({ mode: 'open' });
    shadow.innerHTML = '<link rel="stylesheet" href="/_assets/site.css"><section class="card"><h1>Sign in to Tidewater</h1><tide-fields></tide-fields></section>';
  }
});
customElements.define('tide-fields', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<link rel="stylesheet" href="/_assets/site.css"><div id="app"></div>'; }
});`;

// Two open shadow roots, one in the other, as component libraries nest them.
const shadow: Screen = {
  ...onePage,
  show: (visit) => ({
    title: 'Sign in',
    body: html`<tide-card></tide-card>`,
    script: html`${shadowScript}${clientForm(visit, { steps: together, delay: 0, style: 'labels', listens: 'input', root: `document.querySelector('tide-card').shadowRoot.querySelector('tide-fields').shadowRoot.getElementById('app')` })}`,
  }),
};

export const scriptedScenarios: readonly Scenario[] = [
  {
    ...base,
    name: 'late-form',
    description: 'The form is drawn by script 1.5 s after the page has loaded; boxes are controlled by state',
    screens: [shell(onePage, { steps: together, delay: 1_500, style: 'labels', listens: 'input' })],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { login: 1 } },
  },
  {
    ...base,
    name: 'one-address',
    description: 'Identifier and password one after the other at the same address, without a navigation',
    screens: twoPages({ steps: apart, delay: 200, style: 'labels', listens: 'input' }),
    expected: { pauses: twoSteps, end: 'SUCCESS', posts: { login: 1, password: 1 } },
  },
  {
    ...base,
    name: 'formless',
    description: 'No form element, no labels, no names: placeholders, and a div that acts as button',
    screens: twoPages({ steps: apart, delay: 200, style: 'placeholders', listens: 'input' }),
    expected: { pauses: twoSteps, end: 'SUCCESS', posts: { login: 1, password: 1 } },
  },
  {
    ...base,
    name: 'typed-keys',
    description: 'Boxes believe only values that were typed key by key',
    screens: [shell(onePage, { steps: together, delay: 0, style: 'labels', listens: 'keys' })],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { login: 1 } },
  },
  ...(['clicks', 'pointer', 'enter'] as const).map((obeys): Scenario => ({
    ...base,
    name: `obeys-${obeys}`,
    description: {
      clicks: 'The button heeds only clicks of the browser’s own mouse',
      pointer: 'The button heeds only the pointer itself and no click at all',
      enter: 'No button; only the browser’s own Enter key sends',
    }[obeys],
    screens: [shell(onePage, { steps: together, delay: 0, style: 'labels', listens: 'input', obeys })],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { login: 1 } },
  })),
  {
    ...base,
    name: 'shadow-root',
    description: 'The form is inside two nested open shadow roots',
    screens: [shadow],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { login: 1 } },
  },
];
