import { html, type Html } from '../html.js';
import { card } from '../layout.js';
import type { Scenario } from '../scenario.js';
import { go, reject, type Outcome, type Page, type Screen, type Visit } from '../screen.js';
import { judgeBoth, onePageForm } from '../screens/credentials.js';
import { helpfulMarkup, identifierField, inputField, passwordField, postForm, submitButton } from '../screens/form.js';
import { homePage } from '../screens/product.js';
import { bothFields, finish } from './shorthand.js';

const base = { family: 'surroundings', language: 'en', start: '/login' } as const;
const title = html`<h1>Sign in to Tidewater</h1>`;

/** A login page with something around or inside it that a careless reader takes for the form. */
const page = (draw: (visit: Visit) => Omit<Page, 'title'>, step = 'login'): Screen => ({
  step,
  show: (visit) => ({ title: 'Sign in', ...draw(visit) }),
  accept: (visit, form) => judgeBoth(visit, form, finish),
});

/** A form that is no login. A post to it is counted, and is a mistake. */
const decoy = (step: string): Screen => ({ step, show: () => go('login'), accept: (): Outcome => go('login') });

const opens = (id: string): Html =>
  html`document.querySelector('[data-opens=${id}]').addEventListener('click', () => { document.getElementById('${id}').hidden = false; });`;

const closes = (id: string): Html =>
  html`document.querySelector('[data-closes=${id}]').addEventListener('click', () => { document.getElementById('${id}').hidden = true; });`;

const headerButton: Screen = {
  ...page(
    (visit) => ({
      ...homePage(visit),
      headerAction: html`<button type="button" class="small" data-opens="drop">Log in</button>`,
      body: html`<div id="drop" class="panel" hidden style="position:absolute;right:24px;top:76px;width:360px;z-index:5">${onePageForm(visit, 'home')}</div>${homePage(visit).body}`,
      script: opens('drop'),
    }),
    '',
  ),
};

const modal: Screen = page(
  (visit) => ({
    ...homePage(visit),
    headerAction: html`<button type="button" class="small" data-opens="modal">My account</button>`,
    body: html`${homePage(visit).body}<div class="shade" id="modal" role="dialog" aria-modal="true" aria-label="Sign in" hidden><button type="button" class="plain small" aria-label="Close" data-closes="modal" style="position:absolute;top:24px;right:24px">×</button>${card(title, onePageForm(visit, 'home'))}</div>`,
    script: html`${opens('modal')}${closes('modal')}`,
  }),
  '',
);

// Drawn on the home page, posted to a step of its own.
const homePost = page((visit) => ({ body: card(title, onePageForm(visit, 'home')) }), 'home');

const cookieWall = page((visit) => ({
  body: html`${card(title, onePageForm(visit, 'login'))}<div class="cookie-wall" id="cookies" role="dialog" aria-label="Cookies"><section><p><b>We value your privacy.</b> We use cookies to keep this site safe and to understand how it is used.</p>
    <div><button type="button" class="plain" data-cookies>Only necessary</button><button type="button" data-cookies>Accept all</button></div></section></div>`,
  script: html`document.querySelectorAll('[data-cookies]').forEach((button) => button.addEventListener('click', () => document.getElementById('cookies').remove()));`,
}));

const decoys = page((visit) => ({
  layout: 'wide',
  headerAction: html`<form method="post" action="${visit.base}/search" style="display:flex;gap:8px">${visit.nonce()}<input type="search" name="q" placeholder="Search" aria-label="Search" style="margin:0;height:38px"><button class="small plain">Search</button></form>`,
  body: html`<div class="split" style="padding-top:44px"><section class="panel"><h2>Stay informed</h2><p class="muted">Rates and news, once a month.</p><form method="post" action="${visit.base}/newsletter">${visit.nonce()}${inputField({ name: 'email', label: 'Email address', type: 'email' })}${submitButton('Subscribe')}</form></section>
    ${card(title, onePageForm(visit, 'login'))}</div>`,
}));

const signUpBeside = page((visit) => ({
  layout: 'wide',
  body: html`<div class="split" style="grid-template-columns:1fr 1fr;padding-top:44px"><section class="panel"><h2>New customer</h2><form method="post" action="${visit.base}/register">${visit.nonce()}
    ${inputField({ name: 'name', label: 'Full name', autocomplete: 'name' })}${inputField({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'email' })}
    ${inputField({ name: 'password1', label: 'Create a password', type: 'password' })}${inputField({ name: 'password2', label: 'Confirm password', type: 'password' })}${submitButton('Create account')}</form></section>
    <section class="panel"><h2>Already a customer</h2>${onePageForm(visit, 'login')}</section></div>`,
}));

const languageSelect = page((visit) => ({
  headerAction: html`<select name="lang" aria-label="Language" style="width:auto;margin:0;height:38px" onchange="location.search='?lang='+this.value"><option value="en">English</option><option value="sv">Svenska</option><option value="de">Deutsch</option><option value="fr">Français</option></select>`,
  body: card(title, onePageForm(visit, 'login')),
}));

// The markup of the phone layout comes first and is hidden by style; both have boxes of the same names.
const hiddenDuplicates = page((visit) => ({
  body: html`<section style="display:none">${duplicate(visit, 'm-')}</section><section style="visibility:hidden;height:0;overflow:hidden">${duplicate(visit, 't-')}</section>${card(title, onePageForm(visit, 'login'))}`,
}));

const duplicate = (visit: Visit, prefix: string): Html =>
  html`<form method="post" action="${visit.base}/phone">${visit.nonce()}<label for="${prefix}u">Email or username</label><input id="${prefix}u" name="username" autocomplete="username"><label for="${prefix}p">Password</label><input id="${prefix}p" name="password" type="password"><button>Sign in</button></form>`;

const trapNames = ['website', 'email_address', 'fax'];

const honeypot: Screen = {
  ...page((visit) => ({
    body: card(
      title,
      postForm(
        visit,
        'login',
        html`<div class="far-away"><label for="website">Leave this empty</label><input id="website" name="website" type="text" tabindex="-1" autocomplete="off"></div>
        <input name="email_address" type="email" placeholder="Email" tabindex="-1" autocomplete="off" style="opacity:0;position:absolute;height:1px;width:1px;padding:0;border:0;margin:0">`,
        identifierField(visit, helpfulMarkup),
        html`<div style="height:0;overflow:hidden"><label for="fax">Fax</label><input id="fax" name="fax" type="text" tabindex="-1"></div>`,
        passwordField(visit, helpfulMarkup),
        submitButton('Sign in'),
      ),
    ),
  })),
  accept: (visit, form) =>
    trapNames.some((name) => (form[name] ?? '') !== '')
      ? reject('We could not sign you in. Please contact support.')
      : judgeBoth(visit, form, finish),
};

const hiddenFromReaders = page((visit) => ({
  body: html`${card(title, onePageForm(visit, 'login'))}
    <div style="position:absolute;left:-3000px;top:0;width:400px">${duplicate(visit, 'off-')}</div>
    <div aria-hidden="true" style="position:absolute;top:0;left:0;width:200px;opacity:0;pointer-events:none">${duplicate(visit, 'aria-')}</div>`,
}));

const scenario = (
  name: string,
  description: string,
  screens: readonly Screen[],
  posts: Readonly<Record<string, number>>,
  start = '/login',
): Scenario => ({ ...base, name, description, start, screens, expected: { pauses: [bothFields], end: 'SUCCESS', posts } });

export const surroundingScenarios: readonly Scenario[] = [
  scenario('header-button', 'A header button opens a panel with the form on the home page', [headerButton, homePost], { home: 1 }, '/'),
  scenario(
    'modal',
    'A header button opens the form in a modal over the home page, with a cross to close it',
    [modal, homePost],
    { home: 1 },
    '/',
  ),
  scenario('cookie-wall', 'A cookie banner lies over the whole page', [cookieWall], { login: 1 }),
  scenario('decoys', 'Search in the header and a newsletter form before the login form', [decoys, decoy('search'), decoy('newsletter')], {
    login: 1,
    search: 0,
    newsletter: 0,
  }),
  scenario('sign-up-beside', 'A sign-up form stands beside the login form, and comes first', [signUpBeside, decoy('register')], {
    login: 1,
    register: 0,
  }),
  scenario('language-select', 'A language select in the header is no choice', [languageSelect], { login: 1 }),
  scenario('hidden-duplicates', 'The form twice more, hidden by style, before the real one', [hiddenDuplicates, decoy('phone')], {
    login: 1,
    phone: 0,
  }),
  scenario('honeypot', 'Boxes that only a robot fills, inside the form', [honeypot], { login: 1 }),
  scenario('off-screen', 'Copies of the form beyond the edge of the screen and under aria-hidden', [hiddenFromReaders, decoy('phone')], {
    login: 1,
    phone: 0,
  }),
];
