import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { classifyPage } from '../../src/discovery/classify.js';
import { beforeSending, NOTHING_SENT, type PageContext } from '../../src/discovery/verdict.js';
import { NOTHING_KNOWN, settle } from '../../src/login/settle.js';
import { box, login, summary, type Expected } from './cases.js';
import { AFTER_PASSWORD, NAMED, PageLab, pageBefore } from './fixture.js';

const guarded = (name: string, more = ''): string =>
  `${box(name, 'text')}${box('Password', 'password', 'autocomplete="new-password"')}${more}`;
const sent = (kind: 'login' | 'code', more: Parameters<typeof pageBefore>[0] = {}): PageContext => ({
  ...AFTER_PASSWORD,
  before: pageBefore({ asked: ['username', 'password'], form: kind, ...more }),
});
const ENTERED: PageContext = { ...NOTHING_SENT, entered: true };
const inDialog = (html: string): string => `<div role="dialog" aria-modal="true">${html}</div>`;
const newsletter = '<main><form><input type="email" placeholder="Your e-mail"><button>Subscribe to our newsletter</button></form></main>';
const keys = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => `<div role="button" tabindex="0">${digit}</div>`).join('');
const pins = (more: (place: number) => string): string =>
  [1, 2, 3, 4, 5, 6].map((place) => `<input style="width:300px" ${more(place)}>`).join('');

/** Pages as component libraries and websites made by hand draw them: the name, what is known before, and what is read. */
const PAGES: readonly (readonly [string, string, PageContext | undefined, Expected])[] = [
  [
    'a password that only its autocomplete calls new signs in, where the button does',
    `<form>${guarded('Email')}<button>Log in</button></form>`,
    undefined,
    { kind: 'credentials', fields: ['identifier:Email', 'password:Password'], submit: 'Log in' },
  ],
  [
    'where the heading does',
    `<form><h4>Log in</h4>${guarded('Email')}<button>Continue</button></form>`,
    undefined,
    { kind: 'credentials', submit: 'Continue' },
  ],
  [
    'where it may have been forgotten',
    `<form>${guarded('Email')}<button>Continue</button><a href="/f">Forgot password?</a></form>`,
    undefined,
    { kind: 'credentials' },
  ],
  ['and where nothing is said', `<form>${guarded('Username')}<button>Submit</button></form>`, undefined, { kind: 'credentials' }],
  [
    'not where somebody joins',
    `<h1>Create an account</h1><form>${guarded('Email')}<button>Continue</button></form>`,
    undefined,
    { kind: 'sign_up' },
  ],
  [
    'nor beside a way in for those who have',
    `<form>${guarded('Email')}<button>Continue</button></form><p>Already a member? <a href="/login">Log in</a></p>`,
    undefined,
    { kind: 'landing' },
  ],
  [
    'nor with terms to agree to',
    `<form>${guarded('Email', '<label><input type="checkbox"> I accept the terms</label>')}<button>Go</button></form>`,
    undefined,
    { kind: 'sign_up' },
  ],
  [
    'D60: what is called a label names the box before it, wherever it floats, also beside a button in it',
    `<h1>Anmelden</h1><form><div><input value="ada"><span class="floating-label">E-Mail oder Benutzername</span></div><div><input type="password"><button type="button" aria-label="Anzeigen">o</button><span class="floating-label">Passwort</span></div><button>Anmelden</button></form>`,
    undefined,
    { fields: ['identifier:E-Mail oder Benutzername', 'password:Passwort'] },
  ],
  [
    'D60: a code before the name is none that was sent, in whatever language',
    `<form>${box('Mã công ty', 'text')}${box('Tài khoản', 'text', 'autocomplete="username"')}${box('Mật khẩu', 'password')}<button>Đăng nhập</button></form>`,
    undefined,
    { fields: ['text:Mã công ty', 'identifier:Tài khoản', 'password:Mật khẩu'] },
  ],
  [
    'D60: boxes of a number and its code are one form, whatever stands between them',
    `<h2>Giriş</h2><form><input placeholder="Telefon"><button type="button">Kod gönder</button><input placeholder="SMS kodu"><button>Giriş yap</button></form>`,
    undefined,
    { kind: 'identifier', fields: ['identifier:Telefon'], submit: 'Kod gönder' },
  ],
  [
    'D60: which characters of a secret are asked for, in the cells of a table',
    `<p>Please enter these characters:</p><form><table><tr>${[2, 4, 5].map((place) => `<td>Digit ${place}</td><td><input type="password" maxlength="1"></td>`).join('')}</tr></table><button>Continue</button></form>`,
    NAMED,
    { kind: 'question', fields: ['text:Please enter these characters:'] },
  ],
  [
    'D60: boxes of a code as wide as their row are one, by what they are called',
    `<h2>Verify</h2><form>${pins((place) => `inputmode="numeric" aria-label="pin input ${place} of 6"`)}<button>Verify</button></form>`,
    AFTER_PASSWORD,
    { kind: 'code', fields: ['code:Code'] },
  ],
  [
    'D60: and by what fills them in',
    `<h2>Verify</h2><form>${pins(() => 'autocomplete="one-time-code"')}<button>Verify</button></form>`,
    AFTER_PASSWORD,
    { kind: 'code', fields: ['code:Code'] },
  ],
  [
    'D62: an option to be marked is a name, also where it is the word for help',
    `<h1>Elige un espacio de trabajo</h1><div role="radiogroup">${['Ventas', 'Soporte'].map((name) => `<button type="button" role="radio" aria-checked="false">${name}</button>`).join('')}</div><button disabled>Continuar</button>`,
    AFTER_PASSWORD,
    { kind: 'account_picker', choices: ['account/:Ventas', 'account/:Soporte'], submit: 'Continuar' },
  ],
  [
    'D62: buttons below which another is locked are marked, and that one goes on',
    `<h1>Choose an account</h1><div><button type="button">Private</button><button type="button">Company</button></div><button disabled>Continue</button>`,
    AFTER_PASSWORD,
    { choices: ['account/:Private', 'account/:Company'], submit: 'Continue' },
  ],
  [
    'D62: a row that is pressed for the radio button in it is that radio button',
    `<h1>Choose an organization</h1>${['Acme', 'Globex'].map((name) => `<div style="cursor:pointer" onclick="1"><div role="radio" aria-checked="false" aria-label="${name}" style="width:20px;height:20px"></div><div>${name}</div></div>`).join('')}<button>Continue</button>`,
    AFTER_PASSWORD,
    { choices: ['account/:Acme', 'account/:Globex'], submit: 'Continue' },
  ],
  [
    'D62: a radio button that is drawn by a label beside it, tied to nothing',
    `<h1>Choose a team</h1><form>${['Red', 'Blue'].map((name) => `<div><input type="radio" name="t" style="opacity:0;position:absolute"><label>${name}</label></div>`).join('')}<button disabled>Continue</button></form>`,
    AFTER_PASSWORD,
    { choices: ['account/:Red', 'account/:Blue'], submit: 'Continue' },
  ],
  [
    'D62: what closes a notice is no way, though a code is asked for beside it',
    `<div role="alert"><div><p>Fehler</p><p>E-Mail-Adresse oder Passwort falsch.</p></div><button><svg width="9" height="9"></svg></button></div><h1>Code</h1><form>${box('Code', 'text')}<button>Verify</button></form>`,
    AFTER_PASSWORD,
    { kind: 'code', choices: [] },
  ],
  [
    'D43: the keys of a keypad are nothing to use: a code has been sent, and nobody is in',
    `<p>安全验证</p><p>验证码已发送至 138****0000</p><ul><li></li></ul>${keys}`,
    sent('login'),
    { kind: 'unknown', choices: [] },
  ],
  [
    'D62: ways of proof that are plain links, below a question in words of no table',
    `<h1>Xyzzy?</h1><ul><li><a href="/go?c=sms">SMS</a></li><li><a href="/go?c=app">Aplicație de autentificare</a></li></ul>`,
    AFTER_PASSWORD,
    { kind: 'method_choice', choices: ['mfa_method/sms:SMS', 'mfa_method/totp:Aplicație de autentificare'] },
  ],
  [
    'D43: another password is demanded beside the one that holds and a name',
    `<form>${box('User name', 'text', 'value="ada"')}${box('Old password', 'password')}${box('New password', 'password')}${box('New password confirmation', 'password')}<button>Submit</button></form>`,
    sent('login'),
    { kind: 'password_change' },
  ],
  [
    'what a way in has opened asks for the name, whatever it calls itself and whatever else the page has',
    `${inDialog(`<h1>Willkommen zurück</h1><form>${box('Benutzername', 'text')}<div role="button" tabindex="0">Weiter</div></form>`)}${newsletter}`,
    ENTERED,
    { kind: 'identifier', fields: ['identifier:Benutzername'], submit: 'Weiter' },
  ],
  ['not what has always stood there', newsletter, ENTERED, { fields: [] }],
];

describe('what component libraries draw (issue 5, items 1 and 4)', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());
  beforeEach(() => {
    lab.posts.length = 0;
  });

  it.each(PAGES)('%s', async (_name, html, context, expected) => {
    const { verdict } = await lab.look(html, context);
    expect(summary(verdict)).toMatchObject(expected);
  });

  it('D60: name and password that went together are asked for together again, by whatever names', async () => {
    const form = (name: string, more = ''): string =>
      `<h1>Bank login</h1>${more}<form>${box('Access code', 'text', `name="${name}" maxlength="8"`)}${box('Password', 'password', `name="p${name}"`)}<button>Log in</button></form>`;
    const { snapshot, verdict } = await lab.look(form('fa1'));
    const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    const again = await lab.look(form('fc2', '<p role="alert">The access data are wrong.</p>'), after);
    expect(summary(again.verdict)).toMatchObject({
      fields: ['identifier:Access code', 'password:Password'],
      error: 'The access data are wrong.',
    });
  });

  it('D58: of several notices that still stand each is known by itself, and none is news', async () => {
    const toast = (text: string): string => `<div role="status"><p>${text}</p><button aria-label="Close">닫기</button></div>`;
    const toasts = (...texts: string[]): string => `<div aria-live="polite" role="region">${texts.map(toast).join('')}</div>`;
    const form = `<form>${box('Code', 'text')}<button>Verify</button></form>`;
    const { snapshot, verdict } = await lab.look(`${form}${toasts('The code is wrong.', 'Your password is wrong.')}`, sent('login'));
    expect(verdict.error).toBe('The code is wrong.');
    const after: PageContext = { ...AFTER_PASSWORD, before: { ...beforeSending(snapshot, verdict), documentId: '' } };
    const home = await lab.look(
      `<h1>Inbox</h1>${toasts('The code is wrong.', 'Your password is wrong.')}<a href="/new">New message</a>`,
      after,
    );
    expect(home.verdict.errorIsNew && home.verdict.error !== 'The code is wrong.').toBe(false);
  });

  it('D41: a box that takes a code once it is complete is emptied before the next one', async () => {
    const { page, verdict } = await lab.look(
      `<h1>Code</h1><input autocomplete="one-time-code" inputmode="numeric" maxlength="6"><script>
       let held = '';
       document.querySelector('input').oninput = ({ target }) => {
         if (held.length < 6 && target.value.length === 6) fetch('/otp', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'code=' + target.value });
         held = target.value;
       };</script>`,
      AFTER_PASSWORD,
    );
    for (const code of ['000000', '246810']) {
      const fills = verdict.fields.map(({ handles }) => ({ handles, value: code, oneTime: true }));
      await expect(page.fillAndSubmit(fills, verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    }
    expect(lab.posts.map(({ values }) => values.code)).toEqual(['000000', '246810']);
  });

  it('D62: what is marked goes by the button that it unlocks, once', async () => {
    const { page, raw, verdict } = await lab.look(
      `<h1>Choose an account</h1><form method="post" action="/chosen"><input type="hidden" name="of"><div><button type="button">Private</button><button type="button">Company</button></div><button id="go" disabled>Continue</button></form><script>
       for (const option of document.querySelectorAll('[type=button]')) option.onclick = () => { document.forms[0].of.value = option.textContent; go.disabled = false; };</script>`,
      AFTER_PASSWORD,
    );
    await page.act(verdict.choices[1]?.action ?? { kind: 'press', handle: '' }, verdict.submit?.handle ?? null);
    await raw.waitForURL('**/chosen');
    expect(lab.posts).toEqual([{ path: '/chosen', values: { of: 'Company' } }]);
  });

  it('D43: a form to join is not all of a page whose login is drawn later', async () => {
    const join = `<h1>Create an account</h1><form>${guarded('Email')}<button>Sign up</button></form>`;
    const { page, raw } = await lab.look(join);
    const until = settle(page, classifyPage, NOTHING_SENT, { quietMs: 50, maxMs: 20_000 }, NOTHING_KNOWN, () => false);
    await raw.waitForTimeout(400);
    await raw.evaluate((html) => document.body.insertAdjacentHTML('afterbegin', html), login('User', 'Password', 'Log in'));
    expect((await until).verdict.kind).toBe('credentials');
  });
});
