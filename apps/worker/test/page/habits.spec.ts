import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { marksOf, type PageContext } from '../../src/discovery/verdict.js';
import { box, summary, type Expected } from './cases.js';
import { AFTER_PASSWORD, NAMED, PageLab, pageBefore } from './fixture.js';

let lab: PageLab;
beforeAll(async () => {
  lab = await PageLab.open();
}, 60_000);
afterAll(() => lab.close());
afterEach(() => lab.closeTabs());

/** A caption that its website draws into the box from behind it. */
const floating = (type: string, caption: string): string =>
  `<div class="row"><div style="position:relative"><input type="${type}" style="width:300px;height:50px"><span aria-hidden="true" style="position:absolute;left:10px;top:15px">${caption}</span></div></div>`;

const SIX = [1, 2, 3, 4, 5, 6];
const split = (label: (place: number) => string): string =>
  SIX.map((place) => `<input inputmode="numeric" maxlength="1" style="width:30px" aria-label="${label(place)}">`).join('');

const AFTER_CODE: PageContext = { sent: ['identifier', 'password', 'code'], before: pageBefore({ asked: ['code'], form: 'code' }) };

/** Pages as large websites have them: the name, what is known before, and what is read. */
const PAGES: readonly (readonly [string, string, PageContext | undefined, Expected])[] = [
  [
    'D60: the options of a list stand under what heads their part of it: one number to text and to call',
    `<h1>We don’t recognize this device</h1><p>Tell us how you'd like to get your code.</p><form><label>How <select><option value="">Choose one</option><optgroup label="TEXT ME"><option>xxx-xxx-3342</option></optgroup><optgroup label="CALL ME"><option>xxx-xxx-3342</option><option>xxx-xxx-9018</option></optgroup></select></label><button>Next</button></form>`,
    AFTER_PASSWORD,
    {
      kind: 'method_choice',
      choices: ['mfa_method/sms:xxx-xxx-3342', 'mfa_method/call:xxx-xxx-3342', 'mfa_method/call:xxx-xxx-9018'],
      error: null,
    },
  ],
  [
    'D62: numbers to be called at, below what says so, are a factor and no accounts',
    `<h1>Confirm it's you</h1><p>We need to call you to confirm it's you.</p><h2>Choose a phone number</h2><form><label><input type="radio" name="n">Mobile *****678</label><label><input type="radio" name="n">Home *****112</label><button>Call me now</button></form><a href="/n">My number isn't listed</a>`,
    AFTER_PASSWORD,
    { kind: 'method_choice', choices: ['mfa_method/call:Mobile *****678', 'mfa_method/call:Home *****112'] },
  ],
  [
    'D41: a code that is asked for with the password once more is no name',
    `<h1>Sign in</h1><form>${box('Identification code', 'text')}${box('Password', 'password')}<button>Next</button></form>`,
    AFTER_PASSWORD,
    { fields: ['code:Identification code', 'password:Password'] },
  ],
  [
    'D41: a box that its author calls a one-time code is no name beside a password',
    `<h1>Sign in</h1><form>${box('Login code', 'text', 'autocomplete="one-time-code"')}${box('Two-factor password', 'password')}<button>Confirm</button></form>`,
    undefined,
    { fields: ['code:Login code', 'password:Two-factor password'] },
  ],
  [
    'D62: the name of the website in its head is no provider',
    `<header><a href="#">yandex</a></header><main><h1>Вход без пароля</h1><button>Включить</button><button>Не сейчас</button></main>`,
    AFTER_PASSWORD,
    { kind: 'fork', choices: ['other/:Включить', 'other/:Не сейчас'] },
  ],
  [
    'D62: "Who is there?" above names, in words of no heading for accounts',
    `<h1>Quem está acessando?</h1><p><a href="#">ANNA B SILVA</a></p><p><a href="#">BEN C SILVA</a></p>`,
    NAMED,
    { kind: 'account_picker', choices: ['account/:ANNA B SILVA', 'account/:BEN C SILVA'] },
  ],
  [
    'D62: organizations to choose from below a plain text, beside a way out',
    `<div>Select an Organization</div><div>Choose an organization to continue</div><button><div>Acme Corp</div><div>#12</div></button><button><div>Globex</div><div>#13</div></button><button>Log out</button>`,
    AFTER_PASSWORD,
    { kind: 'account_picker', choices: ['account/:Acme Corp', 'account/:Globex'] },
  ],
  [
    'D58: that somebody is signed in already is no refusal',
    `<nav><a href="/seen">Seen</a></nav><p>Du bist bereits angemeldet!</p>`,
    AFTER_PASSWORD,
    { kind: 'logged_in', error: null },
  ],
  [
    'D58: a greeting and one way on, to somebody called Anna, is no refusal',
    `<h1>Welcome back Anna</h1><p>You last signed in on 28 November 2026 at 09:14.</p><h2>Have you got the app?</h2><p>Bank on the go with our mobile app.</p><button>Continue to your accounts</button>`,
    { ...AFTER_PASSWORD, sent: ['identifier', 'password', 'external'] },
    { error: null },
  ],
  [
    'D43: a page that says to wait, and on which nothing can be done, tells why',
    `<h2>Bitte melden Sie sich an!</h2><p>Zu viele Fehlversuche. Bitte warten Sie noch 42 Sekunden.</p>`,
    AFTER_PASSWORD,
    { kind: 'error', error: 'Bitte melden Sie sich an! Zu viele Fehlversuche.' },
  ],
  [
    'D60: the key of an authenticator is no name for the box below it',
    `<h1>Turn on two-factor authentication</h1><p>Scan the QR code with your authenticator app or enter the setup key:</p><p><code>JBSW Y3DP EHPK 3PXP</code></p><form><input name="otp" inputmode="numeric" autocomplete="one-time-code"><button>Turn on</button></form>`,
    AFTER_PASSWORD,
    { fields: ['totp_code:Code'] },
  ],
  [
    'D60: a name that only its box tells the kind of',
    `<form action="/login"><input type="email" name="Email"><input type="password" name="Password"><button>Go</button></form>`,
    undefined,
    { fields: ['identifier:Email', 'password:Password'] },
  ],
  [
    'D60: the code of a second factor beside the password, which nothing but its name tells of',
    `<h1>Sign in</h1><form><input name="username" placeholder="Username"><input type="password" name="password"><input name="2facode"><button>Login</button></form>`,
    undefined,
    { fields: ['identifier:Username', 'password:Password', 'code:Code'] },
  ],
  [
    'D60: captions that float in their boxes name each its own',
    `<h1>Sign in to your account</h1>${floating('text', 'Email or phone number')}${floating('password', 'Passcode word')}<button>Continue</button>`,
    undefined,
    { fields: ['identifier:Email or phone number', 'password:Passcode word'] },
  ],
  [
    'D60: a "Show" at the end of a box is no caption of it',
    `<h1>Sign in</h1><form>${box('Email', 'email')}<p>Password</p><div style="position:relative"><input type="password" style="width:300px;height:40px"><span style="position:absolute;left:250px;top:10px">Show</span></div><button>Sign in</button></form>`,
    undefined,
    { fields: ['identifier:Email', 'password:Password'] },
  ],
  [
    'D62: a way that stands below the boxes of a code is offered, and does not send them',
    `<h1>Enter the 6-digit code sent to you at j***@mail.example</h1><form>${split((place) => `${place}/6`)}<button type="button">Resend code</button><button type="button">Log in with a password</button></form>`,
    NAMED,
    { kind: 'code', submit: null, choices: ['auth_method/password:Log in with a password'] },
  ],
  [
    'D44: a login code that is asked for below the name is a code, and nothing to be kept',
    `<form><p><label>Email <input type="email" autocomplete="username" value="j@mail.example"></label></p><p>We just sent you a temporary login code. Please check your inbox.</p><p><label>Login code <input placeholder="Paste login code"></label></p><button>Continue with login code</button></form>`,
    NAMED,
    { fields: ['identifier:Email', 'code:Login code'] },
  ],
  [
    'D43: and stays one when it comes back refused',
    `<form><p><label>Email <input type="email" autocomplete="username" value="j@mail.example"></label></p><p><label>Login code <input placeholder="Paste login code" value="no"></label></p><p role="alert">Your login code was incorrect.</p><button>Continue with login code</button></form>`,
    {
      ...NAMED,
      before: pageBefore({
        asked: ['username', 'code'],
        boxes: ['input email  Email  ', 'input text  Login code  Paste login code'],
        form: 'login',
      }),
    },
    { fields: ['identifier:Email', 'code:Login code'], error: 'Your login code was incorrect.' },
  ],
  [
    'D58: where to look for a code that has not come is no refusal',
    `<h1>Check your email for a code</h1><p>We’ve sent a 6-character code to <b>j@mail.example</b>.</p><form>${split((place) => `digit ${place} of 6`)}</form><p>Can’t find your code? Check your spam folder!</p>`,
    NAMED,
    { kind: 'code', error: null },
  ],
  [
    'D58: an announced "check the code and try again" is a refusal, though it speaks of a code that was sent',
    `<h2>Enter security code</h2><form><label>Security code <input inputmode="numeric" maxlength="8"></label><button>Confirm</button></form><p role="alert">Please check the code we sent you and try again.</p>`,
    AFTER_CODE,
    { kind: 'code', error: 'Please check the code we sent you and try again.' },
  ],
  [
    'D58: a dash before a refusal is no part of it',
    `<form>${box('Email', 'email')}${box('Password', 'password')}<button>Log in</button></form><div class="error">– Login or password is invalid.</div>`,
    AFTER_PASSWORD,
    { error: 'Login or password is invalid.' },
  ],
  [
    'D62: a login that may be kept is kept, whatever its website calls it',
    '<main><h2>Save your login info?</h2><p>We can save your login info on this browser.</p><button>Save info</button><div role="button" tabindex="0">Not now</div></main>',
    AFTER_PASSWORD,
    { kind: 'stay_signed_in', submit: 'Save info' },
  ],
  [
    'D62: and where the button says no more than the heading',
    '<main><h1>Stay logged in for faster purchases</h1><button>Stay Logged In</button><a role="button" href="/no">Not Now</a></main>',
    AFTER_PASSWORD,
    { kind: 'stay_signed_in', submit: 'Stay Logged In' },
  ],
  [
    'D62: a code to scan is a way of its own, not one by e-mail, and has nothing of the other ways in it',
    '<h2>Log in</h2><div><div role="link" tabindex="0">Use QR code</div><div role="link" tabindex="0">Use phone / email / username</div><div role="link" tabindex="0">Continue with Facebook</div></div>',
    undefined,
    { choices: ['sso_provider/:Continue with Facebook', 'auth_method/other:Use QR code', 'sign_in_method/:Use phone / email / username'] },
  ],
  [
    'D60: the editor of an application is none of the boxes of a login',
    '<nav><button>Search</button><button>Home</button></nav><main><h2># general</h2><div role="textbox" contenteditable="true" aria-label="Message to general"></div><button disabled aria-label="Send now">Send</button></main>',
    AFTER_PASSWORD,
    { fields: [] },
  ],
  [
    'an "Exit" that leads to the login is no way in',
    '<header><a href="/transfer">Transfers</a><a href="/search">Search</a><a href="/login">Exit</a></header><table><tr><td>2</td></tr></table>',
    AFTER_PASSWORD,
    { entry: undefined },
  ],
];

const folded = (top: string, ...places: string[]): string =>
  `<li><a href="#">${top}</a><ul style="display:none">${places.map((place) => `<li><a href="${place}">${place.slice(1)}</a></li>`).join('')}</ul></li>`;
const SHUT_MENUS = `<nav><ul>${folded('Computers', '/all', '/new')}${folded('Inventory', '/parts', '/orders')}${folded('Me', '/account', '/logout')}</ul></nav>`;
const toast = (text: string): string => `<li tabindex="0" data-type="error"><div>${text}</div></li>`;

/** As applications and libraries of components have them. */
const PARTS: readonly (readonly [string, string, PageContext | undefined, Expected])[] = [
  [
    'an alert of the application among menus that open when they are pressed is no refusal',
    `${SHUT_MENUS}<div role="alert">Security alert! The file install.php still exists.</div><h3>My dashboard</h3><p><a href="/r1">Report one</a></p>`,
    AFTER_PASSWORD,
    { kind: 'logged_in' },
  ],
  [
    'the same menus, shut, around the login as well are no sign of anybody',
    `${SHUT_MENUS}<div role="alert">Your licence has run out.</div>`,
    { ...AFTER_PASSWORD, before: pageBefore({ folded: ['/all', '/new', '/parts', '/orders', '/account', '/logout'] }) },
    { kind: 'error' },
  ],
  [
    'D62: a notice that keys can reach is no way',
    `<h1>Sign in</h1><form>${box('Email code', 'text', 'autocomplete="one-time-code"')}<button>Verify code</button></form><section aria-live="polite"><ol><li tabindex="0">Please check your email for the verification code.</li></ol></section>`,
    NAMED,
    { kind: 'code', choices: [], error: null },
  ],
  [
    'D58: of a list of notices each is read by itself',
    `<form>${box('Code', 'text', 'autocomplete="one-time-code"')}<button>Verify</button></form><section aria-live="polite"><ol>${toast('Invalid code.')}${toast('We sent a code to j@mail.example.')}</ol></section>`,
    AFTER_CODE,
    { error: 'Invalid code.' },
  ],
  [
    'D58: so it is where nothing announces the place of the notices',
    `<form>${box('Code', 'text', 'autocomplete="one-time-code"')}<button>Verify</button></form><div role="region" aria-label="Notifications (F8)"><ol>${toast('Invalid code.')}</ol></div>`,
    AFTER_CODE,
    { error: 'Invalid code.' },
  ],
  [
    'D58: the bars that count a notice down make no stack of it',
    `<form>${box('Email', 'email')}${box('Password', 'password')}<button>Log in</button></form><div class="toast" role="alert">Wrong username or password<div class="toast-bar light"></div><div class="toast-bar light"></div></div>`,
    AFTER_PASSWORD,
    { error: 'Wrong username or password' },
  ],
  [
    'D58: "Error!" in a place of its own takes along what stands below it',
    '<h2 class="error">Error!</h2><p>Incorrect password!</p>',
    AFTER_PASSWORD,
    { kind: 'error', error: 'Error! Incorrect password!' },
  ],
  [
    'D62: "Password" among the ways of a page that asks for one is a way',
    '<h1>Welcome back</h1><p>How do you want to sign in?</p><button>Password</button><button>Email code</button><button>Passkey</button>',
    undefined,
    { kind: 'method_choice', choices: ['auth_method/password:Password', 'auth_method/email:Email code', 'auth_method/passkey:Passkey'] },
  ],
  [
    'D62: so are the other items of the list that a known way stands in',
    '<h1>How do you want to sign in?</h1><ul><li><a href="/app">With the Harbour app</a></li><li><a href="/sms">With a text message</a></li><li><a href="/card">With my identity card</a></li></ul>',
    NAMED,
    {
      choices: ['auth_method/other:With the Harbour app', 'auth_method/sms:With a text message', 'auth_method/other:With my identity card'],
    },
  ],
  [
    'D62: the website itself is no provider of its own',
    `<title>Log in - Shopify</title><a href="/"><img alt="Log in to Shopify" width="90" height="30"></a><form>${box('Email', 'email')}<button>Continue</button></form>`,
    undefined,
    { choices: [] },
  ],
  [
    'D62: a work or school account is one of the accounts to choose from',
    '<h1>Select an account</h1><div><button>Personal account</button><button>Company or school account</button></div>',
    NAMED,
    { kind: 'account_picker', choices: ['account/:Personal account', 'account/:Company or school account'] },
  ],
  [
    'D60: a number and a code below tabs are asked for one after the other',
    `<form class="login"><div role="button" tabindex="0" class="Flow-tab">验证码登录</div><div role="button" tabindex="0" class="Flow-tab">密码登录</div><input type="tel" name="username" placeholder="手机号"><input type="number" name="digits" placeholder="输入 6 位短信验证码"><button type="button">获取短信验证码</button><button type="submit">登录/注册</button></form>`,
    undefined,
    { kind: 'identifier', fields: ['identifier:手机号'], submit: '获取短信验证码' },
  ],
  [
    'D60: a link on the line of a caption is no caption',
    `<form><div><b>Email</b> <a href="/phone">Use a phone number</a></div><div><input type="email" autocomplete="email"></div>${box('Password', 'password')}<button>Log in</button></form>`,
    undefined,
    { fields: ['identifier:Email', 'password:Password'] },
  ],
  [
    'more that is required is a step where there is a way on, and no failure',
    '<form><h2>More information required</h2><p>Your organization needs more information.</p><a href="/other">Use a different account</a><a href="/later">Skip for now (14 days until this is required)</a><button>Next</button></form>',
    AFTER_PASSWORD,
    {
      kind: 'fork',
      error: null,
      choices: ['account/:Use a different account', 'other/:Skip for now (14 days until this is required)', 'other/:Next'],
    },
  ],
  [
    'of two links what stands beside "not now" is offered with it',
    '<div><h2>A new device</h2><p>Is it one that you use often?</p><a href="/home?x">Not now</a><a href="/home">Put it on the list</a></div>',
    { ...AFTER_PASSWORD, loginStands: true },
    { kind: 'fork', choices: ['other/:Not now', 'other/:Put it on the list'] },
  ],
];

/** Approvals on another device in no phrase of the tables. */
const APPROVALS: readonly (readonly [string, string, string | null])[] = [
  ['en', '<h1>Check the Harbour app</h1><p>Open the Harbour banking app and accept the pending sign-in.</p>', null],
  [
    'en',
    '<h1>Enter code in Duo Mobile</h1><p>Verify it’s you by entering this verification code in the Duo Mobile app…</p><p>654</p>',
    '654',
  ],
  ['ja', '<h1>本人確認</h1><p>スマートフォンのLINEアプリで、以下の認証番号を入力してください。</p><p>4821</p>', '4821'],
  ['de', '<h1>Fast geschafft</h1><p>Geben Sie die Anmeldung nun in Ihrer Banking-App frei.</p>', null],
];

describe('habits of large websites', () => {
  it.each(PARTS)('%s', async (_name, html, context, expected) => {
    const { verdict } = await lab.look(html, context);
    expect(summary(verdict)).toMatchObject(expected);
  });

  it.each(APPROVALS)('D62: an approval elsewhere is waited for in whatever words, in %s: %s', async (_language, html, number) => {
    const { verdict } = await lab.look(html, { ...AFTER_PASSWORD, loginStands: true });
    expect(verdict).toMatchObject({ kind: 'external_wait', externalAction: { kind: 'push', number } });
  });

  it('D43: a warning of attempts that are left is no lock', async () => {
    const { verdict } = await lab.look(
      `<form>${box('Code', 'text', 'autocomplete="one-time-code"')}<button>Verify</button></form><p role="alert">Invalid code. 5 attempts remaining before your account is temporarily locked.</p>`,
      AFTER_CODE,
    );
    expect(verdict).toMatchObject({ kind: 'code', lockedOut: false });
  });

  it('a wall of cookies in a component covers what lies below it', async () => {
    const { verdict } = await lab.look(
      `<div id="wall"></div><main><h1>Sign in</h1><form>${box('Email', 'email')}${box('Password', 'password')}<button>Log in</button></form></main><script>
        document.getElementById('wall').attachShadow({ mode: 'open' }).innerHTML =
          '<div style="position:fixed;inset:0;background:#0008;z-index:9"><div role="dialog"><h2>Privacy</h2><p>We use cookies.</p><button>Reject</button><button>Accept all</button></div></div>';
      </script>`,
    );
    expect(verdict.dismiss?.label).toBe('Reject');
  });

  it.each(PAGES)('%s', async (_name, html, context, expected) => {
    const { verdict } = await lab.look(html, context);
    expect(summary(verdict)).toMatchObject(expected);
  });

  it('D60: an answer that is ready for a box and hidden is no hint of it', async () => {
    const { verdict } = await lab.look(
      '<h1>Log in</h1><form><p><label>Email <input type="email" aria-describedby="said"></label><span id="said"><span hidden>Required</span></span></p><p><label>Password <input type="password" aria-describedby="about"></label><span id="about">At least 12 characters</span></p><button>Log in</button></form>',
    );
    expect(verdict.fields.map(({ hint }) => hint)).toEqual([null, 'At least 12 characters']);
  });

  it('D60: a heading and a refusal that describe a box are no hint of it', async () => {
    const { verdict } = await lab.look(
      '<h1 id="head">Sign in</h1><form><p id="bad" role="alert">We couldn’t find that account.</p><p><label>Email <input type="email" aria-describedby="head bad"></label></p><button>Next</button></form>',
      NAMED,
    );
    expect(verdict).toMatchObject({ error: 'We couldn’t find that account.', fields: [{ hint: null }] });
  });

  it('D60: letters that are told of beside a password say nothing of the code', async () => {
    const { verdict } = await lab.look(
      `<form>${box('Username', 'text')}${box('Password', 'password')}${box('One-time code', 'text')}<button>Log in</button></form><p role="alert">Please enter a correct username and password. Both fields may be case-sensitive.</p>`,
      AFTER_PASSWORD,
    );
    expect(verdict.fields.map(({ type, inputMode }) => [type, inputMode])).toEqual([
      ['identifier', 'text'],
      ['password', 'text'],
      ['code', 'numeric'],
    ]);
  });

  it('D62: what has to be done elsewhere is told without the buttons below it', async () => {
    const { verdict } = await lab.look(
      '<h1>Approve sign in request</h1><p>Select the number below in your Authenticator app to approve.</p><p style="font-size:40px">47</p><p><label><input type="checkbox">Don’t ask me again</label></p><button>Other ways to sign in</button><p><a href="/terms">Terms of use</a><a href="/privacy">Privacy</a></p>',
      AFTER_PASSWORD,
    );
    expect(verdict.externalAction).toEqual({
      kind: 'push',
      message: 'Select the number below in your Authenticator app to approve. 47',
      number: '47',
    });
  });

  it.each([
    ['Phone or username', 'jdoe@mail.example', 'phone_or_username'],
    ['Confirm your recovery email', 'jdoe', 'confirm_your_recovery_email'],
    ['Email or username', 'jdoe@mail.example', 'username'],
    ['Username', 'jdoe', 'username'],
  ])('D41: another kind of name than the one that was taken is asked for, not filled in: %s after %s', async (label, name, ref) => {
    const url = new URL(lab.url('/start'));
    const { verdict } = await lab.look(`<h1>Unusual activity</h1><form>${box(label, 'text')}<button>Next</button></form>`, {
      ...NAMED,
      name,
      before: pageBefore({ url: url.href, asked: ['username'], form: 'login' }),
    });
    expect(verdict.fields.map((field) => [field.type, field.ref])).toEqual([['identifier', ref]]);
  });

  it('D62: the form that had a link sent may stay: the link is waited for', async () => {
    const form = `<h1>Log in</h1><form>${box('Email', 'email')}<button>Send login link</button></form>`;
    const { snapshot } = await lab.look(form);
    const before = pageBefore({
      asked: ['username'],
      boxes: marksOf(snapshot.controls.filter(({ tag }) => tag === 'input')),
      form: 'login',
    });
    const { verdict } = await lab.look(`<ul><li class="success">Instructions to login have been sent to j@mail.example.</li></ul>${form}`, {
      ...NAMED,
      before,
    });
    expect(verdict).toMatchObject({ kind: 'external_wait', externalAction: { kind: 'magic_link' } });
    const refused = await lab.look(`<p role="alert">Specified user does not exist.</p>${form}`, { ...NAMED, before });
    expect(refused.verdict).toMatchObject({ kind: 'identifier', error: 'Specified user does not exist.' });
  });
});
