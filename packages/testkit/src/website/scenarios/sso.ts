import { html, literal, type Html } from '../html.js';
import { card, errorText } from '../layout.js';
import type { Scenario } from '../scenario.js';
import { signedIn, type Screen, type Visit } from '../screen.js';
import { onePageLogin, identifierScreen, onwardTo, passwordScreen } from '../screens/credentials.js';
import { bothFields, finish, identifier, password, picks, provider, twoSteps } from './shorthand.js';

const base = { family: 'sso', language: 'en', start: '/login', allowedHosts: ['identity'] } as const;

const authorizeUrl = (visit: Visit, site: string, mode = 'redirect'): string =>
  `${visit.originOf(site)}/authorize?mode=${mode}&return=${encodeURIComponent(`${visit.origin}${visit.base}/callback`)}`;

const ssoLink = (href: string, name: string): Html => html`<a class="button plain full" href="${href}">Continue with ${name}</a>`;

/** Takes the provider's proof and ends the journey. */
export const callback: Screen = {
  step: 'callback',
  show: (visit) => {
    const account = visit.redeemTicket(visit.query.get('ticket') ?? '');
    return account ? signedIn(account) : { title: 'Not signed in', body: card(errorText('The sign-in could not be completed.')) };
  },
};

const buttonsOnly = (title: string, buttons: (visit: Visit) => Html, script?: (visit: Visit) => Html): Screen => ({
  step: 'login',
  show: (visit) => ({
    title: 'Sign in',
    body: card(html`<h1>${title}</h1>`, html`<div class="stack">${buttons(visit)}</div>`),
    ...(script ? { script: script(visit) } : {}),
  }),
});

const beside =
  (...names: readonly string[]) =>
  (visit: Visit): Html =>
    html`<div class="or">or</div><div class="stack">${names.map((name) => ssoLink(authorizeUrl(visit, 'identity'), name))}</div>`;

// The window of the provider posts its proof back; only the provider's own origin is believed.
export const listenScript = (visit: Visit): Html => html`
addEventListener('message', ({ origin, data }) => {
  if (origin === ${literal(visit.originOf('identity'))} && data.ticket) location.assign(${literal(`${visit.base}/callback?ticket=`)} + data.ticket);
});`;

const popupScript = (visit: Visit): Html => html`${listenScript(visit)}
document.getElementById('sso').addEventListener('click', () => window.open(${literal(authorizeUrl(visit, 'identity', 'popup'))}, 'provider', 'popup,width=520,height=640'));`;

const lone = (site: string): Screen => buttonsOnly('Sign in to Tidewater', (visit) => ssoLink(authorizeUrl(visit, site), 'Harbour ID'));
const harbour = provider('Continue with Harbour ID');

export const ssoScenarios: readonly Scenario[] = [
  {
    ...base,
    name: 'sso-redirect',
    description: 'A lone SSO button that leads to the provider’s host: asked (D62), then the provider’s form',
    screens: [lone('identity'), callback],
    expected: { pauses: [picks('Continue with Harbour ID', harbour), bothFields], end: 'SUCCESS' },
  },
  {
    ...base,
    name: 'sso-popup',
    description: 'The provider opens in a pop-up window and hands back to the page that opened it',
    screens: [
      buttonsOnly(
        'Sign in to Tidewater',
        () => html`<button class="plain full" id="sso" type="button">Continue with Harbour ID</button>`,
        popupScript,
      ),
      callback,
    ],
    expected: { pauses: [picks('Continue with Harbour ID', harbour), bothFields], end: 'SUCCESS' },
  },
  {
    ...base,
    name: 'sso-beside-form',
    description: 'Three providers beside a form, one pause with both; the provider is picked',
    screens: [onePageLogin({ onward: finish, beside: beside('Google', 'Microsoft', 'Apple') }), callback],
    expected: {
      pauses: [
        {
          fields: [identifier(), password],
          choices: ['Google', 'Microsoft', 'Apple'].map((name) => provider(`Continue with ${name}`)),
          pick: 'Continue with Microsoft',
        },
        bothFields,
      ],
      end: 'SUCCESS',
      posts: { login: 0 },
    },
  },
  {
    ...base,
    name: 'form-beside-sso',
    description: 'The same page; the person fills in the form',
    screens: [onePageLogin({ onward: finish, beside: beside('Google', 'Microsoft', 'Apple') }), callback],
    expected: {
      pauses: [
        { fields: [identifier(), password], choices: ['Google', 'Microsoft', 'Apple'].map((name) => provider(`Continue with ${name}`)) },
      ],
      end: 'SUCCESS',
      posts: { login: 1 },
    },
  },
  {
    ...base,
    name: 'sso-or-email',
    description: 'Only buttons: two providers, and “Continue with email” which leads to a form',
    screens: [
      buttonsOnly(
        'Welcome to Tidewater',
        (visit) =>
          html`${['Google', 'GitHub'].map((name) => ssoLink(authorizeUrl(visit, 'identity'), name))}<a class="button full" href="${visit.base}/email">Continue with email</a>`,
      ),
      identifierScreen({ step: 'email', onward: onwardTo('password') }),
      passwordScreen({ onward: finish }),
      callback,
    ],
    expected: {
      pauses: [
        picks('Continue with email', provider('Continue with Google'), provider('Continue with GitHub'), {
          type: 'sign_in_method',
          label: 'Continue with email',
        }),
        ...twoSteps,
      ],
      end: 'SUCCESS',
      posts: { email: 1, password: 1 },
    },
  },
  {
    ...base,
    name: 'sso-through',
    description: 'The way to the provider passes a host that is not allowed, without stopping there (D61)',
    screens: [
      buttonsOnly('Sign in to Tidewater', (visit) =>
        ssoLink(`${visit.originOf('stranger')}/hop?to=${encodeURIComponent(authorizeUrl(visit, 'identity'))}`, 'Harbour ID'),
      ),
      callback,
    ],
    expected: { pauses: [picks('Continue with Harbour ID', harbour), bothFields], end: 'SUCCESS' },
  },
  {
    ...base,
    name: 'sso-outside',
    description: 'The provider is on a host name the connection does not allow',
    screens: [lone('stranger'), callback],
    expected: { pauses: [picks('Continue with Harbour ID', harbour)], end: ['domain_not_allowed'] },
  },
];
