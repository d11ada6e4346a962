import { masked, newTotpSecret } from '../accounts.js';
import { html } from '../html.js';
import type { Scenario } from '../scenario.js';
import { go, type Visit } from '../screen.js';
import { choiceScreen, type Drawing, type Option } from '../screens/choices.js';
import { codeScreen } from '../screens/codes.js';
import { identifierScreen, onePageLogin, onwardTo, passwordScreen } from '../screens/credentials.js';
import { asks, bothFields, finish, identifier, method, password, picks } from './shorthand.js';

const login = onePageLogin({ onward: onwardTo('methods') });
const smsScreen = codeScreen({ step: 'sms', channel: 'sms', onward: finish });
const emailScreen = codeScreen({ step: 'email', channel: 'email', onward: finish });
const totpScreen = codeScreen({ step: 'totp', channel: 'totp', onward: finish });

const methodOptions = ({ attempt: { account } }: Visit): readonly Option[] =>
  account
    ? [
        { value: 'sms', label: 'Text message', detail: `Send a code to ${masked.phone(account)}` },
        { value: 'email', label: 'Email', detail: `Send a code to ${masked.email(account)}` },
        { value: 'totp', label: 'Authenticator app', detail: 'Use a code from your app' },
      ]
    : [];

const list = (drawing: Drawing, options = methodOptions) =>
  choiceScreen({
    step: 'methods',
    drawing,
    title: 'Choose how to verify',
    lead: 'For your security we need one more proof that it is you.',
    options,
    choose: (_visit, value) => go(['sms', 'email', 'totp'].includes(value) ? value : 'methods'),
  });

const offered = [method('Text message', 'sms'), method('Email', 'email'), method('Authenticator app', 'totp')];

const listScenario = (drawing: Drawing, description: string): Scenario => ({
  name: `methods-${drawing}`,
  family: 'methods',
  description,
  language: 'en',
  start: '/login',
  account: () => ({ totpSecret: newTotpSecret() }),
  screens: [login, list(drawing), smsScreen, emailScreen, totpScreen],
  expected: {
    pauses: [bothFields, picks('Email', ...offered), asks({ type: 'code', answer: 'email-code' })],
    end: 'SUCCESS',
    posts: { login: 1, email: 1, sms: 0, totp: 0 },
  },
});

export const methodScenarios: readonly Scenario[] = [
  listScenario('buttons', 'Second-factor methods as buttons'),
  listScenario('links', 'Second-factor methods as links'),
  listScenario('radios', 'Second-factor methods as radio buttons with Continue'),
  listScenario('select', 'Second-factor methods in a <select>'),
  listScenario('rows', 'Rows with the method’s name beside a button that only says Select'),
  {
    name: 'methods-single',
    family: 'methods',
    description: 'A list of one method: the service presses it itself (D62)',
    language: 'en',
    start: '/login',
    screens: [login, list('buttons', (visit) => methodOptions(visit).slice(0, 1)), smsScreen],
    expected: { pauses: [bothFields, asks({ type: 'code', answer: 'sms' })], end: 'SUCCESS', posts: { login: 1, methods: 1, sms: 1 } },
  },
  {
    name: 'method-switch',
    family: 'methods',
    description: 'A code page with “Use another method”, pressed because the person wants it',
    language: 'en',
    start: '/login',
    account: () => ({ totpSecret: newTotpSecret() }),
    screens: [
      onePageLogin({ onward: onwardTo('totp') }),
      codeScreen({
        step: 'totp',
        channel: 'totp',
        onward: finish,
        beside: ({ base }) => html`<p class="below"><a href="${base}/methods">Use another method</a></p>`,
      }),
      list('buttons'),
      smsScreen,
      emailScreen,
    ],
    expected: {
      pauses: [
        bothFields,
        { fields: [{ type: 'totp_code', answer: 'totp' }], choices: [method('Use another method', 'switch')], pick: 'Use another method' },
        picks('Text message', ...offered),
        asks({ type: 'code', answer: 'sms' }),
      ],
      end: 'SUCCESS',
      posts: { login: 1, totp: 0, sms: 1 },
    },
  },
  {
    name: 'auth-methods',
    family: 'methods',
    description: 'After the identifier: sign in with the password or with a code by e-mail',
    language: 'en',
    start: '/login',
    screens: [
      identifierScreen({ onward: onwardTo('how') }),
      choiceScreen({
        step: 'how',
        drawing: 'buttons',
        title: 'How do you want to sign in?',
        lead: 'Pick the way that suits you today.',
        options: () => [
          { value: 'password', label: 'Use my password' },
          { value: 'email', label: 'Email me a sign-in code' },
        ],
        choose: (_visit, value) => go(value === 'email' ? 'email' : 'password'),
      }),
      passwordScreen({ onward: finish }),
      emailScreen,
    ],
    expected: {
      pauses: [
        asks(identifier()),
        picks(
          'Use my password',
          { type: 'auth_method', label: 'Use my password', mfaType: 'password' },
          { type: 'auth_method', label: 'Email me a sign-in code', mfaType: 'email' },
        ),
        asks(password),
      ],
      end: 'SUCCESS',
      posts: { login: 1, how: 1, password: 1 },
    },
  },
];
