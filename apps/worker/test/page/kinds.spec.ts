import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { NOTHING_SENT, type PageContext, type PageKind, type Verdict } from '../../src/discovery/verdict.js';
import { PageLab } from './fixture.js';

/** What a case may say of its verdict; fields as `type:label`, choices as `type/mfaType:label`. */
type Expected = {
  readonly kind: PageKind;
  readonly fields?: readonly string[];
  readonly choices?: readonly string[];
  readonly submit?: string | null;
  readonly error?: string | null;
  readonly entry?: string;
  readonly external?: { readonly kind: string; readonly number: string | null };
  readonly captcha?: boolean;
};

const AFTER_PASSWORD: PageContext = {
  sent: ['identifier', 'password'],
  before: { url: 'http://site.example/login', documentId: 'before', alerts: [] },
};
const box = (label: string, type: string, more = ''): string => `<p><label>${label} <input type="${type}" ${more}></label></p>`;
const login = (name: string, password: string, button: string): string =>
  `<form>${box(name, 'text')}${box(password, 'password')}<button>${button}</button></form>`;

const LANGUAGES: readonly (readonly [string, string, string, string])[] = [
  ['en', 'Username', 'Password', 'Sign in'],
  ['de', 'Benutzername', 'Kennwort', 'Anmelden'],
  ['fr', 'Identifiant', 'Mot de passe', 'Se connecter'],
  ['es', 'Nombre de usuario', 'Contraseña', 'Iniciar sesión'],
  ['pt', 'Nome de utilizador', 'Palavra-passe', 'Entrar'],
  ['it', 'Nome utente', 'Parola chiave', 'Accedi'],
  ['nl', 'Gebruikersnaam', 'Wachtwoord', 'Inloggen'],
  ['pl', 'Nazwa użytkownika', 'Hasło', 'Zaloguj się'],
  ['ru', 'Имя пользователя', 'Пароль', 'Войти'],
  ['ja', 'ユーザー名', 'パスワード', 'ログイン'],
  ['zh', '用户名', '密码', '登录'],
  ['ko', '아이디', '비밀번호', '로그인'],
];

/** The password box is a text box here (a site that shows it), so that only words tell what it is. */
const CODE_WORDS: readonly (readonly [string, string, string])[] = [
  ['en', 'Verification code', 'Verify'],
  ['de', 'Bestätigungscode', 'Bestätigen'],
  ['fr', 'Code de vérification', 'Valider'],
  ['es', 'Código de verificación', 'Verificar'],
  ['pt', 'Código de verificação', 'Confirmar'],
  ['it', 'Codice di verifica', 'Conferma'],
  ['nl', 'Verificatiecode', 'Bevestigen'],
  ['pl', 'Kod weryfikacyjny', 'Potwierdź'],
  ['ru', 'Код подтверждения', 'Подтвердить'],
  ['ja', '認証コード', '確認'],
  ['zh', '验证码', '提交'],
  ['ko', '인증번호', '확인'],
];

const ERRORS: readonly (readonly [string, string])[] = [
  ['en', 'Your password is incorrect.'],
  ['de', 'Das Passwort ist falsch.'],
  ['fr', 'Mot de passe incorrect.'],
  ['es', 'La contraseña no es correcta.'],
  ['pt', 'Senha incorreta.'],
  ['it', 'La password non è corretta.'],
  ['nl', 'Het wachtwoord is onjuist.'],
  ['pl', 'Nieprawidłowe hasło.'],
  ['ru', 'Неверный пароль.'],
  ['ja', 'パスワードが正しくありません。'],
  ['zh', '密码错误'],
  ['ko', '비밀번호가 올바르지 않습니다.'],
];

const CASES: readonly (readonly [string, string, Expected, PageContext?])[] = [
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
    'SMS code with a way out',
    `<h1>Two-step verification</h1><p>We sent a code to +1 ••• ••• 42.</p><form>${box('Code', 'text', 'inputmode="numeric" maxlength="6" autocomplete="one-time-code"')}<button>Verify</button></form><button>Resend code</button><button>Try another way</button>`,
    { kind: 'code', fields: ['code:Code'], submit: 'Verify', choices: ['mfa_method/switch:Try another way'] },
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
    'an offer of a second factor is no end',
    `<nav><a href="/a">Plans</a><a href="/b">Docs</a><a href="/c">Blog</a><a href="/d">Shop</a></nav><h1>Protect your account</h1><p>Set up an authenticator app to go on.</p><button>Set up</button><button>Remind me tomorrow</button>`,
    { kind: 'unknown' },
    AFTER_PASSWORD,
  ],
  [
    'a step in words nobody here knows, beside a menu of languages, is no end',
    `<nav>${['?l=ka', '?l=hy', '?l=eu', '?l=mt', '?l=cy', '?l=ga'].map((to) => `<a href="${to}">${to.slice(3)}</a>`).join('')}</nav><h1>Aukeratu nola</h1><form><button name="m" value="1">Telefonoa</button><button name="m" value="2">Gako bat</button></form>`,
    { kind: 'unknown' },
    AFTER_PASSWORD,
  ],
  [
    'such a step in one form with many buttons is none either',
    `<h1>Aukeratu nola</h1><form>${['Telefonoa', 'Gako bat', 'Gutuna', 'Ahotsa', 'Beste bat'].map((text) => `<button>${text}</button>`).join('')}</form>`,
    { kind: 'unknown' },
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
    'only an error',
    `<div role="alert">Something went wrong. Please try again later.</div>`,
    { kind: 'error', error: 'Something went wrong. Please try again later.' },
  ],
  [
    'no error in a cookie notice or a hint',
    `${login('Email', 'Password', 'Sign in')}<div role="status">We use cookies.</div><p class="form-feedback">At least 8 characters</p>`,
    { kind: 'credentials', error: null },
  ],
];

describe('what real pages are taken for', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  it.each(LANGUAGES)('a login in %s', async (language, name, password, button) => {
    const { verdict } = await lab.look(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><body>${login(name, password, button)}</body></html>`,
    );
    expect(summary(verdict)).toMatchObject({ kind: 'credentials', fields: [`identifier:${name}`, `password:${password}`], submit: button });
  });

  it.each(LANGUAGES)('the same in %s with boxes of no type, told apart by words alone', async (_language, name, password, button) => {
    const { verdict } = await lab.look(`<form>${box(password, 'text')}${box(name, 'text')}<button>${button}</button></form>`);
    expect(summary(verdict)).toMatchObject({ kind: 'credentials', fields: [`password:${password}`, `identifier:${name}`] });
  });

  it.each(CODE_WORDS)('a code in %s', async (_language, label, button) => {
    const { verdict } = await lab.look(`<form>${box(label, 'text')}<button>${button}</button></form>`);
    expect(summary(verdict)).toMatchObject({ kind: 'code', fields: [`code:${label}`], submit: button });
  });

  it.each(ERRORS)('an error in %s, said only by its colour', async (_language, text) => {
    const { verdict } = await lab.look(`${login('Email', 'Password', 'Sign in')}<p style="color:#d00">${text}</p>`);
    expect(verdict.error).toBe(text);
  });

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

function summary(verdict: Verdict): Record<string, unknown> {
  return {
    kind: verdict.kind,
    fields: verdict.fields.filter(({ editable }) => editable).map(({ type, label }) => `${type}:${label}`),
    choices: verdict.choices.map(({ type, mfaType, label }) => `${type}/${mfaType ?? ''}:${label}`),
    submit: verdict.submit?.label ?? null,
    error: verdict.error,
    captcha: verdict.captcha,
    entry: verdict.entry?.label,
    external: verdict.externalAction ? { kind: verdict.externalAction.kind, number: verdict.externalAction.number } : undefined,
  };
}
