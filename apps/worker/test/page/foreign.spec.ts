import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyPage } from '../../src/discovery/classify.js';
import { beforeSending, type PageContext } from '../../src/discovery/verdict.js';
import { box, framed, login, summary, type Expected } from './cases.js';
import { AFTER_PASSWORD, NAMED, PageLab, pageBefore } from './fixture.js';

const CHOSEN: PageContext = { sent: ['choice'], before: pageBefore() };
const AFTER_LOGIN: PageContext = { ...AFTER_PASSWORD, before: pageBefore({ asked: ['username', 'password'], form: 'login' }) };
const phone = '<input type="tel" placeholder="Phone number">';

/** Pages as applications and websites of many countries have them: the name, what is known before, and what is read. */
const PAGES: readonly (readonly [string, string, PageContext | undefined, Expected])[] = [
  [
    'D41: "Resend" does not send a code, though it is the only button',
    `<h1>Enter the code</h1>${[1, 2, 3, 4, 5, 6].map((place) => `<input maxlength="1" inputmode="numeric" aria-label="Digit ${place}">`).join('')}<button>Resend code</button>`,
    AFTER_PASSWORD,
    { kind: 'code', submit: null },
  ],
  [
    'D41: nor does a link that asks something',
    `<h1>Two-Factor Authentication</h1><input autocomplete="one-time-code" aria-label="Code"><a href="#" onclick="return false">Can’t get to your devices?</a>`,
    AFTER_PASSWORD,
    { kind: 'code', submit: null },
  ],
  [
    'D41: "Sign in with password" sends the password beside it',
    `<form>${box('Email', 'email')}${box('Password', 'password')}<button>Sign in with password</button><button>Send sign in code</button></form>`,
    undefined,
    { kind: 'credentials', submit: 'Sign in with password' },
  ],
  [
    'a telephone number below a list of codes to dial, on a page to log in or to join',
    `<h1>Log in or sign up</h1><form><label>Country/Region <select><option>Germany (+49)</option><option>United States (+1)</option></select></label><label>Phone number <input type="tel"></label><button>Continue</button></form>`,
    undefined,
    { kind: 'identifier', fields: ['identifier:Phone number'], submit: 'Continue' },
  ],
  [
    'and below a list of bare codes',
    `<h5>Phone Verification</h5><form><select><option>+880</option><option>+62</option></select>${phone}<button>Send OTP</button></form>`,
    undefined,
    { kind: 'identifier', fields: ['identifier:Phone number'] },
  ],
  [
    'a name and a password above "Register" and a word of no table',
    `<form>${box('Vartotojo vardas', 'text', 'name="user"')}${box('Slaptažodis', 'password')}<button>Prisijunkite</button><button>Registruotis</button></form>`,
    undefined,
    { kind: 'credentials', submit: 'Prisijunkite' },
  ],
  [
    'a password and a PIN',
    `<form>${box('Login', 'text', 'name="login"')}${box('Haslo', 'password', 'name="haslo"')}${box('PIN', 'password')}<button>Dalej</button></form>`,
    undefined,
    { kind: 'credentials', fields: ['identifier:Login', 'password:Haslo', 'password:PIN'] },
  ],
  [
    'the code by which a state knows somebody is a name',
    `<h1>Log in</h1><form>${box('Personal code', 'text')}<button>Log in</button></form>`,
    undefined,
    { kind: 'identifier', fields: ['identifier:Personal code'] },
  ],
  [
    'a name that is handed on by the only button there is',
    `<form><input type="email" placeholder="Work email"><button>Continue with SSO</button></form>`,
    undefined,
    { kind: 'identifier', submit: 'Continue with SSO', choices: [] },
  ],
  [
    'the button of a form whose text is an arrow has the name that it is given',
    `<h1>Log in</h1><form>${box('Customer number', 'text')}<button aria-label="Next">→</button></form>`,
    undefined,
    { kind: 'identifier', submit: 'Next' },
  ],
  [
    'D62: several ways in for different people are asked',
    `<nav><a href="/p">Personal Login</a><a href="/b">Business Login</a></nav><p>A bank.</p>`,
    undefined,
    { kind: 'fork', choices: ['sign_in_method/:Personal Login', 'sign_in_method/:Business Login'] },
  ],
  [
    'D62: one that says no more than that it signs in is the way in',
    `<nav><a href="/p">Login</a><a href="/b">Admin login</a></nav><p>A bank.</p>`,
    undefined,
    { kind: 'landing', entry: 'Login' },
  ],
  [
    'D62: what stands in a list beside a provider, and signs in too',
    `<h1>Select Sign On Option</h1><div><div role="button" tabindex="0">Employee Single Sign-On</div><div role="button" tabindex="0">Native Login - username and password</div></div>`,
    undefined,
    { choices: ['sso_provider/:Employee Single Sign-On', 'sign_in_method/:Native Login - username and password'] },
  ],
  [
    'D62: a provider is not described by the one beside it, and what lies around both is none',
    `<form>${box('Email', 'email')}${box('Password', 'password')}<button>Log in</button><div style="cursor:pointer"><a onclick="1"><div>Sign in with Google</div></a><a onclick="1"><div>Sign in with GitHub</div></a></div></form>`,
    undefined,
    { choices: ['sso_provider/:Sign in with Google', 'sso_provider/:Sign in with GitHub'] },
  ],
  [
    '"entra" is a word of Italian, and no provider',
    `<h1>Accedi</h1>${login('Nome utente', 'Password', 'Accedi')}<button>Entra con SPID</button>`,
    undefined,
    { choices: ['sso_provider/:Entra con SPID'] },
  ],
  [
    'D62: countries to choose from before anything else',
    `<h1>Select your country or region</h1><ul>${['België', 'Danmark', 'Deutschland', 'España', 'France', 'Italia', 'Polska'].map((name) => `<li><a href="/${name}">${name}</a></li>`).join('')}</ul>`,
    undefined,
    { kind: 'fork', choices: ['België', 'Danmark', 'Deutschland', 'España', 'France', 'Italia', 'Polska'].map((name) => `other/:${name}`) },
  ],
  [
    'D43: who has only chosen a country is not signed in',
    `<h1>Better in the app</h1><a href="/app">Open app</a> <a href="/web">Continue in browser</a>`,
    CHOSEN,
    { kind: 'fork' },
  ],
  [
    'D60: the computer, which a login asks about by radio buttons',
    `<h1>Sign in</h1><form><fieldset><legend>Security</legend><label><input type="radio" name="c">This is a public computer</label><label><input type="radio" name="c">This is a private computer</label></fieldset>${box('User name', 'text')}${box('Password', 'password')}<button>Sign in</button></form>`,
    undefined,
    { kind: 'credentials', fields: ['text:Security', 'identifier:User name', 'password:Password'] },
  ],
  [
    'D60: radio buttons of which one is set are left as they are',
    `<h1>Sign in</h1><form><label><input type="radio" name="c" checked>Public</label><label><input type="radio" name="c">Private</label>${box('User name', 'text')}${box('Password', 'password')}<button>Sign in</button></form>`,
    undefined,
    { kind: 'credentials', fields: ['identifier:User name', 'password:Password'] },
  ],
  [
    'D60: an answer is asked for by its question',
    `<h1>Security check</h1><p>Please answer your security question.</p><p><b>What was the name of your first school?</b></p><form>${box('Answer', 'text')}<button>Submit</button></form>`,
    AFTER_PASSWORD,
    { kind: 'question', fields: ['text:What was the name of your first school?'] },
  ],
  [
    'D60: the heading of the page and the links above a box are no names of it',
    `<h1>Sign in</h1><form><input type="email" name="Email"><p><a href="/forgot">Forgot password?</a></p><input type="password"><button>Sign in</button></form>`,
    undefined,
    { fields: ['identifier:Email', 'password:Password'] },
  ],
  [
    'D60: an example of an address is no name of its box',
    `<h1>Sign in</h1><form><p>Enter your email</p><input type="email" placeholder="you@example.com"><button>Send me a code</button></form>`,
    undefined,
    { fields: ['identifier:Enter your email'] },
  ],
  [
    'D60: a list that stands at what it is called after',
    `<h1>Acesso</h1><form>${box('Usuário', 'text')}${box('Senha', 'password')}<select name="orgao"><option value="null">Órgão</option><option value="1">SEAD</option><option value="2">SESAP</option></select><button>Acessar</button></form>`,
    undefined,
    { fields: ['identifier:Usuário', 'password:Senha', 'text:Órgão'] },
  ],
  [
    'D60: the month of a date, called "MM" above its names',
    `<h1>Date of birth</h1><form><label>Month <select><option value="">MM</option><option value="1">January</option><option value="2">February</option></select></label>${box('Last 4 digits of your card', 'text')}<button>Continue</button></form>`,
    AFTER_PASSWORD,
    { fields: ['text:Month', 'text:Last 4 digits of your card'] },
  ],
  [
    'a comment further down is no part of a login',
    `<input placeholder="User name"><input type="password" placeholder="Password"><button>Log in</button><textarea placeholder="Write a comment"></textarea>`,
    undefined,
    { fields: ['identifier:User name', 'password:Password'] },
  ],
  [
    'D41: a one-time password that is hidden as it is typed is a code',
    `<title>Sign in</title><form><p>One-time password: <input type="password" name="answer"></p><button>Continue</button></form>`,
    {
      ...AFTER_PASSWORD,
      before: pageBefore({ asked: ['password'], boxes: ['input password answer   '], plain: ['Password:'], form: 'login' }),
    },
    { kind: 'code', fields: ['code:One-time password'] },
  ],
  [
    'D62: "Yes, sign me up" answers its page and is no way in',
    framed('<h1>Neu: Unser Newsletter</h1><a href="/y">Ja, anmelden</a> <a href="/n">Nein, danke</a>'),
    AFTER_PASSWORD,
    { entry: undefined },
  ],
  [
    'D62: an address that is asked about is no letter to look for',
    `<h1>Check your email</h1><p>Is a***@mail.example still your email address?</p><button>Yes, it is</button><button>Skip</button>`,
    AFTER_PASSWORD,
    { kind: 'fork', choices: ['other/:Yes, it is', 'other/:Skip'] },
  ],
  [
    'D62: ways on beside what is waited for are offered',
    `<h1>Confirm the login in your app</h1><p>Approve the notification on your phone.</p><button>Continue in browser</button>`,
    AFTER_PASSWORD,
    { kind: 'external_wait', choices: ['other/:Continue in browser'] },
  ],
  [
    'D62: what is agreed to by a radio button is chosen so',
    `<h1>Share your information</h1><p>The service would like to access your name and email.</p><form><label><input type="radio" name="a">I agree to share this information</label><label><input type="radio" name="a">I do not agree to share this information</label><button>Continue</button></form>`,
    AFTER_PASSWORD,
    { choices: ['other/:I agree to share this information', 'other/:I do not agree to share this information'] },
  ],
  [
    'D62: an option that is only marked goes with the button that waits for it',
    `<h1>Choose a workspace</h1><ul role="listbox"><li role="option" aria-selected="false">Acme Inc.</li><li role="option" aria-selected="false">Globex</li></ul><button disabled>Continue</button>`,
    AFTER_PASSWORD,
    { kind: 'account_picker', submit: 'Continue', choices: ['account/:Acme Inc.', 'account/:Globex'] },
  ],
  [
    'D62: a box to tick that is a component keeps the one of the browser out of sight',
    `<h1>Privacy</h1><div role="checkbox" tabindex="0" aria-checked="false" aria-labelledby="l"><input type="checkbox" style="display:none"><span id="l">I have read and agree to the privacy statement</span></div><button disabled>Continue</button>`,
    AFTER_PASSWORD,
    { kind: 'fork', choices: ['other/:Continue'] },
  ],
  [
    'D43: who may not come in before a device has left is asked which',
    `<h1>Too many active sessions</h1><p>Sign out of one device to continue.</p><ul><li>Chrome on Windows <button>Sign out</button></li><li>Safari on iPhone <button>Sign out</button></li></ul>`,
    AFTER_PASSWORD,
    { kind: 'fork', choices: ['other/:Chrome on Windows', 'other/:Safari on iPhone'] },
  ],
  [
    'D43: a refusal in a plain sentence among menus, whatever way out is among them',
    `<nav><a href="/a">Status</a><a href="/b">Config</a><a href="/c">Restore</a><a href="/logout">Logout</a></nav><p>Wrong password.</p>`,
    { ...AFTER_LOGIN, before: pageBefore({ asked: ['username', 'password'], form: 'login', offers: ['/logout Logout'] }) },
    { kind: 'error', error: 'Wrong password.' },
  ],
  [
    'D43: a name in a badge of an application is no refusal',
    `${framed('<h2>Orders</h2><a href="/orders/1">Order 1</a><a href="/orders/2">Order 2</a><p><span class="badge error" style="color:#c00">Denied</span></p>')}`,
    { ...AFTER_PASSWORD, before: pageBefore({ form: 'login', asked: ['username', 'password'] }) },
    { error: null },
  ],
  [
    'D62: the host of a website, as a link to its front page, is no way on',
    `<h1>Check your email</h1><p>A sign in link has been sent to your email address.</p><p><a href="/">HOST</a></p>`,
    NAMED,
    { kind: 'external_wait', choices: [] },
  ],
];

/** What looks like one of those and is none. */
const OTHERS: typeof PAGES = [
  ...[
    'Your password will expire in 3 days.',
    'Last unsuccessful login attempt: 29 Nov 2026 11:02.',
    '2 accounts are locked. 1 user is locked out.',
    'We will never ask for your password; invalid requests should be reported.',
  ].map(
    (text) =>
      [
        `D43: what an application tells of passwords and users to somebody who may leave now is no refusal: ${text}`,
        framed(`<h2>Overview</h2><p>${text}</p>`, '<a href="/logout">Log out</a>'),
        AFTER_LOGIN,
        { kind: 'logged_in', error: null },
      ] as const,
  ),
  [
    'D43: what waits for an app is no application, whoever is greeted and may leave',
    `<h1>Hi Jane Roe</h1><p><button>Logout</button> | <button>Methods</button></p><h4>Push Notification</h4><p>A notification has been sent to your smartphone</p>`,
    AFTER_PASSWORD,
    { kind: 'external_wait' },
  ],
  [
    'D43: nor is what demands another password first',
    `<header><a href="/logout">Log out</a></header><main><h1>Your password has expired</h1><a href="/change">Change password</a></main>`,
    AFTER_PASSWORD,
    { kind: 'error', error: 'Your password has expired' },
  ],
  [
    'D62: "Something else" beside a wait is another way',
    `<h1>Verify with Okta Verify</h1><p>We sent a push notification to your device.</p><a href="#" onclick="return false">Verify with something else</a>`,
    AFTER_PASSWORD,
    { kind: 'external_wait', choices: ['mfa_method/switch:Verify with something else'] },
  ],
  [
    'D60: what a wallet is opened with may take several lines',
    `<form><label>Secret recovery phrase <textarea></textarea></label>${box('Password', 'password')}<button>Unlock</button></form>`,
    undefined,
    { fields: ['text:Secret recovery phrase', 'password:Password'] },
  ],
  [
    'D43: "Cancel" of a step is no way out of an application, wherever it leads',
    `<h1>Verify</h1><p>Please wait.</p><a href="/cgi/logout">Cancel</a>`,
    AFTER_PASSWORD,
    { kind: 'unknown' },
  ],
  [
    'D62: a list that is set goes with whichever answer is given, and none is given unasked',
    `<h1>Information release</h1><form><label><input type="radio" name="c">Ask me again at next login</label><label><input type="radio" name="c" checked>Ask me again if it changes</label><button name="r">Reject</button><button name="a">Accept</button></form>`,
    AFTER_PASSWORD,
    { submit: null, choices: ['other/:Reject', 'other/:Accept'] },
  ],
  [
    'D62: a second factor that can be set up later',
    `<h1>Set up 2-Factor</h1><p>Choose one of the following second factors.</p><button>Authenticator App</button><button>Skip</button>`,
    AFTER_PASSWORD,
    { kind: 'method_choice', choices: ['mfa_method/totp:Authenticator App', 'other/:Skip'] },
  ],
  [
    'D43: what holds once somebody is signed in does not say that they are',
    `<h1>Verify</h1><p>Once you are logged in you can change this. Click continue to receive a code.</p><button>Continue</button>`,
    AFTER_PASSWORD,
    { kind: 'fork' },
  ],
  [
    'D62: the way in of a website comes before those for its partners',
    `<header><a href="/account/login">My account</a></header><main><p>Shoes.</p></main><p><a href="/p">Partner login</a></p><p><a href="/a">Affiliate login</a></p>`,
    undefined,
    { kind: 'landing', entry: 'My account' },
  ],
  [
    'D43: two ways out of one page are no two devices',
    `<div><ul><li>Ann <a href="/logout">Log out</a></li></ul></div><div><ul><li>Menu Ann <a href="/logout">Log out</a></li></ul></div>`,
    AFTER_PASSWORD,
    { kind: 'logged_in' },
  ],
  [
    'a letter that has been sent is waited for, whatever is asked about it',
    `<h1>Check your email</h1><p>We sent a link to a***@mail.example. Wrong address?</p><button>Continue</button><button>Not now</button>`,
    NAMED,
    { kind: 'external_wait' },
  ],
  [
    'D62: the accounts of a company for telephones are accounts',
    `<h1>Your phone contracts. Choose an account</h1><ul><li><a href="/1">Contract ****1234</a></li><li><a href="/2">Contract ****5678</a></li></ul>`,
    AFTER_PASSWORD,
    { kind: 'account_picker' },
  ],
  [
    'a form to join, above the way to the login, is none',
    `<h2>Welcome</h2><form>${box('Email', 'email')}${box('Password', 'password')}<button>Sign up</button><button type="button">Choose plan</button></form><p>Already a member? <a href="/login">Log in</a></p>`,
    undefined,
    { kind: 'landing', entry: 'Log in' },
  ],
  [
    'a form to be called back is no login',
    `<header><a href="/login">Log in</a></header><main><h1>We call you back</h1><form><label>Country <select><option>Austria</option><option>Germany</option></select></label>${box('Phone', 'tel')}<button>Continue</button></form></main>`,
    undefined,
    { kind: 'landing', entry: 'Log in' },
  ],
  [
    'nor is one that sells what it is named after',
    `<header><a href="/login">Log in</a></header><main><h1>SSO for enterprises</h1><form><input type="email" placeholder="Work email"><button>Get SSO demo</button></form></main>`,
    undefined,
    { kind: 'landing', entry: 'Log in' },
  ],
  [
    'a code that is called a number only stays one',
    `<h1>Enter your code</h1><p>We sent a code to a***@mail.example.</p><form>${box('Number', 'text', 'name="code" maxlength="6"')}<button>Verify</button></form>`,
    AFTER_PASSWORD,
    { kind: 'code', fields: ['code:Number'] },
  ],
  [
    'a PIN that is repeated is no second secret',
    `<h1>Activate your card</h1><form>${box('Card number', 'text')}${box('PIN', 'password')}${box('Repeat PIN', 'password')}<button>Activate</button></form>`,
    undefined,
    { kind: 'sign_up' },
  ],
  [
    'D60: what has a button of its own goes with that, and how the page is shown with nothing',
    `<h1>Sign in</h1><form><p>Tea or coffee?</p><label><input type="radio" name="q">Tea</label><label><input type="radio" name="q">Coffee</label><button type="button">Vote</button>${box('Email', 'email')}${box('Password', 'password')}<label><input type="radio" name="theme">Light</label><label><input type="radio" name="theme">Dark</label><button>Sign in</button></form>`,
    undefined,
    { fields: ['identifier:Email', 'password:Password'] },
  ],
  [
    'D60: groups of radio buttons have each the name that stands before it',
    `<h1>Sign in</h1><form>${box('Email', 'email')}${box('Password', 'password')}<p>I am <label><input type="radio" name="a">Student</label><label><input type="radio" name="a">Staff</label></p><p>Device <label><input type="radio" name="b">Public</label><label><input type="radio" name="b">Private</label></p><button>Sign in</button></form>`,
    undefined,
    { fields: ['identifier:Email', 'password:Password', 'text:I am', 'text:Device'] },
  ],
  [
    'D62: a way to join beside the way in is no way in for others',
    `<header><a href="/login">Log in to Acme</a><a href="/join">New here? Sign up before you log in</a></header><p>Welcome.</p>`,
    undefined,
    { kind: 'landing', entry: 'Log in to Acme' },
  ],
];

describe('pages that nobody here wrote', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  }, 60_000);
  afterAll(() => lab.close());
  afterEach(() => lab.closeTabs());

  it.each([...PAGES, ...OTHERS])('%s', async (_name, html, context, expected) => {
    const host = new URL(lab.url('/')).host;
    const { verdict } = await lab.look(html.replace('HOST', host), context);
    expect(summary(verdict)).toMatchObject(expected);
  });

  /** The form, and what is said above it when it comes back. */
  const told = async (notice: string): Promise<string | null> => {
    const form = login('Email', 'Password', 'Log in');
    const { snapshot, verdict } = await lab.look(`<h1>Log in</h1>${form}`);
    const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    const { snapshot: back } = await lab.look(`<h1>Log in</h1>${notice}${form}`);
    return classifyPage(back, after).error;
  };

  it.each([
    'Please verify your email address before logging in.',
    'Your account is awaiting approval by an administrator.',
    'Please check your inbox and confirm your e-mail address.',
    'Bitte bestätigen Sie zuerst Ihre Adresse. Wir haben Ihnen einen Link gesendet.',
    'You are already logged in on another device.',
    'We have sent you an email with a link to unlock your account.',
  ])('D58: what is announced over a form with a password that is back is its answer: %s', async (text) => {
    expect(await told(`<div class="alert alert-danger" role="alert">${text}</div>`)).toBe(text);
  });

  it.each(['Check your phone: we sent a push notification. Approve it to go on.', 'We use cookies to improve your experience.'])(
    'D58: or no answer at all: %s',
    async (text) => {
      expect(await told(`<div role="alert">${text}</div>`)).toBe(null);
    },
  );

  it('D58: of two lines in red the one that says what is wrong is told', async () => {
    expect(
      await told(
        '<div><div style="color:#c00">Whoops! Something went wrong.</div><ul style="color:#c00"><li>These credentials are incorrect.</li></ul></div>',
      ),
    ).toBe('These credentials are incorrect.');
  });

  it('D58: a caption in red is no text of a refusal', async () => {
    expect(await told('<style>label { color: #a94442 }</style>')).toBe(null);
  });

  it('D58: of a dialog that asks for something only what is wrong is told', async () => {
    const dialog = (error: string): string =>
      `<div role="dialog" aria-modal="true" class="error"><h2>Enter code</h2><p>Please enter the code to sign in.</p>${box('Code', 'text')}${error}<button>Verify</button></div>`;
    const { verdict } = await lab.look(dialog('<p style="color:#c00">Invalid verification code.</p>'), {
      ...AFTER_PASSWORD,
      sent: ['identifier', 'password', 'code'],
      before: pageBefore({ asked: ['code'], form: 'code' }),
    });
    expect(verdict.error).toBe('Invalid verification code.');
  });

  it('D58: a box over the login that tells of a refusal is cleared away by the only button it has, in any words', async () => {
    const { verdict } = await lab.look(
      `${login('User', 'Password', 'Log in')}<div role="alertdialog" aria-modal="true" style="position:fixed;inset:0;background:#fff"><h2>오류</h2><p>비밀번호가 올바르지 않습니다.</p><input style="display:none"><button>그래요</button></div>`,
      AFTER_LOGIN,
    );
    expect(verdict.dismiss?.label).toBe('그래요');
    expect(verdict.error).toContain('비밀번호가 올바르지 않습니다.');
  });

  it.each(['Reset password', 'Contact support', 'Create account', 'Continue with Google', 'Sign out other devices'])(
    'D62: a button that does something else is not what clears a box away: %s',
    async (button) => {
      const { verdict } = await lab.look(
        `${login('User', 'Password', 'Log in')}<div role="dialog" aria-modal="true" style="position:fixed;inset:0;background:#fff"><p>Wrong password.</p><button>${button}</button></div>`,
        AFTER_LOGIN,
      );
      expect(verdict.dismiss).toBe(null);
    },
  );

  it('D58, D60: what is tied to a box as one more label since it was refused is the refusal, and no name', async () => {
    const form = (more: string): string =>
      `<form><input id="u" placeholder="User"><input id="p" type="password" placeholder="Password">${more}<button>Log in</button></form>`;
    const { snapshot, verdict } = await lab.look(form(''));
    const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    const { verdict: refused } = await lab.look(form('<label class="error" for="p" style="color:#c00">Wrong password</label>'), after);
    expect(summary(refused)).toMatchObject({ fields: ['identifier:User', 'password:Password'], error: 'Wrong password' });
  });

  it('D43: a greeting above a way on is no application while the login still asks who is there', async () => {
    const page = '<h1>Welcome back, Anna</h1><p>You last signed in on Friday.</p><button>Continue to your accounts</button>';
    const { verdict } = await lab.look(page, AFTER_LOGIN);
    expect([verdict.kind, verdict.slight]).toEqual(['logged_in', true]);
    const seen = await lab.look(page, { ...AFTER_LOGIN, loginStands: true });
    expect(summary(seen.verdict)).toMatchObject({ choices: ['other/:Continue to your accounts'] });
    const shell = await lab.look(`<header><a href="/inbox">Inbox</a><a href="/files">Files</a></header>${page}`, AFTER_LOGIN);
    expect(shell.verdict.slight).toBe(false);
  });

  it('what lies in a host without a size is seen, where it is placed by itself', async () => {
    const { verdict } = await lab.look(
      `<div style="height:0;width:0;overflow:hidden"><div style="position:absolute;left:100px;top:100px;width:400px"><h1>Two-factor</h1>${box('Code', 'text')}<button>Verify</button></div></div>`,
      AFTER_PASSWORD,
    );
    expect(summary(verdict)).toMatchObject({ kind: 'code', fields: ['code:Code'] });
    const cut = await lab.look(
      `<div style="height:0;width:0;overflow:hidden"><div>${box('Code', 'text')}<button>Verify</button></div></div>`,
    );
    expect(cut.verdict.fields).toEqual([]);
  });

  it('D41: a radio button is set by its name, and the form is sent with it', async () => {
    const { page, raw, verdict } = await lab.look(
      `<form><label><input type="radio" name="c" value="1">Public</label><label><input type="radio" name="c" value="2">Private</label>${box('User name', 'text', 'name="u"')}${box('Password', 'password', 'name="p"')}<button>Sign in</button></form><script>document.forms[0].onsubmit = (event) => { event.preventDefault(); document.title = new FormData(event.target).get('c') }</script>`,
    );
    const values = ['Private', 'ada', 'open sesame'];
    const fills = verdict.fields.map(({ handles }, place) => ({ handles, value: values[place] ?? '', oneTime: false }));
    expect(await page.fillAndSubmit(fills, verdict.submit?.handle ?? null)).toEqual({ kind: 'done' });
    await raw.waitForFunction(() => document.title === '2');
  });
});
