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
  { ...base, name: 'push', description: 'Wait for an approval on the phone', screens: [login, push], expected: { pauses: [bothFields, { act: 'approve-push' }], end: 'SUCCESS', posts: { login: 1 } } },
  {
    ...base,
    name: 'push-number',
    description: 'Wait for an approval; the page shows a number to match on the phone',
    screens: [login, waitScreen({ step: 'push', title: 'Approve the sign-in', task: () => html`<p class="lead">Open the Tidewater app and tap the number you see here.</p><div class="big-number">${challengeNumber}</div>`, refused })],
    expected: { pauses: [bothFields, { act: 'approve-push', message: challengeNumber }], end: 'SUCCESS' },
  },
  { ...base, name: 'push-refused', description: 'The person refuses on the phone and the page offers nothing else', screens: [login, push], expected: { pauses: [bothFields, { act: 'refuse-push' }], end: ['website_error'] } },
  {
    ...base,
    name: 'push-refused-code',
    description: 'The person refuses on the phone; the page still offers a code by text message',
    screens: [
      login,
      waitScreen({ step: 'push', title: 'Approve the sign-in', task: () => task, refused, offers: ({ base: root }) => html`<ul class="options"><li><a class="option" href="${root}/sms"><b>Get a code by text message</b></a></li></ul>` }),
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
    name: 'magic-link',
    description: 'No password: a link by e-mail. The same tab goes on when the person has opened it',
    screens: [
      identifierScreen({ onward: onwardTo('check-email') }),
      waitScreen({
        step: 'check-email',
        title: 'Check your email',
        task: ({ attempt }) => html`<p class="lead">We sent a sign-in link to <b>${attempt.account && masked.email(attempt.account)}</b>. Open it to continue; this page goes on by itself.</p>`,
        refused: 'The link has expired.',
      }),
    ],
    expected: { pauses: [asks(identifier('email')), { act: 'open-magic-link' }], end: 'SUCCESS', posts: { login: 1 } },
  },
];
