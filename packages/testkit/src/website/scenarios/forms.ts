import { secretsEqual } from '../accounts.js';
import { html, type Html } from '../html.js';
import { card, errorText } from '../layout.js';
import type { Scenario } from '../scenario.js';
import { go, reject, signedIn, type Screen, type Visit } from '../screen.js';
import { identifierScreen, judgeBoth, onePageForm, onePageLogin, onwardTo, passwordScreen } from '../screens/credentials.js';
import { helpfulMarkup, inputField, passwordField, postForm, submitButton } from '../screens/form.js';
import { boats } from '../screens/product.js';
import { again, asks, bothFields, finish, identifier, password, twoSteps, wrongPassword } from './shorthand.js';

const twoStepScreens = [identifierScreen({ onward: onwardTo('password') }), passwordScreen({ onward: finish })];

// An access code for the whole site first, as staging and wholesale sites have: the password box is alone on the first page.
const passwordBeforeIdentifier: readonly Screen[] = [
  {
    step: 'login',
    show: (visit) => ({
      title: 'Sign in',
      body: card(
        html`<h1>Sign in to Tidewater</h1><p class="lead">Enter your password to begin.</p>`,
        postForm(visit, 'login', passwordField(visit, helpfulMarkup), submitButton('Continue')),
      ),
    }),
    accept: (visit, form) => {
      visit.attempt.notes.set('password', form['password'] ?? '');
      return go('who');
    },
  },
  {
    step: 'who',
    show: (visit) => ({
      title: 'Sign in',
      body: card(
        html`<h1>Who is signing in?</h1>`,
        postForm(
          visit,
          'who',
          inputField({ name: 'username', label: 'Email or username', autocomplete: 'username' }),
          submitButton('Sign in'),
        ),
      ),
    }),
    accept: (visit, form) => {
      const account = visit.findAccount(form['username'] ?? '');
      const typed = visit.attempt.notes.get('password') ?? '';
      return account && secretsEqual(typed, account.password) ? signedIn(account) : reject(visit.words.wrongCredentials);
    },
  },
];

// No password: a name and something else that is known.
const byAnswer: Screen = {
  step: 'login',
  show: (visit) => ({
    title: visit.words.signIn,
    layout: 'bare',
    body: card(
      html`<h1>${visit.words.signInTitle}</h1>`,
      postForm(
        visit,
        'login',
        inputField({ name: 'username', label: visit.words.identifier }),
        inputField({ name: 'friends', label: 'What do your friends call you?' }),
        submitButton(visit.words.signIn),
      ),
    ),
  }),
  accept: (visit, form) => {
    const account = visit.findAccount(form['username'] ?? '');
    return account !== undefined && form['friends'] === account.displayName
      ? signedIn(account, 'boats')
      : reject(visit.words.wrongCredentials);
  },
};

/** A first step that takes nothing but an address, and asks no server about it. */
const addressStep = (type: 'text' | 'email', button: (words: Visit['words']) => Html, script?: Html): Screen => ({
  ...identifierScreen({ onward: onwardTo('password') }),
  show: (visit) => ({
    title: visit.words.signIn,
    body: card(
      html`<h1>${visit.words.signInTitle}</h1>`,
      postForm(visit, 'login', inputField({ name: 'username', label: visit.words.identifier, type }), button(visit.words)),
    ),
    ...(script && { script }),
  }),
});

// Nothing but an address unlocks the button, as frameworks that know whether their form is valid have it.
const guardedIdentifier = addressStep(
  'text',
  ({ next }) => html`<p id="said"></p><button id="go" class="full" disabled>${next}</button>`,
  html`
const [box, said, go] = ['username', 'said', 'go'].map((id) => document.getElementById(id));
box.oninput = () => {
  go.disabled = !box.value.includes('@');
  said.textContent = go.disabled ? 'Please enter a valid e-mail address.' : '';
};`,
);

/** The page checks nothing itself: what is no address, the browser does not send. */
const checkedIdentifier = addressStep('email', ({ next }) => html`<button class="full">${next}</button>`);

// After three wrong passwords the form is gone; only the text is left.
const lockingLogin: Screen = (() => {
  const open = onePageLogin({ onward: finish });
  const locked = (failures: number | undefined): boolean => (failures ?? 0) >= 3;
  return {
    ...open,
    show: (visit) =>
      locked(visit.attempt.failures.get('password'))
        ? { title: 'Locked', body: card(html`<h1>${visit.words.signInTitle}</h1>`, errorText(visit.words.locked)) }
        : open.show(visit),
  };
})();

const kinds = {
  email: { label: 'Email address', type: 'email', autocomplete: 'email' },
  phone: { label: 'Mobile number', type: 'tel', autocomplete: 'tel' },
  username: { label: 'Username', type: 'text', autocomplete: 'username' },
} as const;

const chooseIdentifier: readonly Screen[] = [
  {
    step: 'login',
    show: ({ base }) => ({
      title: 'Sign in',
      body: card(html`<h1>Sign in to Tidewater</h1><p class="lead">How would you like to identify yourself?</p>
        <ul class="options">${Object.entries({ email: 'Use email address', phone: 'Use mobile number', username: 'Use username' }).map(([kind, label]) => html`<li><a class="option" href="${base}/identify-${kind}"><b>${label}</b></a></li>`)}</ul>`),
    }),
  },
  ...Object.entries(kinds).map(([kind, input]): Screen => {
    const step = `identify-${kind}`;
    return {
      step,
      show: (visit) => ({
        title: 'Sign in',
        body: card(html`<h1>Sign in to Tidewater</h1>`, postForm(visit, step, inputField({ name: 'who', ...input }), submitButton('Next'))),
      }),
      accept: (visit, form) => {
        const account = visit.findAccount(form['who'] ?? '');
        if (!account) return reject(visit.words.unknownAccount);
        visit.attempt.account = account;
        return go('password');
      },
    };
  }),
  passwordScreen({ onward: finish }),
];

const rejectedOnce = 'The email or password you entered is incorrect.';

// Customers have a part of the website each, and it is asked for before anybody says who they are.
const workspaceFirst: Screen = {
  step: 'login',
  show: (visit) => ({
    title: 'Tidewater for teams',
    body: card(
      html`<h1>Sign in to your workspace</h1>`,
      postForm(visit, 'login', inputField({ name: 'workspace', label: 'Workspace' }), submitButton('Continue')),
    ),
  }),
  accept: (_visit, form) => (form['workspace'] === 'south-quay' ? go('team') : reject('There is no such workspace.')),
};

// Which branch one belongs to is chosen beside name and password; the language of the page is no question.
const branchBeside: Screen = {
  step: 'login',
  show: (visit) => ({
    title: visit.words.signIn,
    body: card(
      html`<h1>${visit.words.signInTitle}</h1>`,
      onePageForm(
        visit,
        'login',
        undefined,
        html`<label for="branch">Branch</label><select id="branch" name="branch"><option value="">Please choose</option><option value="n">North Quay</option><option value="s">South Quay</option></select>
          <label for="lang">Language</label><select id="lang" name="lang"><option>English</option><option>Deutsch</option></select>`,
      ),
    ),
  }),
  accept: (visit, form) => (form['branch'] === 's' ? judgeBoth(visit, form, finish) : reject('Your account is not held at that branch.')),
};

export const formScenarios: readonly Scenario[] = [
  {
    name: 'one-page',
    family: 'forms',
    description: 'Identifier and password in one form',
    language: 'en',
    start: '/login',
    screens: [onePageLogin({ onward: finish })],
    expected: { pauses: [bothFields], end: 'SUCCESS', posts: { login: 1 } },
  },
  {
    name: 'identifier-first',
    family: 'forms',
    description: 'Identifier page, then password page',
    language: 'en',
    start: '/login',
    screens: twoStepScreens,
    expected: { pauses: twoSteps, end: 'SUCCESS', posts: { login: 1, password: 1 } },
  },
  {
    name: 'no-password',
    family: 'forms',
    description: 'A name and an answer to a question are all there is to sign in with',
    language: 'en',
    start: '/login',
    screens: [byAnswer, boats],
    expected: { pauses: [asks(identifier(), { type: 'text', answer: 'display-name' })], end: 'SUCCESS', posts: { login: 1 } },
  },
  {
    name: 'wrong-password',
    family: 'forms',
    description: 'One form; the first password is refused with a text, the second is right',
    language: 'en',
    start: '/login',
    screens: [onePageLogin({ onward: finish })],
    expected: {
      pauses: [asks(identifier(), wrongPassword), { ...asks(again(identifier()), again(password)), websiteError: rejectedOnce }],
      end: 'SUCCESS',
      posts: { login: 2 },
    },
  },
  {
    name: 'password-rejected-first',
    family: 'forms',
    description: 'Two pages; the first password is refused, only the password is asked again',
    language: 'en',
    start: '/login',
    screens: twoStepScreens,
    expected: {
      pauses: [asks(identifier()), asks(wrongPassword), { ...asks(again(password)), websiteError: 'That password is incorrect.' }],
      end: 'SUCCESS',
      posts: { login: 1, password: 2 },
    },
  },
  {
    name: 'unknown-identifier',
    family: 'forms',
    description: 'The identifier page refuses an unknown name',
    language: 'en',
    start: '/login',
    screens: twoStepScreens,
    expected: {
      pauses: [asks(identifier('unknown')), { ...asks(again(identifier())), websiteError: 'We couldn’t find an account' }, asks(password)],
      end: 'SUCCESS',
      posts: { login: 2, password: 1 },
    },
  },
  {
    name: 'password-before-identifier',
    family: 'forms',
    description: 'A lone password box on the first page, the name on the second',
    language: 'en',
    start: '/login',
    screens: passwordBeforeIdentifier,
    expected: { pauses: [asks(password), asks(identifier())], end: 'SUCCESS' },
  },
  {
    name: 'never-right',
    family: 'forms',
    description: 'Every password is refused with a text; the third rejection is the end (D43)',
    language: 'en',
    start: '/login',
    screens: [onePageLogin({ onward: finish })],
    expected: {
      pauses: [
        asks(identifier(), wrongPassword),
        { ...asks(again(identifier()), again(wrongPassword)), websiteError: rejectedOnce, repeats: true },
      ],
      end: ['credentials_invalid'],
      posts: { login: 3 },
    },
  },
  {
    name: 'locked-button',
    family: 'forms',
    description: 'A name that is no address keeps the button locked: the page says so, however often it is given, and nothing is sent',
    language: 'en',
    start: '/login',
    screens: [guardedIdentifier, passwordScreen({ onward: finish })],
    expected: {
      pauses: [
        { ...asks(identifier()), unsent: true },
        { ...asks(again(identifier())), unsent: true, websiteError: 'Please enter a valid e-mail address.' },
        { ...asks(again(identifier())), unsent: true, websiteError: 'Please enter a valid e-mail address.' },
        { ...asks(again(identifier('email'))), websiteError: 'Please enter a valid e-mail address.' },
        asks(password),
      ],
      end: 'SUCCESS',
      posts: { login: 1, password: 1 },
    },
  },
  {
    name: 'checked-by-browser',
    family: 'forms',
    description: 'A name that is no address is refused by the browser: what it says is told, and nothing is sent',
    language: 'en',
    start: '/login',
    screens: [checkedIdentifier, passwordScreen({ onward: finish })],
    expected: {
      pauses: [
        { ...asks(identifier('unknown')), unsent: true },
        { ...asks(again(identifier('email'))), websiteError: "include an '@' in the email address", byBrowser: true },
        asks(password),
      ],
      end: 'SUCCESS',
      posts: { login: 1, password: 1 },
    },
  },
  {
    name: 'lockout',
    family: 'forms',
    description: 'The third wrong password locks the account: a text and no form',
    language: 'en',
    start: '/login',
    screens: [lockingLogin],
    expected: {
      pauses: [asks(identifier(), wrongPassword), { ...asks(again(identifier()), again(wrongPassword)), repeats: true }],
      end: ['credentials_invalid'],
      posts: { login: 3 },
    },
  },
  {
    name: 'choose-identifier',
    family: 'forms',
    description: 'Choose how to identify: e-mail, phone or user name',
    language: 'en',
    start: '/login',
    screens: chooseIdentifier,
    expected: {
      pauses: [
        {
          pick: 'Use mobile number',
          choices: ['Use email address', 'Use mobile number', 'Use username'].map((label) => ({ type: 'identifier_method', label })),
        },
        asks(identifier('phone')),
        asks(password),
      ],
      end: 'SUCCESS',
    },
  },
  {
    name: 'workspace-first',
    family: 'forms',
    language: 'en',
    start: '/login',
    description: 'For whom it is is asked before who comes',
    screens: [workspaceFirst, onePageLogin({ step: 'team', onward: finish })],
    expected: { pauses: [asks({ type: 'text', answer: 'workspace' }), bothFields], end: 'SUCCESS', posts: { login: 1, team: 1 } },
  },
  {
    name: 'branch-list',
    family: 'forms',
    language: 'en',
    start: '/login',
    description: 'A list beside name and password from which the right branch must be chosen',
    screens: [branchBeside],
    expected: { pauses: [asks(identifier(), password, { type: 'text', answer: 'branch' })], end: 'SUCCESS', posts: { login: 1 } },
  },
];
