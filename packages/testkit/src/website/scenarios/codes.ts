import { newTotpSecret } from '../accounts.js';
import { html, literal } from '../html.js';
import { card } from '../layout.js';
import type { AnswerKey, ExpectedField, FieldType, Scenario } from '../scenario.js';
import { go, reject, signedIn, type Screen } from '../screen.js';
import { codeScreen, codeIsRight, type Channel } from '../screens/codes.js';
import { onePageLogin, onwardTo } from '../screens/credentials.js';
import { inputField, postForm, submitButton } from '../screens/form.js';
import { again, asks, bothFields, finish } from './shorthand.js';

const login = onePageLogin({ onward: onwardTo('code') });

const answers: Readonly<Record<Channel, [FieldType, AnswerKey]>> = {
  sms: ['code', 'sms'],
  email: ['code', 'email-code'],
  totp: ['totp_code', 'totp'],
};

const codeField = (channel: Channel): ExpectedField => ({ type: answers[channel][0], answer: answers[channel][1] });

const codeScenario = (name: string, channel: Channel, description: string, split = false): Scenario => ({
  name,
  family: 'codes',
  description,
  language: 'en',
  start: '/login',
  ...(channel === 'totp' ? { account: () => ({ totpSecret: newTotpSecret() }) } : {}),
  screens: [login, codeScreen({ step: 'code', channel, onward: finish, split })],
  expected: { pauses: [bothFields, asks(codeField(channel))], end: 'SUCCESS', posts: { login: 1, code: 1 } },
});

// Shown once to people who have no authenticator app yet: the key in text, and a box that proves it was taken over.
const setUp: Screen = {
  step: 'code',
  show: (visit) => {
    const { account } = visit.attempt;
    if (!account) return go('login');
    const groups = account.totpSecret?.match(/.{1,4}/g)?.join(' ') ?? '';
    return {
      title: 'Set up two-step verification',
      body: card(
        html`<h1>Set up your authenticator app</h1><p class="lead">Scan the picture with your authenticator app. If you cannot scan it, enter this setup key by hand:</p>
        <p><code id="setup-key">${groups}</code></p>`,
        postForm(
          visit,
          'code',
          inputField({ name: 'code', label: '6-digit code from the app', inputmode: 'numeric', autocomplete: 'one-time-code' }),
          submitButton('Finish setup'),
        ),
      ),
    };
  },
  accept: (visit, form) => {
    const { account } = visit.attempt;
    if (!account) return go('login');
    return codeIsRight('totp', account, form['code'] ?? '') ? signedIn(account) : reject(visit.words.wrongCode);
  },
};

// One form for the number and the code, and a button in it that sends the code: nothing is sent before it was asked for.
const onRequest: Screen = {
  step: 'login',
  show: (visit) => ({
    title: visit.words.signIn,
    body: card(
      html`<h1>${visit.words.signIn}</h1>`,
      postForm(
        visit,
        'login',
        inputField({ name: 'phone', label: 'Mobile number', type: 'tel' }),
        inputField({ name: 'code', label: visit.words.code }),
        html`<button type="button" id="send">Get code</button>`,
        submitButton(visit.words.signIn),
      ),
    ),
    script: html`
const [phone, send] = [document.getElementById('phone'), document.getElementById('send')];
const request = async () => {
  const body = new URLSearchParams({ phone: phone.value, _nonce: ${literal(visit.nonceValue())} });
  await fetch(${literal(`${visit.base}/send`)}, { method: 'POST', headers: { accept: 'application/json' }, body });
  send.textContent = '60 s';
  send.disabled = true;
};
send.onclick = request;
phone.onkeydown = (event) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  request();
};`,
  }),
  accept: ({ attempt, words }, form) =>
    attempt.account && codeIsRight('sms', attempt.account, form['code'] ?? '') ? signedIn(attempt.account) : reject(words.wrongCode),
};

const sending: Screen = {
  step: 'send',
  show: () => go('login'),
  accept: (visit, form) => {
    visit.attempt.account = visit.findAccount(form['phone'] ?? '');
    return visit.attempt.account ? go('login') : reject('We do not know this number.');
  },
};

// Its box drops whatever is no digit, at once.
const plainCode = codeScreen({ step: 'code', channel: 'sms', onward: finish });
const digitsOnly: Screen = {
  ...plainCode,
  show: (visit) => {
    const shown = plainCode.show(visit);
    if (!('body' in shown)) return shown;
    return {
      ...shown,
      script: html`
const box = document.querySelector('input[name=code]');
box.addEventListener('input', () => { box.value = box.value.replace(/\\D/g, ''); });`,
    };
  },
};

export const codeScenarios: readonly Scenario[] = [
  {
    name: 'code-on-request',
    family: 'codes',
    description: 'Number and code in one form, and a button in it that sends the code',
    language: 'en',
    start: '/login',
    screens: [onRequest, sending],
    expected: {
      pauses: [asks({ type: 'identifier', answer: 'phone' }), asks({ type: 'code', answer: 'sms' })],
      end: 'SUCCESS',
      posts: { send: 1, login: 1 },
    },
  },
  codeScenario('sms-code', 'sms', 'Password, then a code by text message to a masked number'),
  codeScenario('email-code', 'email', 'Password, then a code by e-mail to a masked address'),
  codeScenario('totp-code', 'totp', 'Password, then the code of an authenticator app'),
  codeScenario('split-code', 'sms', 'The code in six boxes of one digit each: one field', true),
  codeScenario('split-totp', 'totp', 'The authenticator code in six boxes of one digit each', true),
  {
    ...codeScenario('wrong-code', 'sms', 'The first code is refused with a text; the code alone is asked again'),
    expected: {
      pauses: [
        bothFields,
        asks({ type: 'code', answer: 'wrong-code' }),
        { ...asks(again(codeField('sms'))), websiteError: 'That code is not valid.' },
      ],
      end: 'SUCCESS',
      posts: { login: 1, code: 2 },
    },
  },
  {
    ...codeScenario('digits-only', 'sms', 'A box that drops what is no digit: other characters are not sent, and asked again'),
    screens: [login, digitsOnly],
    expected: {
      pauses: [bothFields, { ...asks({ type: 'code', answer: 'unknown' }), unsent: true }, asks(again(codeField('sms')))],
      end: 'SUCCESS',
      posts: { login: 1, code: 1 },
    },
  },
  {
    name: 'totp-setup',
    family: 'codes',
    description: 'Enrolment: the page shows a set-up key and wants a code made with it',
    language: 'en',
    start: '/login',
    account: () => ({ totpSecret: newTotpSecret() }),
    screens: [login, setUp],
    expected: { pauses: [bothFields, asks({ type: 'totp_secret', answer: 'totp-secret' })], end: 'SUCCESS', posts: { login: 1, code: 1 } },
  },
];
