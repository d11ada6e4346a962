import { html } from '../html.js';
import { masked } from '../accounts.js';
import type { Scenario } from '../scenario.js';
import { codeScreen } from '../screens/codes.js';
import { identifierScreen, onePageLogin, onwardTo } from '../screens/credentials.js';
import { waitScreen } from '../screens/waits.js';
import { asks, bothFields, finish, identifier, method } from './shorthand.js';

const login = onePageLogin({ onward: onwardTo('push') });
const task = html`<p class="lead">We sent a notification to your phone. Open the Tidewater app and approve the sign-in.</p>`;
const refused = 'You denied the sign-in request on your phone.';
const base = { family: 'waits', language: 'en', start: '/login' } as const;
const push = waitScreen({ step: 'push', title: 'Approve the sign-in', task: () => task, refused });

/** The number the page shows for the person to match on the phone. */
export const challengeNumber = '47';

export const waitScenarios: readonly Scenario[] = [
  {
    ...base,
    name: 'push',
    description: 'Wait for an approval on the phone',
    screens: [login, push],
    expected: { pauses: [bothFields, { act: 'approve-push' }], end: 'SUCCESS', posts: { login: 1 } },
  },
  {
    ...base,
    name: 'push-number',
    description: 'Wait for an approval; the page shows a number to match on the phone',
    screens: [
      login,
      waitScreen({
        step: 'push',
        title: 'Approve the sign-in',
        task: () =>
          html`<p class="lead">Open the Tidewater app and tap the number you see here.</p><div class="big-number">${challengeNumber}</div>`,
        refused,
      }),
    ],
    expected: { pauses: [bothFields, { act: 'approve-push', message: challengeNumber }], end: 'SUCCESS' },
  },
  {
    ...base,
    name: 'push-refused',
    description: 'The person refuses on the phone and the page offers nothing else',
    screens: [login, push],
    expected: { pauses: [bothFields, { act: 'refuse-push' }], end: ['website_error'] },
  },
  {
    ...base,
    name: 'push-refused-code',
    description: 'The person refuses on the phone; the page still offers a code by text message',
    screens: [
      login,
      waitScreen({
        step: 'push',
        title: 'Approve the sign-in',
        task: () => task,
        refused,
        offers: ({ base: root }) =>
          html`<ul class="options"><li><a class="option" href="${root}/sms"><b>Get a code by text message</b></a></li></ul>`,
      }),
      codeScreen({ step: 'sms', channel: 'sms', onward: finish }),
    ],
    expected: {
      pauses: [
        bothFields,
        { choices: [method('Get a code by text message', 'sms')], act: 'refuse-push' },
        { choices: [method('Get a code by text message', 'sms')], pick: 'Get a code by text message', websiteError: refused },
        asks({ type: 'code', answer: 'sms' }),
      ],
      end: 'SUCCESS',
    },
  },
  {
    ...base,
    name: 'qr-code',
    description: 'After the identifier: a QR code to scan with the app on the phone',
    screens: [
      identifierScreen({ onward: onwardTo('scan') }),
      waitScreen({
        step: 'scan',
        title: 'Sign in with your phone',
        task: () =>
          html`<p class="lead">Scan the QR code with the Tidewater app to sign in.</p><svg width="180" height="180" role="img" aria-label="QR code"><path d="M10 10h50v50h-50zM120 10h50v50h-50zM10 120h50v50h-50zM90 90h20v20h-20zM130 130h30v30h-30z"></path></svg>`,
        refused: 'You denied the sign-in request on your phone.',
      }),
    ],
    expected: { pauses: [asks(identifier()), { act: 'approve-push', message: 'Scan the QR code' }], end: 'SUCCESS', posts: { login: 1 } },
  },
  {
    ...base,
    name: 'magic-link',
    description: 'No password: a link by e-mail. The same tab goes on when the person has opened it',
    screens: [
      identifierScreen({ onward: onwardTo('check-email') }),
      waitScreen({
        step: 'check-email',
        title: 'Check your email',
        task: ({ attempt }) =>
          html`<p class="lead">We sent a sign-in link to <b>${attempt.account && masked.email(attempt.account)}</b>. Open it to continue; this page goes on by itself.</p>`,
        refused: 'The link has expired.',
      }),
    ],
    expected: { pauses: [asks(identifier('email')), { act: 'open-magic-link' }], end: 'SUCCESS', posts: { login: 1 } },
  },
];
