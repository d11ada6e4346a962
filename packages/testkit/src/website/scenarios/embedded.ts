import { html, literal } from '../html.js';
import { card } from '../layout.js';
import type { Scenario } from '../scenario.js';
import { signedIn, type Screen } from '../screen.js';
import { judgeBoth, onePageForm } from '../screens/credentials.js';
import { callback, listenScript } from './sso.js';
import { bothFields } from './shorthand.js';

const base = { family: 'embedded', language: 'en', start: '/login' } as const;

const framed = (address: string) =>
  html`${card(html`<h1>Sign in to Tidewater</h1><iframe class="frame" title="Sign in" src="${address}"></iframe>`)}`;

const outer: Screen = { step: 'login', show: (visit) => ({ title: 'Sign in', body: framed(`${visit.base}/box`) }) };

const bare = (step: string): Screen => ({
  step,
  show: (visit) => ({ title: 'Sign in', layout: 'bare', body: onePageForm(visit, step) }),
  accept: (visit, form) => judgeBoth(visit, form, (_visit, account) => signedIn(account, 'done')),
});

// The frame has the session; the page around it goes to the account.
const leaveFrame: Screen = {
  step: 'done',
  show: (visit) => ({
    title: 'Signed in',
    layout: 'bare',
    body: html`<p>Signing you in…</p>`,
    script: html`top.location.replace(${literal(`${visit.base}/account`)});`,
  }),
};

const leaveWindow: Screen = {
  step: 'done',
  show: (visit) => ({
    title: 'Signed in',
    body: card(html`<p>You can close this window.</p>`),
    script: html`if (window.opener) { window.opener.location.replace(${literal(`${visit.base}/account`)}); window.close(); } else location.replace(${literal(`${visit.base}/account`)});`,
  }),
};

const crossOuter: Screen = {
  step: 'login',
  show: (visit) => ({ title: 'Sign in', body: framed(`${visit.originOf('identity')}/frame`), script: listenScript(visit) }),
};

const opener: Screen = {
  step: 'login',
  show: (visit) => ({
    title: 'Welcome',
    body: card(
      html`<h1>Welcome to Tidewater</h1><p class="lead">Signing in opens a secure window.</p><button type="button" class="full" id="open">Sign in</button>`,
    ),
    script: html`document.getElementById('open').addEventListener('click', () => window.open(${literal(`${visit.base}/box`)}, 'login', 'popup,width=520,height=640'));`,
  }),
};

const popupBox: Screen = {
  ...bare('box'),
  show: (visit) => ({ title: 'Sign in', body: card(html`<h1>Sign in to Tidewater</h1>`, onePageForm(visit, 'box')) }),
};

export const embeddedScenarios: readonly Scenario[] = [
  {
    ...base,
    name: 'iframe-same',
    description: 'The form is in an iframe of the same origin',
    screens: [outer, bare('box'), leaveFrame],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { box: 1 } },
  },
  {
    ...base,
    name: 'iframe-cross',
    description: 'The form is in an iframe of another, allowed, origin',
    allowedHosts: ['identity'],
    screens: [crossOuter, callback],
    expected: { pauses: [bothFields], end: 'SUCCESS' },
  },
  {
    ...base,
    name: 'popup-window',
    description: 'A button opens the form in a pop-up window, which closes itself afterwards',
    screens: [opener, popupBox, leaveWindow],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { box: 1 } },
  },
];
