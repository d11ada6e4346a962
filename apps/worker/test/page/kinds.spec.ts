/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyPage } from '../../src/discovery/classify.js';
import { beforeSending, NOTHING_SENT, type PageContext } from '../../src/discovery/verdict.js';
import { AMONG_MENUS, box, type Expected, framed, login, summary } from './cases.js';
import { AFTER_PASSWORD, NAMED, pageBefore, PageLab } from './fixture.js';

const settings = ['Session timeout', 'Least length', 'Least digits', 'Log level', 'Log target', 'Report errors', 'Keep sessions for']
  .map((name) => `<p><label>${name} <select><option>5</option><option>10</option></select></label></p>`)
  .join('');

const BIRTH = `<fieldset><legend>What is your date of birth?</legend>${['Day', 'Month', 'Year'].map((part) => box(part, 'text', `name="dob-${part.toLowerCase()}"`)).join('')}</fieldset>`;

type Case = readonly [string, string, Expected, PageContext?];

const CASES: readonly Case[] = [
  [
    'identifier first',
    `<h1>Sign in</h1><form>${box('Email or phone', 'text', 'name="loginfmt"')}<button>Next</button></form>`,
    { kind: 'identifier', fields: ['identifier:Email or phone'], submit: 'Next' },
  ],
  [
    'password with the name shown',
    `<h1>Welcome</h1><form>${box('Account', 'text', 'readonly value="ada@site.example"')}${box('Enter your password', 'password')}<button>Sign in</button></form>`,
    { kind: 'password', submit: 'Sign in' },
  ],
  [
    'sign-up beside login',
    `<div>${login('Email', 'Password', 'Log in')}</div><div><h2>New here?</h2><form>${box('First name', 'text')}${box('Email', 'email')}${box('Password', 'password', 'autocomplete="new-password"')}${box('Confirm password', 'password')}<button>Create account</button></form></div>`,
    { kind: 'credentials', fields: ['identifier:Email', 'password:Password'], submit: 'Log in' },
  ],
  [
    'search and newsletter decoys',
    `<header><form role="search"><input type="search" name="q" placeholder="Search"><button>Search</button></form></header>${login('Customer number', 'PIN', 'Log on')}<footer><form class="newsletter"><input type="email" placeholder="Your email"><button>Subscribe</button></form></footer>`,
    { kind: 'credentials', fields: ['identifier:Customer number', 'password:PIN'], submit: 'Log on' },
  ],
  [
    'a whole-page form',
    `<form id="aspnetForm"><input name="q" placeholder="Search"><button>Go</button>${box('User ID', 'text')}${box('Password', 'password')}<input type="submit" value="Login"><input type="email" placeholder="Email for our newsletter"><button>Subscribe</button></form>`,
    { kind: 'credentials', fields: ['identifier:User ID', 'password:Password'], submit: 'Login' },
  ],
  [
    'only a sign-up',
    `<h1>Create your account</h1><form>${box('First name', 'text')}${box('Last name', 'text')}${box('Email', 'email')}${box('Password', 'password', 'autocomplete="new-password"')}<button>Sign up</button></form>`,
    { kind: 'sign_up', fields: [] },
  ],
  [
    'a date of birth in three boxes beside the name',
    `<h1>Sign in to check your pension</h1><form>${box('Customer reference number', 'text', 'name="crn"')}${BIRTH}<button>Continue</button></form>`,
    { kind: 'identifier', fields: ['identifier:Customer reference number', 'text:Day', 'text:Month', 'text:Year'], submit: 'Continue' },
  ],
  [
    'a date of birth in three boxes beside name and password',
    `<h1>Sign in</h1><form>${box('Customer reference number', 'text', 'name="crn"')}${box('Password', 'password')}${BIRTH}<button>Continue</button></form>`,
    {
      kind: 'credentials',
      fields: ['identifier:Customer reference number', 'password:Password', 'text:Day', 'text:Month', 'text:Year'],
      submit: 'Continue',
    },
  ],
  [
    'a surname beside the number, under a legend of their own',
    `<h1>Log in to Online Banking</h1><form><fieldset><legend>Step 1: Your details</legend>${box('Surname', 'text')}${box('Membership number', 'text')}</fieldset><button>Next step</button></form>`,
    { kind: 'identifier', fields: ['text:Surname', 'identifier:Membership number'], submit: 'Next step' },
  ],
  [
    'a sign-up under a legend of its own',
    `<h1>Create your account</h1><form><fieldset><legend>Step 1: Your details</legend>${box('Surname', 'text')}${box('Email', 'email')}</fieldset><button>Next</button></form>`,
    { kind: 'sign_up', fields: [] },
  ],
  ...(
    [
      ['pt', 'agência', 'conta', 'ok', ['identifier:agência', 'text:conta']],
      ['es', 'Sucursal', 'Cuenta', 'Ok', ['text:Sucursal', 'identifier:Cuenta']],
      ['it', 'Filiale', 'Numero conto', 'Ok', ['text:Filiale', 'identifier:Numero conto']],
      ['fr', 'Code agence', 'Numéro de compte', 'Ok', ['text:Code agence', 'identifier:Numéro de compte']],
      ['en', 'Sort code', 'Account number', 'Go', ['text:Sort code', 'identifier:Account number']],
      ['ja', '店番号', '口座番号', '次へ', ['identifier:店番号', 'identifier:口座番号']],
    ] as const
  ).map(([language, branch, account, button, fields]): Case => [
    `the number of a bank account in boxes of its own, beside other things: ${language}`,
    `<form method="post"><input name="b" placeholder="${branch}"><input name="a" placeholder="${account}"><button>${button}</button></form><h1>XYZ</h1><form action="/loan"><input name="v" placeholder="1000"><button>Simular</button></form>`,
    { kind: 'identifier', fields, submit: button },
  ]),
  [
    'a transfer to the number of a bank account',
    `<h1>Transfer</h1><form method="post">${box('Sort code', 'text')}${box('Account number', 'text')}${box('Amount', 'text')}<button>Continue</button></form>`,
    { kind: 'unknown', fields: [] },
  ],
  [
    'only a newsletter',
    `<h1>News</h1><form><p>Get our newsletter</p><input type="email" placeholder="Email address"><button>Subscribe</button></form>`,
    { kind: 'unknown', fields: [] },
  ],
  [
    'password reset request',
    `<h1>Reset your password</h1><form>${box('Email', 'email')}<button>Send reset link</button></form>`,
    { kind: 'password_reset', fields: [] },
  ],
  [
    'a way in behind a header button',
    `<header><nav><a href="/pricing">Pricing</a><a href="/signup">Sign up</a><a href="/login">Log in</a></nav></header><h1>The best product</h1><form>${box('Your email', 'email')}<button>Get started free</button></form>`,
    { kind: 'landing', entry: 'Log in' },
  ],
  [
    'a way in behind a link in another language',
    `<header><a href="/de/produkte">Produkte</a><a href="/konto">Anmelden</a></header><h1>Willkommen im Laden</h1>`,
    { kind: 'landing', entry: 'Anmelden' },
  ],
  [
    'a server to connect to, and what most leave as it is',
    `<form>${box('Server URL', 'text', 'required')}${box('Username', 'text')}${box('Password', 'password')}${box('Admin namespace', 'text', 'value="/admin"')}${box('Path', 'text', 'value="/socket.io"')}<button>CONNECT</button></form>`,
    { kind: 'credentials', fields: ['text:Server URL', 'identifier:Username', 'password:Password'], submit: 'CONNECT' },
  ],
  [
    'login beside providers',
    `${login('Email', 'Password', 'Sign in')}<p>or</p><button>Continue with Google</button><a href="/auth/github" aria-label="GitHub"><svg width="20" height="20"><title>GitHub</title></svg></a><button>Sign in with Acme ID</button><footer><a href="https://facebook.com/site">Facebook</a></footer>`,
    {
      kind: 'credentials',
      submit: 'Sign in',
      choices: ['sso_provider/:Continue with Google', 'sso_provider/:GitHub', 'sso_provider/:Sign in with Acme ID'],
    },
  ],
  [
    'providers alone',
    `<h1>Log in to Example</h1><button>Continue with Google</button><button>Continue with Apple</button><button>Continue with email</button>`,
    {
      kind: 'method_choice',
      choices: ['sso_provider/:Continue with Google', 'sso_provider/:Continue with Apple', 'sign_in_method/:Continue with email'],
    },
  ],
  [
    'providers in Japanese',
    `<h1>ログイン</h1><button>Googleでログイン</button><button>LINEでログイン</button>`,
    { kind: 'method_choice', choices: ['sso_provider/:Googleでログイン', 'sso_provider/:LINEでログイン'] },
  ],
  [
    'passkey beside a password',
    `${login('Email', 'Password', 'Sign in')}<button>Sign in with a passkey</button><a href="#">Email me a sign-in link</a>`,
    { kind: 'credentials', choices: ['auth_method/passkey:Sign in with a passkey', 'auth_method/email:Email me a sign-in link'] },
  ],
  [
    'passkey only',
    `<h1>Use your passkey</h1><p>Your device will ask for your fingerprint, face or screen lock.</p><button>Continue</button>`,
    { kind: 'passkey', choices: [] },
  ],
  [
    'method buttons',
    `<h1>Choose how to verify it's you</h1><ul><li><button>Use your authenticator app</button></li><li><button>Get a text message at ••• ••• 42</button></li><li><button>Call me</button></li><li><button>Approve a push notification</button></li><li><button>Use a security key</button></li></ul><a href="/help">Help</a><a href="#">Cancel</a>`,
    {
      kind: 'method_choice',
      choices: [
        'mfa_method/totp:Use your authenticator app',
        'mfa_method/sms:Get a text message at ••• ••• 42',
        'mfa_method/call:Call me',
        'mfa_method/push:Approve a push notification',
        'mfa_method/passkey:Use a security key',
      ],
    },
    AFTER_PASSWORD,
  ],
  [
    'method rows with a Select button each',
    `<h1>Verify your identity</h1><div><div><b>Text message</b><p>+1 ••• ••• 42</p><button>Select</button></div><div><b>Email</b><p>a***@site.example</p><button>Select</button></div></div>`,
    { kind: 'method_choice', choices: ['mfa_method/sms:Text message', 'mfa_method/email:Email'] },
    AFTER_PASSWORD,
  ],
  [
    'method list in German',
    `<h1>Zwei-Faktor-Authentifizierung</h1><p>Wählen Sie eine Methode</p><button>SMS an ••• 42</button><button>Authenticator-App</button><button>Anruf</button>`,
    { kind: 'method_choice', choices: ['mfa_method/sms:SMS an ••• 42', 'mfa_method/totp:Authenticator-App', 'mfa_method/call:Anruf'] },
    AFTER_PASSWORD,
  ],
  [
    'a request in an authenticator app, and a code of it',
    `<h1>Verify your identity</h1><button>Approve a request on my Authenticator app</button><button>Use a code from my Authenticator app</button><button>Text +XX XXXXXXX85</button>`,
    {
      kind: 'method_choice',
      choices: [
        'mfa_method/push:Approve a request on my Authenticator app',
        'mfa_method/totp:Use a code from my Authenticator app',
        'mfa_method/sms:Text +XX XXXXXXX85',
      ],
    },
    AFTER_PASSWORD,
  ],
  [
    'the ways of a German bank',
    `<h1>Starke Kundenauthentifizierung</h1><p>Bitte wählen Sie ein TAN-Verfahren.</p><form method="post">${[
      'pushTAN (Mein Telefon)',
      'smsTAN an *****4711',
      'chipTAN QR',
    ]
      .map((name, at) => `<p><input type="radio" name="v" id="v${at}" value="${at}"><label for="v${at}">${name}</label></p>`)
      .join('')}<button>Weiter</button></form>`,
    {
      kind: 'method_choice',
      choices: ['mfa_method/push:pushTAN (Mein Telefon)', 'mfa_method/sms:smsTAN an *****4711', 'mfa_method/other:chipTAN QR'],
      submit: 'Weiter',
    },
    AFTER_PASSWORD,
  ],
  [
    'SMS code with a way out',
    `<h1>Two-step verification</h1><p>We sent a code to +1 ••• ••• 42.</p><form>${box('Code', 'text', 'inputmode="numeric" maxlength="6" autocomplete="one-time-code"')}<button>Verify</button></form><button>Resend code</button><button>Try another way</button>`,
    { kind: 'code', fields: ['code:Code'], submit: 'Verify', choices: ['mfa_method/switch:Try another way'] },
    AFTER_PASSWORD,
  ],
  [
    'tabs of which the one with the password is open',
    `<h1>Sign in</h1><div role="tablist"><div style="cursor: pointer"><div role="tab" aria-selected="true" tabindex="0">Sign in with password</div></div><div style="cursor: pointer"><div role="tab" aria-selected="false" tabindex="-1">Sign in with SMS code</div></div></div>${login('Email', 'Password', 'Sign in')}`,
    {
      kind: 'credentials',
      fields: ['identifier:Email', 'password:Password'],
      submit: 'Sign in',
      choices: ['auth_method/sms:Sign in with SMS code'],
    },
  ],
  [
    'setting up an authenticator, with links to where there are apps',
    `<h1>Enable two-factor authentication</h1><p>Scan this QR code or enter the plain text key into a TOTP app (e.g. <a href="https://support.google.example/answer">Google Authenticator</a>, <a href="https://authy.example/download">Authy</a>, <a href="https://duo.example/">Duo Mobile</a>).</p><img alt="QR code" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="150" height="150"><p>Plain text key</p><code>ABCD EFGH IJKL MNOP</code><form>${box('Code', 'text', 'name="twofa_code" maxlength="6" autocomplete="one-time-code"')}<button>Activate</button></form>`,
    { kind: 'totp_setup', fields: ['totp_code:Code'], submit: 'Activate', choices: [] },
    AFTER_PASSWORD,
  ],
  [
    'authenticator code',
    `<h1>Two-factor authentication</h1><p>Open your authenticator app and enter the code.</p><form>${box('Authentication code', 'text', 'name="otp" maxlength="6"')}<button>Verify</button></form>`,
    { kind: 'code', fields: ['totp_code:Authentication code'], submit: 'Verify' },
    AFTER_PASSWORD,
  ],
  [
    'authenticator set-up',
    `<h1>Set up two-factor authentication</h1><p>Scan the QR code with your authenticator app, or enter this key: JBSW Y3DP EHPK 3PXP</p><form>${box('6-digit code', 'text', 'maxlength="6"')}<button>Enable</button></form>`,
    { kind: 'totp_setup' },
    AFTER_PASSWORD,
  ],
  [
    'push with a number',
    `<h1>Check your phone</h1><p>We sent a notification to your phone. Tap the number shown here to approve the sign-in.</p><div>57</div><a href="#">Use another method</a>`,
    { kind: 'external_wait', external: { kind: 'push', number: '57' }, choices: ['mfa_method/switch:Use another method'] },
    AFTER_PASSWORD,
  ],
  [
    'magic link',
    `<h1>Check your inbox</h1><p>We sent you an email with a sign-in link. Click the link to continue.</p><button>Resend email</button>`,
    { kind: 'external_wait', external: { kind: 'magic_link', number: null } },
  ],
  [
    'magic link in French',
    `<h1>Consultez vos e-mails</h1><p>Nous avons envoyé un lien de connexion à ada@site.example.</p>`,
    { kind: 'external_wait', external: { kind: 'magic_link', number: null } },
  ],
  [
    'a code to scan',
    `<h1>Log in with your phone</h1><p>Scan the QR code with the camera of your phone.</p><canvas width="200" height="200"></canvas>`,
    { kind: 'external_wait', external: { kind: 'qr', number: null } },
  ],
  [
    'a code to scan, in Chinese',
    `<title>登录</title><h1>扫码登录</h1><p>请使用手机应用扫一扫</p><canvas width="200" height="200"></canvas>`,
    { kind: 'external_wait', external: { kind: 'qr', number: null } },
  ],
  [
    'a code that leads to an app is no login',
    `<header><a href="/login">Log in</a></header><h1>Our app is here</h1><p>Scan the QR code to download it.</p>`,
    { kind: 'landing', entry: 'Log in' },
  ],
  [
    'account picker',
    `<h1>Choose an account</h1><ul><li><div role="link" tabindex="0"><div>Ada Lovelace</div><div>ada@site.example</div></div></li><li><div role="link" tabindex="0"><div>Grace Hopper</div><div>grace@site.example</div></div></li><li><div role="link" tabindex="0">Use another account</div></li></ul><a href="/privacy">Privacy</a>`,
    { kind: 'account_picker', choices: ['account/:Ada Lovelace', 'account/:Grace Hopper', 'account/:Use another account'] },
    AFTER_PASSWORD,
  ],
  [
    'organization picker',
    `<h1>Select your workspace</h1><button>Acme Inc</button><button>Initech</button><a href="/logout">Sign out</a>`,
    { kind: 'account_picker', choices: ['account/:Acme Inc', 'account/:Initech'] },
    AFTER_PASSWORD,
  ],
  [
    'accounts whose names are words of something else',
    `<h1>Pick an account</h1><div role="button" tabindex="0">Guest kiosk<br>kiosk@site.example</div><div role="button" tabindex="0">Show room<br>room@site.example</div><div role="button" tabindex="0">Use another account</div><button>Continue as guest</button><button>Sign out of all accounts</button>`,
    { kind: 'account_picker', choices: ['account/:Guest kiosk', 'account/:Show room', 'account/:Use another account'] },
  ],
  [
    'new terms that can be refused by leaving',
    `<h1>Mise à jour des conditions générales</h1><form><p><label><input type="checkbox" required> J’ai lu et j’accepte les conditions générales</label></p><button name="act" value="no">Refuser et se déconnecter</button> <button name="act" value="yes" disabled>Valider</button></form>`,
    { kind: 'fork', choices: ['other/:Refuser et se déconnecter', 'other/:Valider'] },
    AFTER_PASSWORD,
  ],
  [
    'consent that can be refused by leaving',
    `<h1>Example App wants to access your account</h1><form><button name="act" value="no">Cancel and sign out</button><button name="act" value="yes">Allow</button></form>`,
    { kind: 'consent', choices: ['other/:Allow', 'other/:Cancel and sign out'] },
  ],
  [
    'consent',
    `<h1>Example App wants to access your account</h1><p>This will allow Example App to see your email address.</p><button>Cancel</button><button>Allow</button>`,
    { kind: 'consent', choices: ['other/:Allow', 'other/:Cancel'] },
    AFTER_PASSWORD,
  ],
  [
    'stay signed in',
    `<h1>Stay signed in?</h1><p>Do this to reduce the number of times you are asked to sign in.</p><label><input type="checkbox"> Don't show this again</label><button>No</button><button>Yes</button>`,
    { kind: 'stay_signed_in', submit: 'Yes' },
    AFTER_PASSWORD,
  ],
  [
    'stay signed in, German',
    `<h1>Angemeldet bleiben?</h1><button>Nein</button><button>Ja</button>`,
    { kind: 'stay_signed_in', submit: 'Ja' },
    AFTER_PASSWORD,
  ],
  [
    'forced password change',
    `<h1>Your password has expired</h1><p>You must change your password.</p><form>${box('Current password', 'password')}${box('New password', 'password')}${box('Confirm new password', 'password')}<button>Change password</button></form>`,
    { kind: 'password_change', fields: [] },
    AFTER_PASSWORD,
  ],
  ...(
    [
      ['whose own page has a form for it', 'Change your password', '', 'logged_in'],
      ['who is told to by the heading', 'Your password has expired', '', 'password_change'],
      ['who is told to below the heading', 'Change your password', '<p>You must change your password now.</p>', 'password_change'],
    ] as const
  ).map(([who, heading, more, kind]): Case => [
    `another password for somebody ${who}`,
    framed(
      `<h1>Hello, ada</h1><div><div class="card-header">${heading}</div>${more}<form>${box('Current password', 'password')}${box('New password', 'password')}${box('Confirm new password', 'password')}<button>Save</button></form></div>`,
      '<a href="/logout">Log out</a>',
    ),
    { kind },
    AMONG_MENUS,
  ]),
  [
    'methods that are pictures, each named by the card it stands in',
    `<h1>Second factor</h1><p>Choose a method</p>${[
      ['a', 'OTP App'],
      ['b', 'Code by e-mail'],
    ]
      .map(
        ([place, name]) =>
          `<div class="card"><div class="card-body"><a href="/${place}"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="80" height="80"></a></div><div class="card-footer">${name}</div></div>`,
      )
      .join('')}`,
    { kind: 'method_choice', choices: ['mfa_method/totp:OTP App', 'mfa_method/email:Code by e-mail'] },
    AFTER_PASSWORD,
  ],
  [
    'tabs of which the other one asks for another name',
    `<h1>Sign in</h1><div role="tablist"><div role="tab" aria-selected="true" tabindex="0">Account Login</div><div role="tab" aria-selected="false" tabindex="-1">Phone Login</div></div>${login('Username', 'Password', 'Sign in')}`,
    { kind: 'credentials', choices: ['identifier_method/:Phone Login'] },
  ],
  [
    'tabs that only their classes make tabs, of which the other one asks for another name',
    `<h2>Zaloguj się</h2><div class="tabs"><div class="tab active" style="cursor:pointer">Numer telefonu</div><div class="tab" style="cursor:pointer">Adres e-mail</div></div>${login('Numer telefonu', 'Hasło', 'Zaloguj się')}`,
    { kind: 'credentials', choices: ['identifier_method/:Adres e-mail'], submit: 'Zaloguj się' },
  ],
  [
    'tabs in a list, of which the other one asks for another name',
    `<h1>Sign in</h1><ul class="login-tabs"><li class="is-active"><a href="#name">Username</a></li><li><a href="#phone">Phone number</a></li></ul>${login('Username', 'Password', 'Sign in')}`,
    { kind: 'credentials', choices: ['identifier_method/:Phone number'] },
  ],
  [
    'words beside a login that no tab is made of',
    `<h1>Sign in</h1><div class="table"><span class="active" style="cursor:pointer">Username</span> <span style="cursor:pointer">Phone number</span></div>${login('Username', 'Password', 'Sign in')}`,
    { kind: 'credentials', choices: [] },
  ],
  [
    'a way with a password where one is asked for, its tab not marked as open',
    `<div class="tab"><a href="javascript:;" class="t1 on">扫码登录</a> <a href="javascript:;" class="t2">密码登录</a></div><div>${box('手机号/用户名', 'text')}${box('密码', 'password')}<button>登录</button></div>`,
    { kind: 'credentials', choices: [], submit: '登录' },
  ],
  [
    'ways to a second factor beside providers: one sends a code',
    `<div>Two-Factor</div><div>Please enter your one-time password to continue</div><form><button type="button">Send verification code</button><button type="button">Continue with Authenticator</button></form><span>Or continue with</span><button>Sign in with GitHub</button><button>Sign in with Google</button><button>Go back</button>`,
    { kind: 'method_choice', choices: ['mfa_method/other:Send verification code', 'mfa_method/totp:Continue with Authenticator'] },
    AFTER_PASSWORD,
  ],
  ...(
    [
      ['a code', 'Email Code', 'Enter your email to receive a code', 'Send code'],
      ['a link', 'Magic Link', 'Enter your email to receive a magic link', 'Send magic link'],
    ] as const
  ).map(([what, name, told, send]): Case => [
    `an address to send ${what} to, below which other ways begin`,
    `<title>${name}</title><div>${name}</div><div>${told}</div><form novalidate>${box('Email', 'email', 'name="email" placeholder="m@example.com"')}<button>${send}</button></form><button type="button">Sign in with Password</button><button>Sign in with GitHub</button><p>Don't have an account? <a href="/sign-up">Sign up</a></p>`,
    { kind: 'identifier', fields: ['identifier:Email'], submit: send },
  ]),
  [
    'an address to send a code to, for another password',
    `<h1>Forgot your password?</h1><form>${box('Email', 'email')}<button>Send code</button></form>`,
    { fields: [] },
  ],
  ...(
    [
      ['the query', 'index.php?route=/logout'],
      ['what the query does', 'main?action=logout&amp;return=/login'],
      ['the name of a query', '?logout'],
      ['another language', 'index?accion=cerrar-sesion'],
    ] as const
  ).map(([where, href]): Case => [
    `a way out that calls itself a way in, told by ${where}`,
    `<div><a href="/home" title="Start"><img alt="Start"></a><a href="${href}" title="Neu anmelden"><img alt="Neu anmelden" title="Neu anmelden"></a></div><h1>Datenbanken</h1><p>information_schema</p>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ]),
  [
    'a way in that a way out leads back to',
    `<header><a href="/login?return_to=/logout">Sign in</a></header><h1>Welcome</h1>`,
    { kind: 'landing', entry: 'Sign in' },
  ],
  [
    'an application that calls the link to the account by the name of who is in',
    `<nav><a href="/dashboard">Dashboard</a><a href="/user/account">mia</a></nav><main><h1>Welcome to Acme!</h1><p>Currently there is no dashlet available.</p></main>`,
    { kind: 'logged_in' },
    AMONG_MENUS,
  ],
  [
    'boxes without a form, and behind them a button without a word',
    `<h1>Acme</h1><div><input placeholder="Username"><input type="password" placeholder="Password"><button type="button" id="go"><svg width="16" height="16"><path d="M2 8h12"/></svg></button></div>`,
    { kind: 'credentials', fields: ['identifier:Username', 'password:Password'], submit: '' },
  ],
  [
    'pictures that a font draws in the place of their names',
    `<h1>Sign in</h1><form><label>Your email *<input type="email" name="mail"><i class="q-icon material-icons" role="presentation">error</i></label><div role="alert"><i class="material-icons">error</i>Please type a valid email.</div><label>Your password *<input type="password" name="pw"><i class="q-icon material-icons" role="presentation">visibility</i></label><button>Sign in</button></form>`,
    { kind: 'credentials', fields: ['identifier:Your email', 'password:Your password'], error: 'Please type a valid email.' },
    AFTER_PASSWORD,
  ],
  [
    'labels that are tied to what is around the boxes, or to nothing',
    `<h1>Sign in</h1><form><div><div><label>Badge</label><div><input name="a" placeholder="Please Input"></div></div><span><div id="pw"><input name="b" type="password" placeholder="Please Input"></div><label for="pw">Secret word</label></span></div><button>Sign in</button></form>`,
    { kind: 'credentials', fields: ['identifier:Badge', 'password:Secret word'] },
  ],
  ['captcha page', `<h1>Verify you are human</h1><p>Press and hold the button to continue.</p>`, { kind: 'captcha', captcha: true }],
  [
    'security question',
    `<h1>Sign in</h1><form>${box('What was the name of your first pet?', 'text', 'name="security_answer" required')}<button>Continue</button></form>`,
    { kind: 'question', fields: ['text:What was the name of your first pet?'] },
    AFTER_PASSWORD,
  ],
  [
    'signed in',
    `<header><a href="/account">My account</a><a href="/logout">Log out</a></header><h1>Dashboard</h1><form role="search"><input type="search" name="q"></form>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'signed in, sign-out hidden in a menu',
    `<h1>Welcome back, Ada</h1><p>Here are your projects.</p>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'signed in, with a change-password form',
    `<a href="/sair">Sair</a><h1>Minha conta</h1><form>${box('Senha atual', 'password')}${box('Nova senha', 'password')}<button>Alterar senha</button></form>`,
    { kind: 'logged_in' },
  ],
  [
    'signed in, told by nothing but an application at work',
    `<nav><a href="/a">Invoices</a><a href="/b">Clients</a><a href="/c">Reports</a></nav><h1>Invoices</h1><form><input name="new" placeholder="Invoice title"><button>Create</button></form><button>Export</button><button>Filter</button>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'signed in, an application whose lists tell of failures',
    `<div><span role="button">Run</span><span role="button">Save</span><span role="button">Properties</span><button>☰</button><button>↔</button></div><h3>Latest runs</h3><h3>Failed runs</h3><table><tr><th>Error</th></tr><tr><td>Timeout</td></tr></table>`,
    { kind: 'logged_in', error: null },
    AFTER_PASSWORD,
  ],
  [
    'signed in, an application whose tools all stand in one place',
    `<div><a href="#">Refresh</a><button>Commands</button><button>More…</button><ul style="display:none"><li><button>Import</button></li><li><button>Export</button></li></ul>
     <a role="treeitem" href="#a">first</a><a role="treeitem" href="#b">second</a><a role="treeitem" href="#c">third</a></div><form><input aria-label="Prompt"></form>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'signed in at first use, one form and a welcome',
    `<p>Welcome to Ledger. There is nothing here yet. You may use the form below to create your first book.</p><fieldset><legend>Create a book</legend><form><input name="book"><input type="submit" value="Create"></form></fieldset>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'signed in before anything was sent, sign-out in a menu that is not open',
    `<header><button aria-haspopup="menu">Ada</button><ul style="display:none"><li><a href="/me">Profile</a></li><li><a href="/bye">Log out</a></li></ul></header><h1>Projects</h1><p>Apollo</p>`,
    { kind: 'logged_in' },
  ],
  [
    'a login whose page keeps a hidden sign-out',
    `<nav><a href="/bye" style="display:none">Log out</a></nav>${login('Email', 'Password', 'Sign in')}`,
    { kind: 'credentials' },
  ],
  [
    'a home page that keeps a hidden sign-out',
    `<header><a href="/bye" style="display:none">Log out</a><a href="/login">Log in</a></header><h1>Our shop</h1>`,
    { kind: 'landing', entry: 'Log in' },
  ],
  [
    'an offer of a second factor is no end, and is taken up or put off',
    `<nav><a href="/a">Plans</a><a href="/b">Docs</a><a href="/c">Blog</a><a href="/d">Shop</a></nav><h1>Protect your account</h1><p>Set up an authenticator app to go on.</p><button>Set up</button><button>Remind me tomorrow</button>`,
    { kind: 'fork', choices: ['other/:Set up', 'other/:Remind me tomorrow'] },
    AMONG_MENUS,
  ],
  [
    'a step in words nobody here knows, beside a menu of languages, is no end',
    `<nav>${['?l=ka', '?l=hy', '?l=eu', '?l=mt', '?l=cy', '?l=ga'].map((to) => `<a href="${to}">${to.slice(3)}</a>`).join('')}</nav><h1>Aukeratu nola</h1><form><button name="m" value="1">Telefonoa</button><button name="m" value="2">Gako bat</button></form>`,
    { kind: 'fork', choices: ['other/:Telefonoa', 'other/:Gako bat'] },
    AFTER_PASSWORD,
  ],
  [
    'such a step in one form with many buttons is none either',
    `<h1>Aukeratu nola</h1><form>${['Telefonoa', 'Gako bat', 'Gutuna', 'Ahotsa', 'Beste bat'].map((text) => `<button>${text}</button>`).join('')}</form>`,
    { kind: 'fork', choices: ['Telefonoa', 'Gako bat', 'Gutuna', 'Ahotsa', 'Beste bat'].map((text) => `other/:${text}`) },
    AFTER_PASSWORD,
  ],
  [
    'a code below the words of signing in',
    `<title>Sign in</title><h1>Sign in</h1><form id="login-form">${box('One-time code', 'text', 'name="otp"')}<button>Sign in</button></form>`,
    { kind: 'code', fields: ['code:One-time code'], submit: 'Sign in' },
    AFTER_PASSWORD,
  ],
  [
    'a set-up page that also asks for the name of the device',
    `<h1>Mobile authenticator setup</h1><ol><li>Open the application and scan the QR code.</li></ol><form>${box('One-time code', 'text', 'name="totp"')}${box('Device name', 'text', 'name="userLabel"')}<button>Submit</button></form>`,
    { kind: 'totp_setup', submit: 'Submit' },
    AFTER_PASSWORD,
  ],
  [
    'ways to prove oneself, told by what they are',
    `<h1>Continue</h1><form><button>Authenticator application<br>Enter a code from your app.</button><button>Passkey<br>Use your passkey to sign in.</button></form>`,
    { kind: 'method_choice', choices: ['mfa_method/totp:Authenticator application', 'mfa_method/passkey:Passkey'] },
    AFTER_PASSWORD,
  ],
  [
    'a lock screen whose only button is an arrow',
    `<b>Ada Lovelace</b><form><input type="password" placeholder="password"><button type="button"><i class="arrow-right"></i>&nbsp;</button></form><a href="/login">Or sign in as a different user</a>`,
    { kind: 'password', submit: '' },
  ],
  [
    'a way out below the box that tells of a refusal',
    `<div><button>Logout</button><button>Add</button></div><div style="position:fixed;inset:0;background:#ccc8"></div><div style="position:fixed;left:30%;top:30%;width:280px;background:#fff"><b class="warning">Login failed</b><p>You entered an incorrect password</p><button>OK</button></div>`,
    { kind: 'error', error: 'Login failed' },
    AFTER_PASSWORD,
  ],
  [
    'an application with a tab that is named after what failed',
    `<header><a href="/">Queues</a><a href="/docs">Docs</a></header><main><ul><li><a href="/a">All</a></li><li><a href="/b">Active</a></li><li><a href="/c">Waiting</a></li><li class="failed"><a href="/d"><i></i><span>Failed</span></a></li></ul></main>`,
    { kind: 'logged_in', error: null },
    AFTER_PASSWORD,
  ],
  [
    'an application that could not load a part of it',
    `<header><a href="/">Queues</a><a href="/docs">Docs</a></header><main><a href="/a">All</a><a href="/b">Active</a><a href="/c">Waiting</a><p role="alert">Failed to fetch what is new</p></main>`,
    { kind: 'logged_in', error: null },
    AFTER_PASSWORD,
  ],
  [
    'a refusal among the menus of a website',
    `<header><a href="/">Books</a><a href="/docs">Docs</a></header><main><a href="/a">All</a><a href="/b">Active</a><a href="/c">Waiting</a><p role="alert">Invalid password</p></main>`,
    { kind: 'error', error: 'Invalid password' },
    AFTER_PASSWORD,
  ],
  [
    'a name asked for by a box and a button that belong to no form',
    `<div><label>Username / e-mail</label><div><input type="text"></div><button type="button">Login</button></div>`,
    { kind: 'identifier', fields: ['identifier:Username / e-mail'], submit: 'Login' },
  ],
  [
    'an address for the news below a way in',
    `<div><button>Log in</button><p>News</p><label>E-mail</label><div><input type="text"></div><button>Send me some</button></div>`,
    { kind: 'landing', fields: [] },
  ],
  [
    'a menu all of whose items lie in one box with the hand',
    `<div style="cursor:pointer"><ul><li>Settings</li><li>Documentation</li><li>Sign out</li></ul></div><main><p>You are in no team yet.</p><button>Create a team</button></main>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'the same menu, closed by its height',
    `<div style="cursor:pointer;height:0;overflow:hidden"><li>Settings</li><li>Documentation</li><li>Sign out</li></div><main><p>You are in no team yet.</p><button>Create a team</button></main>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'an account that holds a list',
    `<h1>Choose an account</h1><div style="cursor:pointer"><b>Ada</b><ul><li>ada@site.example</li><li>Owner</li></ul></div><div style="cursor:pointer"><b>Bob</b><ul><li>bob@site.example</li><li>Guest</li></ul></div>`,
    { kind: 'account_picker', choices: ['account/:Ada', 'account/:Bob'] },
  ],
  [
    'an error in a label that names no box',
    `<div><label>User</label><input type="text"><label>Password</label><input type="password"><label class="error-inline">Login failed</label><button>Login</button></div>`,
    { kind: 'credentials', error: 'Login failed' },
  ],
  [
    'an application with a machine to unlock, and a sign-out in a menu that is not open',
    `<nav><button>Homing</button><button>Unlock</button><button>Reset</button><ul style="display:none"><li><button>Sign out</button></li></ul></nav><main><button>Open</button><button>Clear</button></main>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'the same before anything was sent',
    `<nav><button>Unlock</button><button aria-label="My Account"></button><ul style="display:none"><li><button>Sign out</button></li></ul></nav><main><button>Open</button></main>`,
    { kind: 'logged_in' },
  ],
  [
    'a way in by a word that may mean a login, back on the home page',
    `<nav><a href="/a">Libros</a><a href="/b">Autores</a><a href="/c">Noticias</a><a href="/d">Tienda</a><button>Acceder</button></nav><main><a href="/e">Novedades</a></main>`,
    { kind: 'unknown' },
    AFTER_PASSWORD,
  ],
  [
    'a passcode once the password is sent',
    `<h1>Two-factor authentication</h1><form>${box('Passcode', 'text', 'name="passcode"')}<button>Verify</button></form>`,
    { kind: 'code', fields: ['code:Passcode'], submit: 'Verify' },
    AFTER_PASSWORD,
  ],
  [
    'a passcode of an application',
    `<h1>Duo</h1><form>${box('Enter a passcode from Duo Mobile', 'text', 'name="passcode-input"')}<button>Verify</button></form>`,
    { kind: 'code', fields: ['code:Enter a passcode from Duo Mobile'], submit: 'Verify' },
  ],
  [
    'a passcode that is the password',
    `<h1>Sign in</h1><form>${box('User ID', 'text')}${box('Passcode', 'text')}<button>Sign in</button></form>`,
    { kind: 'credentials', fields: ['identifier:User ID', 'password:Passcode'], submit: 'Sign in' },
  ],
  [
    'a number that a profile lacks, once the password is sent',
    `<h1>Please complete your profile</h1><form>${box('Mobile number', 'tel')}<button>Save and continue</button></form>`,
    { kind: 'question', fields: ['text:Mobile number'], submit: 'Save and continue' },
    AFTER_PASSWORD,
  ],
  [
    'another address that offers nothing, in words nobody here knows',
    `<h1>Itxaron mesedez</h1><p>Zure kontua ez dago prest.</p><a href="/help">Help</a>`,
    { kind: 'unknown' },
    AFTER_PASSWORD,
  ],
  [
    'another address with something to use, in words nobody here knows',
    `<h1>Hasiera</h1><button>Berria</button><a href="/z">Zabaldu</a>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'second factors, a way out before them in the page',
    `<h1>Verify it's you</h1><a href="/help">I can't use any of these</a><form><label><input type="radio" name="how"> Text message to (•••) •••-4417</label><label><input type="radio" name="how"> Email r**@example.com</label><button>Send code</button></form>`,
    {
      kind: 'method_choice',
      choices: [
        'mfa_method/sms:Text message to (•••) •••-4417',
        'mfa_method/email:Email r**@example.com',
        "mfa_method/switch:I can't use any of these",
      ],
    },
    AFTER_PASSWORD,
  ],
  [
    'an offer of a passkey that can be put off',
    `<h1>Create a passkey</h1><p>Sign in faster next time.</p><button>Create</button><button>Not now</button>`,
    { kind: 'passkey', choices: ['other/:Not now'] },
    AFTER_PASSWORD,
  ],
  [
    'new terms, with a box to tick',
    `<h1>Updated terms of service</h1><p>Please read and accept our new terms.</p><form method="post"><label><input type="checkbox" name="t"> I have read the terms</label><button>Agree and continue</button><button>Decline</button></form><a href="/login">Log in again</a>`,
    { kind: 'fork', choices: ['other/:Agree and continue', 'other/:Decline'] },
    AFTER_PASSWORD,
  ],
  [
    'new terms among the menus of their website',
    framed(
      `<h1>Baldintza berriak</h1><form method="post"><label><input type="checkbox"> Ados nago</label><button>Jarraitu</button><button>Utzi</button></form><a href="/c">Contact us</a>`,
    ),
    { kind: 'fork', choices: ['other/:Jarraitu', 'other/:Utzi'] },
    AMONG_MENUS,
  ],
  [
    'an application at work that also has a form of buttons',
    framed(`<h1>Hasiera</h1><form method="post"><button>Berria</button></form><button>Zabaldu</button><a href="/z">Zerrenda</a>`),
    { kind: 'logged_in' },
    AMONG_MENUS,
  ],
  [
    'new terms outside of a form, whose button waits for the box',
    `<h1>Baldintza berriak</h1><div><p>Irakurri.</p><label><input type="checkbox"> Ados nago</label><button disabled>Jarraitu</button></div>`,
    { kind: 'fork', choices: ['other/:Jarraitu'] },
    AFTER_PASSWORD,
  ],
  [
    'a way in words nobody here knows, from a list with a button',
    `<h1>Aukeratu nola</h1><form><label><input type="radio" name="m"> Telefonoa</label><label><input type="radio" name="m"> Gutuna</label><button>Jarraitu</button></form>`,
    { kind: 'fork', choices: ['other/:Telefonoa', 'other/:Gutuna'], submit: 'Jarraitu' },
    AFTER_PASSWORD,
  ],
  [
    'a page of buttons before anything was sent',
    `<h1>Aukeratu nola</h1><form><button>Telefonoa</button><button>Gako bat</button></form>`,
    { kind: 'unknown' },
  ],
  [
    'an application at work that tells of former logins',
    `<nav><a href="/overview">Overview</a><a href="/logs">Logs</a><a href="/accounts">Accounts</a><a href="/services">Services</a></nav><h1>System</h1><p>Last login: today</p><div class="warning alert">1 failed login attempt</div><button>View login history</button><button>View hardware details</button><button>Join domain</button>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'a form of buttons before anything was sent, on a page that is about how to sign in',
    `<h1><a href="/">Select an authentication source</a></h1><p><a href="?l=de">Deutsch</a> | <a href="?l=fr">Français</a></p><h2>Select an authentication source</h2><form><ul><li><input type="submit" value="library-staff"></li><li><input type="submit" value="library-readers"></li></ul></form>`,
    { kind: 'fork', choices: ['other/:library-staff', 'other/:library-readers'] },
  ],
  [
    'an application whose first page is its settings, a new password for itself among them',
    `<table><tr><td><a href="http://www.site.example/">Catalogue Manager</a></td></tr></table><h1>General settings</h1><form action="/settings"><fieldset>${settings}<p><label>Allowed hosts <textarea></textarea></label></p><p><label>New master password <input type="password" name="passwd1"></label></p><p><label>Reenter password <input type="password" name="passwd2"></label></p></fieldset><button>Upload</button><button>Import from server</button><button>Ok</button><button>Cancel</button></form>`,
    { kind: 'logged_in' },
    AFTER_PASSWORD,
  ],
  [
    'the same with no more to set than comes with a change of a password',
    `<table><tr><td><a href="http://www.site.example/">Catalogue Manager</a></td></tr></table><h1>One more step</h1><form action="/settings"><fieldset><p><label>Language <select><option>English</option><option>Deutsch</option></select></label></p><p><label>New password <input type="password" name="passwd1"></label></p><p><label>Reenter password <input type="password" name="passwd2"></label></p></fieldset><button>Upload</button><button>Import from server</button><button>Ok</button><button>Cancel</button></form>`,
    { kind: 'password_change' },
    AFTER_PASSWORD,
  ],
  [
    'a memorable word that is hidden as it is typed',
    `<h1>Nearly there</h1><form>${box('Memorable word', 'password', 'name="mem"')}<button>Sign in</button></form>`,
    { kind: 'question', fields: ['text:Memorable word'], submit: 'Sign in' },
    AFTER_PASSWORD,
  ],
  [
    'a question that stands above its box',
    `<h1>One more step</h1><p>Which street did you live in when you were ten years old, without its number?</p><form><input name="a"><button>Continue</button></form>`,
    { kind: 'question', fields: ['text:Which street did you live in when you were ten years old, without its number?'] },
    AFTER_PASSWORD,
  ],
  [
    'a question that was answered wrong and keeps its answer',
    `<h1>One more step</h1><p role="alert">That is not right.</p><form>${box('Your first car', 'text', 'value="Beetle"')}<button>Continue</button></form>`,
    { kind: 'question', fields: ['text:Your first car'], error: 'That is not right.' },
    AFTER_PASSWORD,
  ],
  [
    'a website that begins anew after the password',
    `<h1>Welcome</h1><p role="alert">Wrong email or password.</p><form>${box('Email address', 'email')}<button>Continue</button></form>`,
    { kind: 'identifier', fields: ['identifier:Email address'] },
    AFTER_PASSWORD,
  ],
  [
    'a search in words nobody here knows, after the password',
    `<h1>Ongi etorri</h1><main><form role="search"><input name="q" aria-label="Bilatu"><button>Bilatu</button></form></main>`,
    { kind: 'logged_in', fields: [] },
    AFTER_PASSWORD,
  ],
  [
    'a newsletter after the password',
    `<h1>Ongi etorri</h1><form class="newsletter"><input type="email" placeholder="Posta"><button>Continue</button></form>`,
    { fields: [], choices: [] },
    AFTER_PASSWORD,
  ],
  [
    'a link by e-mail is how this form goes on',
    `<h1>Sign in</h1><form method="post">${box('Email', 'email')}<button>Email me a link</button></form>`,
    { kind: 'identifier', submit: 'Email me a link', choices: [] },
  ],
  [
    'a link by e-mail is another way than the password',
    `<h1>Sign in</h1><form method="post">${box('Email', 'email')}${box('Password', 'password')}<button>Sign in</button><button>Email me a link</button></form>`,
    { kind: 'credentials', submit: 'Sign in', choices: ['auth_method/email:Email me a link'] },
  ],
  [
    'a sign-up with email',
    `<h1>Create your account</h1><form>${box('Email', 'email')}<button>Continue with email</button></form>`,
    { kind: 'sign_up', fields: [] },
  ],
  [
    'an application that speaks of a device, and waits for nothing',
    `<h1>Let’s get started!</h1><p>It is 100% free and open source: everything stays on your device, no data is collected, and there is nothing to sign up for.</p>
     <button>Start fresh</button><button>Import my budget</button><button>Try the demo</button>`,
    { external: undefined },
    AFTER_PASSWORD,
  ],
  [
    'a new password by a code, demanded after the right password',
    `<form><h3>Reset Password</h3>${box('Code *', 'text', 'inputmode="numeric" autocomplete="one-time-code" placeholder="Enter your code"')}
     ${box('New Password', 'password', 'autocomplete="new-password"')}${box('Confirm Password', 'password', 'autocomplete="new-password"')}
     <button type="submit">Submit</button><button type="button">Resend Code</button></form>`,
    { kind: 'password_change', fields: [] },
    AFTER_PASSWORD,
  ],
  [
    'a new password demanded after the right one, in a form that still calls itself the login',
    `<h1>Log in</h1><form name="userlogin" method="post"><div class="warning">Your password is old.</div>
     <p style="display:none"><label>Username <input name="wpName" readonly value="ann" autocomplete="username"></label></p>
     ${box('Password', 'password', 'name="wpPassword" autocomplete="new-password"')}${box('Once more', 'password', 'autocomplete="new-password"')}
     <button>Log in</button></form>`,
    { kind: 'password_change', fields: [] },
    AFTER_PASSWORD,
  ],
  [
    'help with the login, in the words of a way in',
    `<h1>Entrar</h1>${login('Nome de usuário', 'Senha', 'Entrar')}<a href="/ajuda">Ajuda com o login</a>`,
    { kind: 'credentials', choices: [] },
  ],
  [
    'something to confirm that can wait, and ways off it',
    `<h1><a href="https://maker.example/">Powered by Maker</a></h1><form method="post"><h1>Administration email verification</h1>
     <p>Is <b>ann@site.example</b> still right? <a href="https://maker.example/why">Why is this important?</a></p>
     <a class="button" href="/options">Update</a><input type="submit" value="The email is correct"><a href="?later=1">Remind me later</a></form>
     <p><a href="/">← Go to the lab</a></p>`,
    { kind: 'fork', choices: ['other/:The email is correct', 'other/:Remind me later'] },
    AFTER_PASSWORD,
  ],
  [
    'only an error',
    `<div role="alert">Something went wrong. Please try again later.</div>`,
    { kind: 'error', error: 'Something went wrong. Please try again later.' },
  ],
  [
    'only an error, in one sentence that nothing marks',
    `Invalid token (session timeout; go back and try again)`,
    { kind: 'error', error: 'Invalid token (session timeout; go back and try again)' },
    AFTER_PASSWORD,
  ],
  [
    'no error in a cookie notice or a hint',
    `${login('Email', 'Password', 'Sign in')}<div role="status">We use cookies.</div><p class="form-feedback">At least 8 characters</p>`,
    { kind: 'credentials', error: null },
  ],
  [
    'a push that is waited for in French, above the way back that would cancel it',
    `<form method="post"><h2>Okta Verify (Ada)</h2><div><p>Sur votre smartphone, appuyez sur <b>73</b> dans l'invite d'Okta Verify pour continuer.</p></div><span role="alert">Notification push envoyée !</span></form><div class="auth-footer"><a href="#">Retour à la page de connexion</a></div>`,
    { kind: 'external_wait', external: { kind: 'push', number: '73' }, error: null },
    AFTER_PASSWORD,
  ],
  [
    'a new password for a person that is known',
    `<h1>Se connecter</h1><form name="userlogin" method="post"><div class="message-warning">Votre mot de passe a expiré. Veuillez en fournir un nouveau pour vous connecter.</div>${box('Nom d’utilisateur', 'text', 'value="Ada" readonly autocomplete="username"')}${box('Nouveau mot de passe', 'password', 'autocomplete="new-password"')}${box('Confirmez le nouveau mot de passe', 'password', 'autocomplete="new-password"')}<button>Continuer la connexion</button></form>`,
    { kind: 'password_change', fields: [], error: 'Votre mot de passe a expiré. Veuillez en fournir un nouveau pour vous connecter.' },
    AFTER_PASSWORD,
  ],
  [
    'a new password that is demanded by the heading alone',
    `<form><h2>Your password has expired</h2>${box('Old password', 'password')}${box('New password', 'password')}${box('Repeat password', 'password')}<button>Change Password</button></form><a href="#">Sign Out</a>`,
    { kind: 'password_change', fields: [], error: 'Your password has expired' },
    AFTER_PASSWORD,
  ],
  [
    'ways in that only the title of the page tells of, beside its languages',
    `<title>Select an authentication source</title>${['English', 'Deutsch', 'Español', 'Italiano', 'Dansk', 'Suomi', 'Norsk'].map((name) => `<a href="?language=${name}">${name}</a> `).join('')}<form><ul><li><input type="submit" name="a" value="Staff and students"></li><li><input type="submit" name="b" value="Partner organisations"></li></ul></form>`,
    { kind: 'fork', choices: ['other/:Staff and students', 'other/:Partner organisations'] },
  ],
  [
    'a code that is sent once it is asked for',
    `<form><h2>SMS Authentication</h2><p>(+1 XXX-XXX-4321)</p>${box('Enter Code', 'tel')}<a class="button" href="#">Send code</a> <input type="submit" value="Verify"></form>`,
    { kind: 'code', fields: ['code:Enter Code'], choices: ['other/:Send code'], submit: 'Verify' },
    AFTER_PASSWORD,
  ],
  [
    'what a page says of a code that it asks for the first time',
    `<h1>Se connecter</h1><form method="post"><div class="message-warning">Veuillez entrer un code de vérification à partir de votre appareil d’authentification.</div>${box('Jeton', 'text', 'autocomplete="one-time-code"')}<button>Continuer la connexion</button></form>`,
    { kind: 'code', fields: ['totp_code:Jeton'], error: null },
    AFTER_PASSWORD,
  ],
  [
    'a list beside name and password that stands at an option',
    `<form>${box('Nombre', 'text')}${box('Contraseña', 'password')}<p><label>Organización <select><option>Headquarters</option><option>Sales department</option></select></label></p><button>Iniciar sesión</button></form>`,
    { kind: 'credentials', fields: ['identifier:Nombre', 'password:Contraseña', 'text:Organización'] },
  ],
];

describe('what real pages are taken for', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  // Every row the same length: Jest takes a missing last argument for its `done` callback.
  it.each(CASES.map(([name, html, expected, context = NOTHING_SENT]) => [name, html, expected, context] as const))(
    '%s',
    async (_name, html, expected, context) => {
      const { verdict } = await lab.look(html, context);
      expect(summary(verdict)).toMatchObject(expected);
      expect(verdict.rules.length > 0 || verdict.kind === 'unknown').toBe(true);
    },
  );
});

describe('D41: what sends blanks is no way in', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  const form = (inside: string, button = '<button>Log on</button>'): string =>
    `<h1>Security details</h1><form method="post" action="/two">${inside}${button}</form>`;
  const letters = (control: string): string => ['2nd', '5th', '7th'].map((place) => `<label>${place}${control}</label>`).join('');
  const list = (...options: readonly string[]): string =>
    `<select>${options.map((option) => `<option>${option}</option>`).join('')}</select>`;
  const BLANKS = [
    ['characters of a word, typed', form(letters('<input type="password" maxlength="1" size="1">'))],
    ['characters of a word, chosen', form(letters(list('', 'a', 'b')))],
    ['two secrets', form(box('Password', 'password') + box('Security number', 'password'))],
    ['a birthday of lists', form(list('1', '2') + list('Jan', 'Feb') + list('1990', '1991'), '<input type="submit" value="Log in">')],
    ['a reason', form('<textarea placeholder="Reason for access"></textarea>', '<button>Log in</button>')],
    ['a date', form('<input type="date" aria-label="Date of birth">', '<button>Sign in</button>')],
    ['a key file', form('<input type="file" aria-label="Key file">', '<button>Sign in</button>')],
    ['a reason outside of a form', '<main><textarea placeholder="Reason for access"></textarea><button>Log in</button></main>'],
    ['a reason beside a greeting', `<h2>Welcome back, ada</h2>${form('<textarea placeholder="Reason"></textarea>')}`],
  ] as const;

  it.each(BLANKS)('%s', async (_name, html) => {
    const { snapshot, page } = await lab.look(html);
    for (const context of [
      NOTHING_SENT,
      { ...NOTHING_SENT, home: page.url() },
      { ...AFTER_PASSWORD, sent: ['identifier'] as const },
      AFTER_PASSWORD,
    ]) {
      const verdict = classifyPage(snapshot, context);
      expect(verdict.entry).toBe(null);
      expect(verdict.kind).not.toMatch(/^(landing|logged_in)$/);
    }
  });

  it('a refusal of before that has not gone yet is no answer of the page that follows', async () => {
    const html = `<div id="page">${login('Name', 'Password', 'Sign in')}</div><ol role="status"><li>Invalid username or password</li></ol>`;
    const { page, raw, snapshot, verdict } = await lab.look(html);
    const context: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    expect(verdict).toMatchObject({ kind: 'credentials', error: 'Invalid username or password' });
    await raw.locator('#page').evaluate((element) => (element.innerHTML = '<h1>Your files</h1><a href="/new">New file</a>'));
    expect(classifyPage(await page.observe(), context).error).toBe(null);
    await raw.locator('li').evaluate((element) => (element.textContent = 'Your account is locked'));
    expect(classifyPage(await page.observe(), context).error).toBe('Your account is locked');
  });

  it.each([
    [
      'of a form that hides what it sends',
      '<form method="post" action="/login"><input type="hidden" name="token" value="1"><button>Log in</button></form>',
    ],
    ['beside a box to search in', '<main><input type="search" placeholder="Search"><button>Log in</button></main>'],
    [
      'in the menu of a form that is the whole page',
      `<form><header><button>Log in</button></header><main>${box('Your email', 'email')}<button>Get started</button></main></form>`,
    ],
    ['as a link in a form', `<form>${list('English', 'Deutsch')}<a href="/login">Log in</a></form>`],
  ])('but it may be a button %s', async (_name, html) => {
    const { verdict } = await lab.look(`<h1>Our shop</h1>${html}`);
    expect(summary(verdict)).toMatchObject({ kind: 'landing', entry: 'Log in' });
  });
});

describe('what a page is taken for by what is known of the flow', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  it.each([
    ['something to use, in words nobody here knows', `<h1>Hasiera</h1><button>Berria</button><button>Zabaldu</button>`, 'logged_in'],
    ['a login', login('Email', 'Password', 'Sign in'), 'credentials'],
    ['an account', `<header><button>My account</button></header><h1>Hasiera</h1>`, 'logged_in'],
    ['a way in', `<header><a href="/login">Log in</a></header><h1>Our shop</h1>`, 'landing'],
    ['a refusal', `<p role="alert">Your session is not valid</p><button>Retry</button>`, 'error'],
    ['nothing to use yet', `<p>Kargatzen</p>`, 'unknown'],
  ] as const)('D44: where the last login ended: %s', async (_name, html, kind) => {
    const { page, snapshot } = await lab.look(html);
    expect(classifyPage(snapshot, { ...NOTHING_SENT, home: `${page.url()}?from=login#top` }).kind).toBe(kind);
  });

  it.each([
    [
      'has an editor of code',
      `<a href="/q">Galderak</a><a href="/k">Konexioak</a><input placeholder="Izena"><button>Gorde</button><button></button><button>Exekutatu</button><div style="opacity:0"><textarea></textarea></div>`,
    ],
    ['has menus about work', '<nav><a href="#p">Projects</a><a href="#r">Reports</a></nav><h1>Hasiera</h1><button>New invoice</button>'],
  ])('D43: behind a password, at the same address, an application that %s has let one in', async (_name, html) => {
    const { snapshot } = await lab.look(html);
    const before = pageBefore({ asked: ['username'], url: snapshot.url });
    expect(classifyPage(snapshot, { ...AFTER_PASSWORD, before }).kind).toBe('logged_in');
    expect(classifyPage(snapshot, { ...NAMED, before }).kind).not.toBe('logged_in');
  });

  it.each([':r2:', '«r2»', '_r_2_'])('an id that was made up says nothing about a box: %s', async (id) => {
    const { verdict } = await lab.look(
      `<h1>Welcome!</h1><form><label for=":r1:">Email</label><input id=":r1:" name="email" type="email"><label for="${id}">Password</label><input id="${id}" name="password" type="password"><button>Log in</button></form>`,
    );
    expect(summary(verdict)).toMatchObject({ kind: 'credentials', fields: ['identifier:Email', 'password:Password'] });
  });

  it('D41: a button that has a code sent is not what sends the code, whatever stands first', async () => {
    const { verdict } = await lab.look(
      '<main><p>Enter the SMS code</p><input placeholder="SMS code"><button type="button">Send code</button><button type="button">Submit</button></main>',
      AFTER_PASSWORD,
    );
    expect(summary(verdict)).toMatchObject({ kind: 'code', fields: ['code:SMS code'], submit: 'Submit', choices: ['other/:Send code'] });
  });

  it('D41: a button that says so of the form it sends is what sends the code', async () => {
    const form =
      '<form method="post" action="/2"><input name="code" placeholder="Code"><button>Code senden</button><button type="button">Abbrechen</button></form>';
    expect((await lab.look(`<h1>Bestätigung</h1>${form}`, AFTER_PASSWORD)).verdict.submit?.label).toBe('Code senden');
  });

  it.each([
    ['greets', '<h2>Welcome back, Bo</h2>', 'Next', 'password'],
    ['offers help with it', '<h2>Almost there</h2><a href="/f">Forgot your password?</a>', 'Next', 'password'],
    ['makes an account', '<h1>Create your account</h1>', 'Next', 'sign_up'],
    ['wants a new one', '<h1>Choose a new password</h1>', 'Next', 'password_change'],
    ['says nothing of the kind', '<h1>Hasiera</h1>', 'Sign up', 'sign_up'],
  ])('a box that no memory is to fill, alone behind the name, is what its page is about: %s', async (_name, head, button, kind) => {
    const html = `${head}<form>${box('Password', 'password', 'autocomplete="new-password"')}<button>${button}</button></form>`;
    const { snapshot, verdict } = await lab.look(html, NAMED);
    const isKind = verdict.kind === kind || (kind !== 'password' && verdict.kind !== 'password' && verdict.fields.length === 0);
    expect([kind, verdict.kind, isKind]).toEqual([kind, verdict.kind, true]);
    if (kind !== 'password') return;
    const context: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    const refused = await lab.look(`${html}<p role="alert">Wrong password</p>`, context);
    expect(summary(refused.verdict)).toMatchObject({ kind: 'password', fields: ['password:Password'], error: 'Wrong password' });
  });

  it('an order that asks where to send it, with a way out below, is an application, and nothing of it is filled', async () => {
    const { verdict } = await lab.look(
      `<h1>Checkout</h1><form action="/to">${box('Street', 'text')}${box('Postcode', 'text')}<button>Continue to payment</button></form><p>Not Lucy? <a href="/logout">Log out</a></p>`,
      AFTER_PASSWORD,
    );
    expect(summary(verdict)).toMatchObject({ kind: 'logged_in', fields: [] });
  });

  it('a box that shows an address for an example asks for one', async () => {
    const { verdict } = await lab.look(
      '<h1>Log in</h1><form><label>Harborid <input placeholder="name@company.com"></label><button>Continue</button></form>',
    );
    expect(summary(verdict)).toMatchObject({ kind: 'identifier', fields: ['identifier:Harborid'] });
  });

  it('what only shows a choice is no box to type into', async () => {
    const { verdict } = await lab.look(
      `<h1>Sign in</h1><form>${box('User', 'text')}${box('Password', 'password')}<span role="combobox" tabindex="0"><span role="textbox" aria-readonly="true" tabindex="0">Alpha Ltd</span></span><button>Sign in</button></form>`,
    );
    expect(summary(verdict)).toMatchObject({ fields: ['identifier:User', 'password:Password'] });
  });

  it('D41: a button under a notice that has one of its own is still what sends the form', async () => {
    const at = (top: number, z: number): string => `position:fixed;left:0;top:${top}px;width:300px;background:#fff;z-index:${z}`;
    const { verdict } = await lab.look(
      `<div role="dialog" style="${at(0, 1)};height:400px"><form>${box('User', 'text')}${box('Password', 'password')}</form><div style="position:absolute;top:200px"><button type="button">Sign in</button></div></div>
       <div role="dialog" style="${at(180, 2)};height:100px"><p>Wrong name or password</p><button type="button">Ok</button></div>`,
    );
    expect(verdict.submit?.label).toBe('Sign in');
  });

  it.each([
    ['The user name or password is wrong.', true],
    ['Something went wrong. Please try again later.', false],
  ])('D43: what is told of is something typed, or not: %s', async (told, refusal) => {
    const { verdict } = await lab.look(`<h1>Not signed in</h1><p role="alert">${told}</p>`, AFTER_PASSWORD);
    expect(verdict).toMatchObject({ kind: 'error', error: told, refusal });
  });

  it('D43: a refusal that asks something is a refusal', async () => {
    const page = (told: string): string => `<h1>Accedi</h1>${login('Utente', 'Password', 'Accedi')}<p>${told}</p>`;
    const { snapshot, verdict } = await lab.look(page(''));
    const told = 'Password errata: hai attivato il blocco maiuscole?';
    const context: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    expect((await lab.look(page(told), context)).verdict.error).toBe(told);
  });

  it('D43: a page of one sentence that leads back to the login is its refusal', async () => {
    const { snapshot, verdict } = await lab.look(login('User', 'Password', 'Sign in'));
    const context: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    const refused = await lab.look('Invalid user name and/or password, please try <a href="/shown/index.jsp">again</a>.', context);
    expect(refused.verdict).toMatchObject({
      kind: 'error',
      error: 'Invalid user name and/or password, please try again.',
      retry: { label: 'again' },
    });
  });

  it('D43: a refused passcode is asked for again as the code that it is', async () => {
    const html = '<h1>Two-step verification</h1><main><input placeholder="Passcode"><button>Submit</button></main>';
    const first = await lab.look(html, AFTER_PASSWORD);
    expect(summary(first.verdict)).toMatchObject({ kind: 'code', fields: ['code:Passcode'] });
    const context: PageContext = { sent: ['identifier', 'password', 'code'], before: beforeSending(first.snapshot, first.verdict) };
    const toast = '<div role="status">That code is not valid.<button aria-label="Dismiss notification">×</button></div>';
    const { verdict } = await lab.look(html + toast, context);
    expect(summary(verdict)).toMatchObject({ kind: 'code', fields: ['code:Passcode'] });
    expect(verdict.choices).toEqual([]);
  });

  it('D60: narrow boxes in a row without a word about them are one code', async () => {
    const boxes = '<input style="width:32px">'.repeat(6);
    const { verdict } = await lab.look(`<h3>Security check</h3><p>We sent a code to +1 *** *** 42</p>${boxes}`, AFTER_PASSWORD);
    expect(verdict.fields.map(({ type, handles }) => [type, handles.length])).toEqual([['code', 6]]);
  });

  it.each([
    [
      'calls the one who is there by the name that was sent',
      '<header><button>ada@example.org ▾</button></header><h1>Hasiera</h1>',
      'logged_in',
    ],
    ['calls somebody else', '<header><button>ada@example.org.eu</button></header><h1>Hasiera</h1>', 'unknown'],
    ['names whom it asks', '<h1>Hasiera</h1><main><button>ada@example.org</button></main>', 'fork'],
    [
      'calls the one who is there and asks',
      '<header><button>ada@example.org</button></header><h1>Hasiera</h1><form method="post" action="/bai"><button>Bai</button></form>',
      'fork',
    ],
    [
      'calls the one who is there at a step',
      '<header><button>ada@example.org</button></header><h1>Approve the request on your phone</h1>',
      'external_wait',
    ],
  ] as const)('D43: behind a password, at the same address, a page of few words that %s', async (_name, html, kind) => {
    const { snapshot } = await lab.look(html);
    const context: PageContext = { ...AFTER_PASSWORD, before: pageBefore({ asked: ['username'], url: snapshot.url }) };
    expect(classifyPage(snapshot, { ...context, name: 'Ada@example.org' }).kind).toBe(kind);
    if (kind === 'logged_in') expect(classifyPage(snapshot, context).kind).toBe('unknown');
  });

  it.each([
    ['alone from its page, is asked again as the password', ['password'], 'password:Memorable word'],
    ['beside a name, was another', ['username', 'password'], 'text:Memorable word'],
  ])('D43: a memorable word on the page from which a password went %s', async (_name, asked, field) => {
    const { snapshot } = await lab.look(`<h1>Sign in</h1><form>${box('Memorable word', 'password')}<button>Sign in</button></form>`);
    const before = pageBefore({ url: snapshot.url, asked });
    expect(summary(classifyPage(snapshot, { ...AFTER_PASSWORD, before }))).toMatchObject({ fields: [field] });
  });

  it('D60: a tab is not described by the one beside it', async () => {
    const tabs = `<div role="tablist"><div role="tab" aria-selected="true" tabindex="0">Account Login</div><div role="tab" aria-selected="false" tabindex="-1">Phone Login</div></div>`;
    const { verdict } = await lab.look(`<h1>Sign in</h1>${tabs}${login('Username', 'Password', 'Sign in')}`);
    expect(verdict.choices.map(({ label, description }) => [label, description])).toEqual([['Phone Login', null]]);
  });

  it('D43: what the website refuses about a box is its error, and no hint to the box as well', async () => {
    const form = `<h1>Sign in</h1><form><p id="said">Unknown name.</p>${box('Name', 'text', 'aria-describedby="said"')}${box('Password', 'password')}<button>Sign in</button></form>`;
    const { verdict } = await lab.look(form.replace('<p', '<p class="error" role="alert"'), AFTER_PASSWORD);
    expect([verdict.error, verdict.fields.map(({ hint }) => hint)]).toEqual(['Unknown name.', [null, null]]);
    expect((await lab.look(form)).verdict.fields.map(({ hint }) => hint)).toEqual(['Unknown name.', null]);
  });

  it('D60: a list that stands at an option may be left as it is, and its hint says what that means', async () => {
    const { verdict } = await lab.look(
      `<form>${box('Name', 'text')}${box('Password', 'password')}<select aria-label="Department"><option>Yards</option><option selected>Docks</option></select><button>Sign in</button></form>`,
    );
    expect(verdict.fields[2]).toMatchObject({ required: false, hint: 'One of: Yards, Docks. Without an answer: Docks' });
  });

  it('D43: what only a reader of screens is told is the error where nothing else is', async () => {
    const unseen = (text: string): string =>
      `<p role="alert" style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">${text}</p>`;
    const form = login('Name', 'Password', 'Sign in').replace('<button>', `${unseen('The value is invalid.')}<button>`);
    expect((await lab.look(form, AFTER_PASSWORD)).verdict.error).toBe('The value is invalid.');
    const told = form.replace('<form>', '<form><p class="strip">Wrong name or password.</p>');
    const context = { ...AFTER_PASSWORD, before: pageBefore({ asked: ['username', 'password'] }) };
    expect((await lab.look(told, context)).verdict.error).toBe('Wrong name or password.');
  });

  it('D43: a password that is shown as it is typed, refused on its own page, is asked again as the password', async () => {
    const { snapshot } = await lab.look(
      `<h1>Hello ada</h1><p role="alert">Wrong password</p><form>${box('Password', 'text')}<button>Sign in</button></form>`,
    );
    const before = pageBefore({ url: snapshot.url, boxes: ['input password  Password  '] });
    expect(summary(classifyPage(snapshot, { ...AFTER_PASSWORD, before }))).toMatchObject({ fields: ['password:Password'] });
    expect(summary(classifyPage(snapshot, AFTER_PASSWORD))).toMatchObject({ fields: ['code:Password'] });
  });

  it('D45: a plain box that comes after the password is never the password again, where the application has not left its address either', async () => {
    const { page, raw, snapshot, verdict } = await lab.look(
      `<form>${box('User', 'text')}${box('Password', 'password')}<button>Log in</button></form>`,
    );
    const context: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    await raw.evaluate(() => {
      document.body.innerHTML = `<form><h2>Log in</h2><p>Logging in as ada@example.org <a href="#">Not you?</a></p><label for="otp">Passcode</label>
        <input id="otp" type="text" aria-describedby="help"><div id="help">Open your TOTP app and enter the passcode shown for the shop.</div>
        <button type="submit">Verify</button></form>`;
    });
    expect(summary(classifyPage(await page.observe(), context))).toMatchObject({
      kind: 'code',
      fields: ['totp_code:Passcode'],
      error: null,
    });
  });

  it('D43: a refusal that takes the place of the same one is told again', async () => {
    const { page, raw, snapshot, verdict } = await lab.look(
      `<div id="status"></div><form>${box('User', 'text')}${box('Password', 'password')}<button>Log in</button></form>`,
    );
    const say = (): Promise<void> =>
      raw.evaluate(() =>
        document.getElementById('status')?.replaceChildren(Object.assign(document.createElement('p'), { textContent: 'Login failed' })),
      );
    await say();
    const first = await page.observe();
    const told = classifyPage(first, { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) });
    expect(told).toMatchObject({ error: 'Login failed', errorIsNew: true });
    await say();
    const context: PageContext = { sent: ['identifier', 'password'], before: beforeSending(first, told) };
    expect(classifyPage(await page.observe(), context)).toMatchObject({ kind: 'credentials', error: 'Login failed' });
  });

  it.each([
    ['a statement in the form', 'Wrong user name or password', 'Wrong user name or password'],
    ['a question in the form', 'Wrong account?', null],
    ['words of no table', 'Use the one of the library card', 'Use the one of the library card'],
  ])('D43: %s that was not there when it was sent, marked by nothing', async (_name, said, error) => {
    const { page, raw, snapshot, verdict } = await lab.look(
      `<form>${box('User name', 'text')}${box('Password', 'password')}<div id="told"></div><p>Invalid entries are not kept.</p><button>Sign in</button></form>`,
    );
    const context: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    expect(classifyPage(snapshot, context).error).toBe(null);
    await raw.evaluate((text) => (document.getElementById('told') as HTMLElement).append(text), said);
    expect(classifyPage(await page.observe(), context)).toMatchObject({ kind: 'credentials', error, errorIsNew: error !== null });
  });
});
