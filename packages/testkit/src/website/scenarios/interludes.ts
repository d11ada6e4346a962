import { html } from '../html.js';
import { card } from '../layout.js';
import type { Scenario } from '../scenario.js';
import { go, reject, signedIn, type Outcome, type Screen, type Visit } from '../screen.js';
import { choiceScreen } from '../screens/choices.js';
import { onePageLogin, onwardTo } from '../screens/credentials.js';
import { inputField, person, postForm, submitButton } from '../screens/form.js';
import { account, asks, bothFields, picks } from './shorthand.js';

const base = { family: 'interludes', language: 'en', start: '/login' } as const;
const login = onePageLogin({ onward: onwardTo('next') });
const enter = ({ attempt }: Visit): Outcome => (attempt.account ? signedIn(attempt.account) : go('login'));

const consent: Screen = {
  step: 'next',
  show: (visit) =>
    visit.attempt.account
      ? {
          title: 'Allow access?',
          body: card(
            html`<h1>Ledgerly wants to access your Tidewater account</h1>`,
            person(visit.attempt.account.email),
            html`<p class="lead">It will be able to see your balance and your latest activity. Allow access?</p>`,
            postForm(
              visit,
              'next',
              html`<div class="stack"><button class="full" name="answer" value="allow">Allow</button><button class="full plain" name="answer" value="deny">Deny</button></div>`,
            ),
          ),
        }
      : go('login'),
  accept: (visit, form) =>
    form['answer'] === 'allow'
      ? enter(visit)
      : {
          kind: 'page',
          verdict: 'rejected',
          page: {
            title: 'Not allowed',
            body: card(html`<h1>Access was denied</h1><p class="lead">Ledgerly did not get access to your account.</p>`),
          },
        },
};

const staySignedIn: Screen = {
  step: 'next',
  show: (visit) =>
    visit.attempt.account
      ? {
          title: 'Stay signed in?',
          body: card(
            html`<h1>Stay signed in?</h1><p class="lead">Do this to reduce the number of times you are asked to sign in.</p>`,
            postForm(
              visit,
              'next',
              html`<label class="check"><input type="checkbox" name="quiet">Don’t show this again</label><div class="between"><button class="plain" name="answer" value="no">No</button><button name="answer" value="yes">Yes</button></div>`,
            ),
          ),
        }
      : go('login'),
  accept: (visit) => enter(visit),
};

/** The page stays as it is, its buttons with it, while its script sends the answer and for a while after it has come. */
const staySignedInSlowly: Screen = {
  ...staySignedIn,
  show: (visit) => {
    const outcome = staySignedIn.show(visit);
    if (!('body' in outcome)) return outcome;
    return {
      ...outcome,
      script: html`
document.forms[0].addEventListener('submit', async (event) => {
  event.preventDefault();
  const values = Object.fromEntries(new FormData(event.target, event.submitter));
  const answer = await (await fetch(event.target.action, { method: 'POST', headers: { accept: 'application/json', 'content-type': 'application/json' }, body: JSON.stringify(values) })).json();
  setTimeout(() => location.assign(answer.to), 800);
});`,
    };
  },
};

const forcedChange: Screen = {
  step: 'next',
  show: (visit) => ({
    title: 'Choose a new password',
    body: card(
      html`<h1>Your password has expired</h1><p class="lead">You must choose a new password before you can continue.</p>`,
      postForm(
        visit,
        'next',
        inputField({ name: 'new_password', label: 'New password', type: 'password', autocomplete: 'new-password' }),
        inputField({ name: 'repeat_password', label: 'Repeat the new password', type: 'password', autocomplete: 'new-password' }),
        submitButton('Change password'),
      ),
    ),
  }),
  accept: () => reject('You cannot use a password you have used before.'),
};

const question: Screen = {
  step: 'next',
  show: (visit) =>
    visit.attempt.account
      ? {
          title: 'One more step',
          body: card(
            html`<h1>One more step</h1>`,
            person(visit.attempt.account.email),
            postForm(visit, 'next', inputField({ name: 'answer', label: 'What do your friends call you?' }), submitButton('Continue')),
          ),
        }
      : go('login'),
  accept: (visit, form) =>
    form['answer'] === visit.attempt.account?.displayName ? enter(visit) : reject('That is not the answer you gave us.'),
};

const newTerms: Screen = {
  step: 'next',
  show: (visit) => ({
    title: 'Our terms have changed',
    body: card(
      html`<h1>Our terms have changed</h1><p class="lead">They are valid from the first day of next month.</p>`,
      postForm(
        visit,
        'next',
        html`<label class="check"><input type="checkbox" name="agreed" required>I have read them</label>`,
        submitButton('Agree and continue'),
      ),
    ),
  }),
  accept: (visit, form) => (form['agreed'] === undefined ? reject('Please tick the box.') : enter(visit)),
};

/** A step that only its buttons tell to be one, in words of no table. */
const atLock: Screen = {
  step: 'next',
  show: (visit) => {
    if (!visit.attempt.account) return go('login');
    if (visit.query.get('gate') !== null) return enter(visit);
    const gate = (name: string) => html`<button type="button" onclick="location.search = '?gate=${name}'">${name}</button>`;
    return {
      title: 'Ledgerly',
      body: card(
        html`<h1>Gates of the lock</h1><p class="lead">The water stands level at both.</p><div class="stack">${gate('Port')}${gate('Starboard')}</div>`,
      ),
    };
  },
};

const blocked: Screen = {
  step: 'next',
  show: (visit) => ({
    title: 'Security alert',
    body: card(
      html`<h1>Security alert</h1><p class="lead">We blocked this sign-in because it looked unusual.</p>`,
      postForm(visit, 'next', submitButton('Yes, it was me')),
      html`<p class="below"><a href="${visit.base}/help">Contact support</a> <a href="${visit.base}/login">Back</a></p>`,
    ),
  }),
  accept: enter,
};

export const interludeScenarios: readonly Scenario[] = [
  {
    ...base,
    name: 'account-picker',
    description: 'After the password: which of the person’s accounts?',
    screens: [
      login,
      choiceScreen({
        step: 'next',
        drawing: 'buttons',
        title: 'Choose an account',
        lead: 'You can change to the other one later.',
        options: () => [
          { value: 'own', label: 'Mara Lind', detail: 'Personal savings' },
          { value: 'joint', label: 'Mara & Jonas Lind', detail: 'Joint savings' },
        ],
        choose: enter,
      }),
    ],
    expected: {
      pauses: [bothFields, picks('Mara & Jonas Lind', account('Mara Lind'), account('Mara & Jonas Lind'))],
      end: 'SUCCESS',
      posts: { login: 1, next: 1 },
    },
  },
  {
    ...base,
    name: 'organization-picker',
    description: 'After the password: for which organization?',
    screens: [
      login,
      choiceScreen({
        step: 'next',
        drawing: 'links',
        title: 'Choose an organization',
        lead: 'You are a member of several organizations.',
        options: (visit) => (visit.attempt.account?.organizations ?? []).map((name, at) => ({ value: String(at), label: name })),
        choose: enter,
      }),
    ],
    expected: {
      pauses: [bothFields, picks('North Pier Logistics', account('Saltmarsh Foods'), account('North Pier Logistics'))],
      end: 'SUCCESS',
      posts: { login: 1 },
    },
  },
  {
    ...base,
    name: 'consent',
    description: 'After the password: allow another company access? Asked of the person (D62)',
    screens: [login, consent],
    expected: {
      pauses: [bothFields, picks('Allow', { type: 'other', label: 'Allow' }, { type: 'other', label: 'Deny' })],
      end: 'SUCCESS',
      posts: { login: 1, next: 1 },
    },
  },
  {
    ...base,
    name: 'stay-signed-in',
    description: '“Stay signed in?” is answered by the service (D62)',
    screens: [login, staySignedIn],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { login: 1, next: 1 } },
  },
  {
    ...base,
    name: 'stay-signed-in-slowly',
    description: '“Stay signed in?” stands there while its script sends the answer, and is not answered again (D41)',
    screens: [login, staySignedInSlowly],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { login: 1, next: 1 } },
  },
  {
    ...base,
    name: 'unknown-step',
    description: 'The right password leads to a step in words of no table, and the login still asks who is there',
    screens: [login, atLock],
    expected: {
      pauses: [bothFields, picks('Starboard', { type: 'other', label: 'Port' }, { type: 'other', label: 'Starboard' })],
      end: 'SUCCESS',
      posts: { login: 1 },
    },
  },
  {
    ...base,
    name: 'forced-password-change',
    description: 'The password has expired: a new one is demanded',
    screens: [login, forcedChange],
    expected: { pauses: [bothFields], end: ['unsupported_auth_method'], posts: { login: 1, next: 0 } },
  },
  {
    ...base,
    name: 'security-question',
    description: 'After the password: a question in words of its own; the first answer is refused',
    screens: [login, question],
    expected: {
      pauses: [
        bothFields,
        asks({ type: 'text', answer: 'unknown' }),
        { ...asks({ type: 'text', answer: 'display-name', reason: 'rejected' }), websiteError: 'That is not the answer you gave us.' },
      ],
      end: 'SUCCESS',
      posts: { login: 1, next: 2 },
    },
  },
  {
    ...base,
    name: 'new-terms',
    description: 'After the password: new terms, with a box to tick and a button. Asked of the person',
    screens: [login, newTerms],
    expected: {
      pauses: [bothFields, picks('Agree and continue', { type: 'other', label: 'Agree and continue' })],
      end: 'SUCCESS',
      posts: { login: 1, next: 1 },
    },
  },
  {
    ...base,
    name: 'blocked-sign-in',
    description: 'After the password: the sign-in is blocked, and a button says whose it was',
    screens: [login, blocked],
    expected: {
      pauses: [
        bothFields,
        {
          ...picks('Yes, it was me', { type: 'other', label: 'Yes, it was me' }),
          websiteError: 'We blocked this sign-in because it looked unusual.',
        },
      ],
      end: 'SUCCESS',
      posts: { login: 1, next: 1 },
    },
  },
];
