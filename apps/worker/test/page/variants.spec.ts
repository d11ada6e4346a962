import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { PageKind, Verdict } from '../../src/discovery/verdict.js';
import { PageLab } from './fixture.js';

/** `#go` in a page is the control that sends its login; `asks` are the boxes asked for, by their `name`. */
interface Expected {
  readonly kind: PageKind | readonly PageKind[];
  readonly asks?: readonly string[];
  readonly sends?: '#go' | null;
}

const NAMED: Expected = { kind: 'credentials', asks: ['identifier a', 'password b'], sends: '#go' };
const ICON = '<svg width="20" height="20" viewBox="0 0 20 20"><path d="M2 10h14m-5-5 5 5-5 5"></path></svg>';
const EYE = '<svg width="16" height="16" class="icon-eye"><circle cx="8" cy="8" r="4"></circle></svg>';

/** How boxes and their words are put together. */
const MARKUP: readonly (readonly [string, string, Expected])[] = [
  [
    'labels by for',
    '<h2>Log in</h2><form><label for="x1">Email</label><input id="x1" name="a"><label for="x2">Password</label><input id="x2" name="b" type="password"><button id="go">Log in</button></form>',
    NAMED,
  ],
  [
    'labels by aria-labelledby',
    '<form><div id="l1">Username</div><div><input name="a" aria-labelledby="l1"></div><div id="l2">Password</div><div><input name="b" type="password" aria-labelledby="l2"></div><button id="go">Continue</button></form>',
    NAMED,
  ],
  [
    'labels that are table cells',
    '<form><table><tr><td>User:</td><td><input name="a"></td></tr><tr><td>Password:</td><td><input name="b" type="password"></td></tr><tr><td></td><td><input id="go" type="submit" value="OK"></td></tr></table></form>',
    NAMED,
  ],
  [
    'labels that are a definition list',
    '<form><dl><dt>Login</dt><dd><input name="a"></dd><dt>Password</dt><dd><input type="password" name="b"></dd></dl><p><input type="submit" id="go" value="Login"></p></form>',
    NAMED,
  ],
  [
    'labels behind the boxes',
    '<form><div><input name="a" id="f1"><label for="f1">Username</label></div><div><input name="b" id="f2" type="password"><label for="f2">Password</label></div><button id="go">Login</button></form>',
    NAMED,
  ],
  [
    'placeholders alone',
    '<form><input name="a" placeholder="Username or email"><input name="b" type="password" placeholder="Password"><button id="go">Go</button></form>',
    NAMED,
  ],
  [
    'title attributes alone',
    '<form><input name="a" title="User name"><input name="b" type="password" title="Password"><button id="go">Enter</button></form>',
    NAMED,
  ],
  [
    'no words at all',
    '<form action="/session"><input name="a"><input name="b" type="password"><button id="go" aria-label="Sign in">→</button></form>',
    NAMED,
  ],
  [
    'no form element',
    '<main><h1>Sign in</h1><input name="a" placeholder="Email"><input name="b" type="password" placeholder="Password"><button id="go" type="button">Sign in</button></main>',
    NAMED,
  ],
  [
    'no form, no button',
    '<h1>Sign in</h1><input name="a" placeholder="Email"><input name="b" type="password" placeholder="Password">',
    { ...NAMED, sends: null },
  ],
  [
    'boxes in forms of their own',
    '<h1>Sign in</h1><form><input name="a" placeholder="Email"></form><form><input name="b" type="password" placeholder="Password"></form><button id="go">Sign in</button>',
    NAMED,
  ],
  [
    'a nameless wrapper around each box',
    '<form><div class="field"><span>Kundennummer</span><div class="wrap"><input name="a"></div></div><div class="field"><span>Passwort</span><div class="wrap"><input name="b" type="password"></div></div><div><button id="go" type="submit">Weiter</button></div></form>',
    NAMED,
  ],
];

/** What sends the form. */
const BUTTONS: readonly (readonly [string, string, Expected])[] = [
  [
    'an icon alone',
    `<h1>Sign in</h1><form><input name="a" placeholder="Email"><input name="b" type="password" placeholder="Password"><button id="go" type="submit">${ICON}</button></form>`,
    NAMED,
  ],
  [
    'an icon in a div',
    `<h1>Sign in</h1><div><input name="a" placeholder="Email"><input name="b" type="password" placeholder="Password"><div id="go" role="button" tabindex="0" aria-label="Submit">${ICON}</div></div>`,
    NAMED,
  ],
  [
    'outside its form, by the form attribute',
    '<form id="f"><input name="a" placeholder="Email"><input name="b" type="password" placeholder="Password"></form><div><input type="submit" form="f" id="go" value="Sign in"><button>Get help</button></div>',
    NAMED,
  ],
  [
    'a div with a role',
    '<div><h3>Member login</h3><input name="a" placeholder="Member ID"><input name="b" type="password" placeholder="Password"><div role="button" id="go" tabindex="0">Login</div><div role="button" tabindex="0">Register</div></div>',
    NAMED,
  ],
  [
    'a link that acts',
    '<form action="/j_security_check"><input name="a" placeholder="Username"><input name="b" type="password" placeholder="Password"><a href="#" id="go" class="btn btn-primary" onclick="return false">Log In</a><a href="/forgot">Forgot password?</a></form>',
    NAMED,
  ],
  [
    'a link by script address',
    '<form><input name="a" placeholder="Username"><input name="b" type="password" placeholder="Password"><a href="javascript:void(0)" id="go">Sign in</a> <a href="/register">Sign up</a></form>',
    NAMED,
  ],
  [
    'a picture',
    '<form><input name="a" placeholder="Username"><input name="b" type="password" placeholder="Password"><input type="image" id="go" alt="Login" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" width="60" height="20"></form>',
    NAMED,
  ],
  [
    'a button of type button among others',
    '<form><input name="a" placeholder="Username"><input name="b" type="password" placeholder="Password"><button type="button">Cancel</button><button type="button" id="go">Login</button><button type="reset">Clear</button></form>',
    NAMED,
  ],
  [
    'after cancel',
    '<form><input name="a" placeholder="Username"><input name="b" type="password" placeholder="Password"><button type="submit" name="cancel">Cancel</button><button type="submit" id="go">OK</button></form>',
    NAMED,
  ],
  [
    'a span that looks like a button',
    '<form><input name="a" placeholder="Username"><input name="b" type="password" placeholder="Password"><span id="go" class="button" style="cursor:pointer">Sign in</span></form>',
    NAMED,
  ],
  [
    'disabled until filled',
    '<form><input name="a" placeholder="Email"><input name="b" type="password" placeholder="Password"><button disabled id="go">Continue</button><button type="button">Use single sign-on</button></form>',
    NAMED,
  ],
  [
    'beside an eye',
    `<form><input name="a" placeholder="Email"><div><input name="b" type="password" placeholder="Password"><button type="button" aria-label="Toggle password visibility">${EYE}</button></div><button id="go">${ICON}</button></form>`,
    NAMED,
  ],
  [
    'beside an eye of type submit',
    `<form><input name="a" placeholder="Email"><div><input name="b" type="password" placeholder="Password"><button class="password-toggle">${EYE}</button></div><button id="go">Sign in</button></form>`,
    NAMED,
  ],
  [
    'above the boxes in a header',
    '<form><header><b>Account</b><button id="go">Sign in</button></header><input name="a" placeholder="Email"><input name="b" type="password" placeholder="Password"></form>',
    NAMED,
  ],
  [
    'after remember me and forgotten',
    '<form><input name="a" placeholder="Email"><input name="b" type="password" placeholder="Password"><label><input type="checkbox"> Remember me</label><a href="/reset">Forgot?</a><button type="button">Forgot password</button><button id="go">Log me in</button></form>',
    NAMED,
  ],
  [
    'before a sign-up button',
    '<form><input name="a" placeholder="Email"><input name="b" type="password" placeholder="Password"><button id="go">Log in</button><hr><button type="submit" class="primary">Create new account</button></form>',
    NAMED,
  ],
  [
    'between providers',
    '<form><button type="button"><img alt="Google" width="20" height="20"></button><button type="button">Sign in with Microsoft</button><input name="a" placeholder="Email"><input name="b" type="password" placeholder="Password"><button id="go">Sign in with email</button><a href="/auth/okta">Okta</a></form>',
    NAMED,
  ],
  [
    'in a language of its own',
    '<form><input name="a" placeholder="E-post"><input name="b" type="password" placeholder="Lösenord"><button type="button">Avbryt</button><button id="go">Logga in</button></form>',
    NAMED,
  ],
];

/** What a name to sign in with can be called. */
const NAMES: readonly string[] = [
  'Username or email',
  'Email or phone number',
  'Mobile number',
  'Customer number',
  'Member ID',
  'Loyalty card number',
  'IBAN',
  'Access ID',
  'Online ID',
  'Account',
  'Contract number',
  'Student number',
  'Employee ID',
  'Tax number',
  'Badge number',
  'PESEL',
  'NIF',
  'CPF',
  'DNI / NIE',
  'Kontonummer',
  'Anmeldename',
  'E-Mail oder Kundennummer',
  'Zugangsnummer',
  'Vertragsnummer',
  'Numéro client',
  'Adresse e-mail ou identifiant',
  'Número de cliente',
  'Correo o usuario',
  'CPF ou e-mail',
  'Codice cliente',
  'Codice fiscale',
  'Klantnummer',
  'Numer klienta',
  'Login lub e-mail',
  'Логин или почта',
  'Номер телефона',
  'メールアドレスまたは会員番号',
  'お客様番号',
  '手机号/邮箱',
  '账号',
  '아이디 또는 이메일',
  '휴대폰 번호',
  'Personnummer',
  'Brugernavn',
  'Uživatelské jméno',
  'Kullanıcı adı',
  'Felhasználónév',
];

/** Pages that ask for no login, or for one among other things. */
const PAGES: readonly (readonly [string, string, Expected])[] = [
  [
    'two columns, login left',
    '<div><section><h2>Returning customer</h2><form><label>Email <input name="a" type="email"></label><label>Password <input name="b" type="password"></label><button id="go">Sign in</button></form></section><section><h2>New customer</h2><form><label>Name <input name="n"></label><label>Email <input name="e" type="email"></label><label>Password <input name="p" type="password"></label><button>Register</button></form></section></div>',
    NAMED,
  ],
  [
    'two columns, sign-up left',
    '<div><section><h2>Create an account</h2><form><label>Email <input name="e" type="email"></label><label>Password <input name="p" type="password"></label><label><input type="checkbox"> I agree to the terms</label><button>Create account</button></form></section><section><h2>Already registered?</h2><form><label>Email <input name="a" type="email"></label><label>Password <input name="b" type="password"></label><button id="go">Login</button></form></section></div>',
    NAMED,
  ],
  [
    'two columns in one form',
    '<form><div><h2>Ny kund</h2><label>E-post <input name="e" type="email"></label><button name="register">Registrera</button></div><div><h2>Logga in</h2><label>E-post <input name="a" type="email"></label><label>Lösenord <input name="b" type="password"></label><button id="go">Logga in</button></div></form>',
    NAMED,
  ],
  [
    'a login in the header of a shop',
    '<header><form action="/search"><input name="q" placeholder="What are you looking for?"><button>Go</button></form><form action="/login"><input name="a" placeholder="Login"><input name="b" type="password" placeholder="Password"><button id="go">OK</button></form></header><main><h1>Spring sale</h1><form><input type="email" placeholder="Your e-mail" name="n"><button>Subscribe</button></form></main>',
    NAMED,
  ],
  [
    'one-time code',
    '<h1>Check your phone</h1><form><input name="c" autocomplete="one-time-code" inputmode="numeric"><button id="go">Continue</button></form>',
    { kind: 'code', asks: ['code c'], sends: '#go' },
  ],
  [
    'a code with the address it went to',
    '<h1>Verify your email</h1><p>We sent a code to a@b.example</p><form><label>Code <input name="c" maxlength="6"></label><button type="button">Resend code</button><button id="go">Verify</button></form>',
    { kind: 'code', asks: ['code c'], sends: '#go' },
  ],
  [
    'a login that asks for the code at once',
    '<form><label>Username <input name="a"></label><label>Password <input name="b" type="password"></label><label>One-time code <input name="c" autocomplete="one-time-code"></label><button id="go">Sign in</button></form>',
    { kind: 'credentials', asks: ['identifier a', 'password b', 'code c'], sends: '#go' },
  ],
  [
    'a company before the name',
    '<h1>Sign in</h1><form><label>Company ID <input name="o" required></label><label>User name <input name="a"></label><label>Password <input name="b" type="password"></label><button id="go">Sign in</button></form>',
    { kind: 'credentials', sends: '#go' },
  ],
  [
    'a domain list beside the name',
    '<form><label>User <input name="a"></label><label>Domain <select name="d"><option>CORP</option><option>LAB</option></select></label><label>Password <input name="b" type="password"></label><button id="go">Log on</button></form>',
    { ...NAMED, asks: ['identifier a', 'text d', 'password b'] },
  ],
  [
    'a language list above',
    '<form><select name="lang" aria-label="Language"><option>English</option><option>Deutsch</option></select></form><form><input name="a" placeholder="Email"><input name="b" type="password" placeholder="Password"><button id="go">Sign in</button></form>',
    NAMED,
  ],
  [
    'password only',
    '<h1>Locked</h1><form><input name="b" type="password" placeholder="Password"><button id="go">Unlock</button></form>',
    { kind: 'password', asks: ['password b'], sends: '#go' },
  ],
  [
    'password only, without a word',
    '<form method="post"><input name="b" type="password"><input id="go" type="submit"></form>',
    { kind: 'password', asks: ['password b'], sends: '#go' },
  ],
  [
    'e-mail first with a bare continue',
    '<h1>Welcome</h1><form><label>Email address <input name="a" type="email" autocomplete="email"></label><button id="go">Continue</button></form><button>Continue with Google</button>',
    { kind: 'identifier', asks: ['identifier a'], sends: '#go' },
  ],
  [
    'phone first',
    '<h1>Log in</h1><form><select name="cc" aria-label="Country code"><option>+49</option><option>+44</option></select><input name="a" type="tel" placeholder="Phone number"><button id="go">Next</button></form>',
    { kind: 'identifier', asks: ['identifier a'], sends: '#go' },
  ],
  [
    'a contact form',
    '<h1>Contact us</h1><form><label>Name <input name="n"></label><label>Email <input name="e" type="email"></label><label>Message <textarea name="m"></textarea></label><button>Send</button></form>',
    { kind: 'unknown', asks: [] },
  ],
  [
    'a contact form, German',
    '<h1>Kontakt</h1><form><label>Ihr Name <input name="n"></label><label>E-Mail <input name="e" type="email"></label><label>Nachricht <textarea name="m"></textarea></label><button>Absenden</button></form>',
    { kind: 'unknown', asks: [] },
  ],
  [
    'a checkout',
    '<h1>Checkout</h1><form><label>Email <input name="e" type="email"></label><label>First name <input name="f"></label><label>Last name <input name="l"></label><label>Address <input name="ad"></label><label>City <input name="ci"></label><label>Postal code <input name="z"></label><button>Continue to shipping</button></form>',
    { kind: ['unknown', 'sign_up'], asks: [] },
  ],
  [
    'a card payment',
    '<h1>Payment</h1><form><label>Card number <input name="n" autocomplete="cc-number"></label><label>Expiry <input name="e" autocomplete="cc-exp"></label><label>Security code <input name="c" autocomplete="cc-csc"></label><button>Pay now</button></form>',
    { kind: 'unknown', asks: [] },
  ],
  [
    'a coupon',
    '<h1>Your cart</h1><form><label>Coupon code <input name="c"></label><button>Apply</button></form>',
    { kind: 'unknown', asks: [] },
  ],
  [
    'an e-mail for a quote',
    '<h1>Get a demo</h1><form><label>Work email <input name="e" type="email"></label><button>Request a demo</button></form>',
    { kind: 'unknown', asks: [] },
  ],
  [
    'order tracking',
    '<h1>Track your order</h1><form><label>Order number <input name="o"></label><label>Email <input name="e" type="email"></label><button>Track</button></form>',
    { kind: 'unknown', asks: [] },
  ],
  [
    'a change of password',
    '<h1>Change password</h1><form><label>Current password <input type="password" name="o"></label><label>New password <input type="password" name="n"></label><label>Confirm <input type="password" name="c"></label><button>Save changes</button></form>',
    { kind: ['password_change', 'password_reset', 'unknown'], asks: [] },
  ],
  [
    'a new password after a link',
    '<h1>Choose a new password</h1><form><label>New password <input type="password" name="n"></label><label>Repeat it <input type="password" name="c"></label><button>Set password</button></form>',
    { kind: ['password_change', 'password_reset', 'unknown'], asks: [] },
  ],
  [
    'a forgotten password by user name',
    '<h1>Forgot your password?</h1><form><label>Username or email <input name="u"></label><button>Send instructions</button></form>',
    { kind: 'password_reset', asks: [] },
  ],
  [
    'a sign-up with a user name',
    '<h1>Join us</h1><form><label>Username <input name="u"></label><label>Email <input name="e" type="email"></label><label>Password <input name="p" type="password"></label><button>Sign up</button></form>',
    { kind: 'sign_up', asks: [] },
  ],
  [
    'a sign-up, French',
    '<h1>Créer un compte</h1><form><label>Prénom <input name="f"></label><label>E-mail <input name="e" type="email"></label><label>Mot de passe <input name="p" type="password"></label><button>S’inscrire</button></form>',
    { kind: 'sign_up', asks: [] },
  ],
  [
    'a search page',
    '<h1>Library</h1><form><input name="q" placeholder="Search the catalogue"><button>Search</button></form>',
    { kind: 'unknown', asks: [] },
  ],
  [
    'a survey',
    '<h1>Survey</h1><form><label>Age <input name="g" type="number"></label><label>Town <input name="t"></label><button>Next</button></form>',
    { kind: ['unknown', 'sign_up'], asks: [] },
  ],
  [
    'an address for a newsletter by sign-up words',
    '<h1>Stay in the loop</h1><form><input type="email" name="e" placeholder="Email"><button>Sign up</button></form>',
    { kind: ['unknown', 'sign_up'], asks: [] },
  ],
];

describe('login pages in all their variety (issue 5, item 1)', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  async function check(html: string, { kind, asks, sends }: Expected): Promise<void> {
    const { verdict, raw } = await lab.look(html);
    const names = await Promise.all(
      verdict.fields
        .filter(({ editable }) => editable)
        .map(async ({ type, selector }) => `${type} ${(await raw.locator(selector).getAttribute('name')) ?? ''}`),
    );
    expect(seen(verdict, names, asks, sends)).toEqual({ kind: [kind].flat().find((one) => one === verdict.kind) ?? kind, asks, sends });
  }

  it.each(MARKUP)('boxes: %s', async (_name, html, expected) => check(html, expected));
  it.each(BUTTONS)('sent by: %s', async (_name, html, expected) => check(html, expected));
  it.each(PAGES)('%s', async (_name, html, expected) => check(html, expected));

  it.each(NAMES)('a login by %s', async (name) =>
    check(
      `<form><label>${name} <input name="a"></label><label>Password <input name="b" type="password"></label><button id="go">Sign in</button></form>`,
      NAMED,
    ),
  );
  it.each(NAMES)('asked first and alone: %s', async (name) =>
    check(`<h1>Sign in</h1><form><label>${name} <input name="a"></label><button id="go">Continue</button></form>`, {
      kind: 'identifier',
      asks: ['identifier a'],
      sends: '#go',
    }),
  );
});

const seen = (verdict: Verdict, names: readonly string[], asks: Expected['asks'], sends: Expected['sends']): unknown => ({
  kind: verdict.kind,
  asks: asks === undefined ? undefined : names,
  sends: sends === undefined ? undefined : (verdict.submit?.selector ?? null),
});
