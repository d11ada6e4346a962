import { newTotpSecret } from '../accounts.js';
import type { AnswerKey, ExpectedField, Scenario } from '../scenario.js';
import { codeScreen, type Channel } from '../screens/codes.js';
import { identifierScreen, onePageLogin, onwardTo, passwordScreen } from '../screens/credentials.js';
import { opaqueMarkup } from '../screens/form.js';
import { wordsOf, type Language } from '../words/index.js';
import { again, asks, finish, identifier, password, wrongPassword } from './shorthand.js';

type Shape = 'one-page' | 'two-step';

/** Languages take turns with the shape of the form and the second factor. */
const turns: ReadonlyArray<readonly [Language, Shape, Channel]> = [
  ['en', 'two-step', 'email'],
  ['de', 'two-step', 'totp'],
  ['fr', 'one-page', 'sms'],
  ['es', 'two-step', 'sms'],
  ['pt', 'one-page', 'email'],
  ['it', 'two-step', 'sms'],
  ['nl', 'one-page', 'totp'],
  ['pl', 'two-step', 'email'],
  ['ru', 'one-page', 'sms'],
  ['ja', 'two-step', 'totp'],
  ['zh', 'one-page', 'sms'],
  ['ko', 'two-step', 'email'],
];

const codeAnswers: Readonly<Record<Channel, AnswerKey>> = { sms: 'sms', email: 'email-code', totp: 'totp' };

function languageScenario([language, shape, channel]: readonly [Language, Shape, Channel]): Scenario {
  const markup = opaqueMarkup;
  const words = wordsOf[language];
  const code: ExpectedField = { type: channel === 'totp' ? 'totp_code' : 'code', answer: codeAnswers[channel] };
  const oneForm = shape === 'one-page';
  const screens = oneForm
    ? [onePageLogin({ onward: onwardTo('code'), markup })]
    : [identifierScreen({ onward: onwardTo('password'), markup }), passwordScreen({ onward: onwardTo('code'), markup })];
  const credentials = oneForm
    ? [asks(identifier(), wrongPassword), { ...asks(again(identifier()), again(password)), websiteError: words.wrongCredentials }]
    : [asks(identifier()), asks(wrongPassword), { ...asks(again(password)), websiteError: words.wrongPassword }];
  return {
    name: `language-${language}`,
    family: 'languages',
    description: `${oneForm ? 'One form' : 'Two pages'} and a code (${channel}); a wrong password first; box names that say nothing`,
    language,
    start: '/login',
    ...(channel === 'totp' ? { account: () => ({ totpSecret: newTotpSecret() }) } : {}),
    screens: [...screens, codeScreen({ step: 'code', channel, onward: finish, markup })],
    expected: {
      pauses: [...credentials, asks(code)],
      end: 'SUCCESS',
      posts: { ...(oneForm ? { login: 2 } : { login: 1, password: 2 }), code: 1 },
    },
  };
}

export const languageScenarios: readonly Scenario[] = turns.map(languageScenario);
