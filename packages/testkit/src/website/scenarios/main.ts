import { newTotpSecret } from '../accounts.js';
import type { Scenario } from '../scenario.js';
import { go, signedIn } from '../screen.js';
import { codeScreen } from '../screens/codes.js';
import { identifierScreen, onwardTo, passwordScreen } from '../screens/credentials.js';
import { asks, finish, identifier, password, twoSteps } from './shorthand.js';

const screens = [
  identifierScreen({ onward: onwardTo('password') }),
  passwordScreen({ onward: (_visit, account) => (account.totpSecret === undefined ? signedIn(account) : go('totp')) }),
  codeScreen({ step: 'totp', channel: 'totp', onward: finish }),
];

/** The ordinary site: what the demo shows, and the start of every comparison. Also served at the root of any other host name. */
export const mainScenarios: readonly Scenario[] = [
  {
    name: 'main',
    family: 'ordinary',
    description: 'Two-step login behind a header link; authenticator code for accounts that have one',
    language: 'en',
    start: '/',
    screens,
    expected: { pauses: twoSteps, end: 'SUCCESS', posts: { login: 1, password: 1 } },
  },
  {
    name: 'main-totp',
    family: 'ordinary',
    description: 'The same site and an account with an authenticator app',
    language: 'en',
    start: '/login',
    account: () => ({ totpSecret: newTotpSecret() }),
    screens,
    expected: {
      pauses: [asks(identifier('email')), asks(password), asks({ type: 'totp_code', answer: 'totp' })],
      end: 'SUCCESS',
      posts: { login: 1, password: 1, totp: 1 },
    },
  },
];
