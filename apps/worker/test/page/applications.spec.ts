import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyPage } from '../../src/discovery/classify.js';
import { FRAME } from '../../src/discovery/outcome/application.js';
import { beforeSending, type PageContext } from '../../src/discovery/verdict.js';
import { pageBefore, PageLab } from './fixture.js';

let lab: PageLab;
beforeAll(async () => {
  lab = await PageLab.open();
}, 60_000);
afterAll(() => lab.close());
afterEach(() => lab.closeTabs());

const SENT: PageContext['sent'] = ['identifier', 'password'];
const box = (label: string, type = 'text', more = ''): string => `<label>${label}<input type="${type}" ${more}></label>`;
const login = `<form method="post">${box('User name')}${box('Password', 'password')}<button>Log in</button></form>`;
const menus = ['Dashboard', 'Projects', 'Team', 'Billing', 'Settings'].map((name) => `<a href="/${name}">${name}</a>`).join(' ');
const framed = (inside: string): string =>
  `<header><a href="/">Acme</a><nav>${menus}</nav><button aria-label="User menu">A</button></header><main>${inside}</main>`;

/** What an application shows to whoever has just come in, and what each could be taken for. */
const FIRST_PAGES: readonly (readonly [string, string])[] = [
  ['nothing much', '<h1>Dashboard</h1><p>Visits 12</p>'],
  [
    'a wish for a confirmed address',
    '<div role="alert">Please verify your email address. <a href="#r">Resend email</a></div><h1>Projects</h1>',
  ],
  ['a failure of its own', '<div role="alert" class="error">Failed to load notifications.</div><h1>Projects</h1>'],
  ['the end of a trial', '<div role="alert">Your trial expires in 3 days. Upgrade now.</div><h1>Projects</h1>'],
  ['accounts of a bank', '<h1>Accounts</h1><a href="/1">Checking ••1234</a><br><a href="/2">Savings ••9876</a>'],
  [
    'a way to change the password',
    `<h1>Settings</h1><form><h2>Change password</h2>${box('Current password', 'password')}${box('New password', 'password')}<button>Save</button></form>`,
  ],
  [
    'users',
    `<h1>Users</h1><form>${box('Username', 'text', 'name="u"')}${box('Password', 'password', 'name="p"')}<button>Create user</button></form>`,
  ],
  [
    'a database to connect to',
    `<h1>New data source</h1><form>${box('Host')}${box('User')}${box('Password', 'password', 'name="db"')}<button>Connect</button></form>`,
  ],
  ['a list to add to', '<h1>Today</h1><form><input placeholder="Add a task"><button>Add</button></form>'],
  [
    'an offer of a second factor',
    '<h1>Dashboard</h1><h2>Enable two-factor authentication</h2><p>A code from an authenticator app.</p><button>Set up now</button>',
  ],
  ['an offer of a passkey', '<h1>Dashboard</h1><h2>Add a passkey</h2><button>Create passkey</button><button>Not now</button>'],
  ['another service to connect', '<h1>Calendar</h1><button>Continue with Google</button><button>Connect Outlook</button>'],
  ['letters that speak of letters', '<h1>Inbox</h1><ul><li>Check your email settings</li><li>Your verification code is 991122</li></ul>'],
  ['a login for others', '<h1>Overview</h1><a href="/login">Partner login</a>'],
  [
    'a captcha beside a message',
    '<h1>Contact</h1><form><textarea></textarea><iframe title="reCAPTCHA" src="/recaptcha/api2/anchor" width="304" height="78"></iframe><button>Send</button></form>',
  ],
];

describe('an application behind its login (D43)', () => {
  const afterLogin = async (page: string): Promise<PageContext> => {
    const { snapshot, verdict } = await lab.look(page);
    return { sent: SENT, before: beforeSending(snapshot, verdict) };
  };

  it.each(FIRST_PAGES)('menus that the login did not have let nobody out again: %s', async (_name, inside) => {
    const { verdict } = await lab.look(framed(inside), await afterLogin(login));
    expect(verdict).toMatchObject({ kind: 'logged_in', rules: ['kind/in_application'] });
  });

  it.each([
    [
      'the menus were there before',
      framed(login),
      framed('<h1>Enter code</h1><form><input name="otp"><button>Verify</button></form>'),
      'code',
    ],
    ['they hold the way in', login, framed('<p>Hello</p>').replace('<nav>', '<nav><a href="/in">Log in</a>'), 'landing'],
    ['the form is there again', login, framed(`<p role="alert">Wrong password.</p>${login}`), 'credentials'],
    [
      'the password must be changed',
      login,
      framed(
        `<h1>You must change your password</h1><form>${box('New password', 'password')}${box('Confirm new password', 'password')}<button>Change password</button></form>`,
      ),
      'password_change',
    ],
    [
      'the website says that it is wrong',
      login,
      framed('<div role="alert">Wrong password.</div><a href="/start">Start again</a>'),
      'error',
    ],
  ])('and prove nothing where %s', async (_name, page, next, kind) => {
    expect((await lab.look(next, await afterLogin(page))).verdict.kind).toBe(kind);
  });

  it.each([
    ['a way in as a button', '<p>Hello</p>', '<button>Sign in</button>', 'landing'],
    ['no access', '<h1>403</h1><p>Access denied</p>', '', 'not'],
    ['a closed account', '<h1>Your account has been locked</h1>', '', 'error'],
    ['an organization to choose', '<h1>Select an organization</h1><button>North</button><button>South</button>', '', 'account_picker'],
  ])('and prove nothing beside %s', async (_name, inside, menu, expected) => {
    const page = framed(inside).replace('<nav>', `<nav>${menu}`);
    const { kind } = (await lab.look(page, await afterLogin(login))).verdict;
    expect(expected === 'not' ? kind !== 'logged_in' : kind).toBe(expected === 'not' ? true : expected);
  });

  it('nor where their head has a way to join', async () => {
    const page = `<header><nav>${menus}<a href="/j">Create account</a></nav></header><main><p>Hello</p></main>`;
    expect((await lab.look(page, await afterLogin(login))).verdict.kind).not.toBe('logged_in');
  });

  it('nor does a guest who is greeted', async () => {
    const page = '<header><a href="/a">Shop</a></header><h1>Welcome, Guest!</h1>';
    expect((await lab.look(page, await afterLogin(login))).verdict.success).not.toContain('success/greeting');
  });

  it.each([
    ['in its head', `<header><a href="/">Home</a><a href="/prices">Prices</a><a href="/help">Help</a></header><main id="m"></main>`, ''],
    ['on the page itself', '', '<p><a href="/why">Why us</a> <a href="/tour">Tour</a></p>'],
  ])('nor does what stood beside the login %s, where its form is not drawn yet', async (_name, head, body) => {
    const context = await afterLogin(`${head}${login}${body}`);
    const { snapshot } = await lab.look(`${head}${body}`, context);
    const { kind } = classifyPage({ ...snapshot, url: `${snapshot.url}/again` }, context);
    expect(kind).toBe('unknown');
  });

  it('nor do menus around a letter that has to be read first', async () => {
    const letter = framed('<h1>Check your inbox</h1><p>We have sent a link to a•••@x.example. Click it to finish signing in.</p>');
    expect((await lab.look(letter, await afterLogin(login))).verdict).toMatchObject({
      kind: 'external_wait',
      externalAction: { kind: 'magic_link' },
    });
  });

  it.each([
    ['nothing but menus', framed(''), true],
    ['something between them', framed('<h1>Dashboard</h1>'), false],
    ['something to use between them', framed('<button>New invoice</button>'), false],
    ['a way out among them', framed('').replace('<nav>', '<nav><a href="/logout">Log out</a>'), false],
  ])('says of itself that it has %s', async (_name, page, isFrame) => {
    const { verdict } = await lab.look(page, await afterLogin(login));
    expect([verdict.kind, verdict.success.includes(FRAME)]).toEqual(['logged_in', isFrame]);
  });

  it('nor before a proof', async () => {
    const { snapshot, verdict } = await lab.look(`<form>${box('Email', 'email')}<button>Next</button></form>`);
    const context: PageContext = { sent: ['identifier'], before: beforeSending(snapshot, verdict) };
    expect((await lab.look(framed('<h1>Dashboard</h1>'), context)).verdict.kind).not.toBe('logged_in');
  });
});

describe('a password by another name (D43)', () => {
  const step = (beside: string, told = ''): string =>
    `<h1>Welcome, Wes</h1>${told}<form method="post"><label>Passcode<input name="pw" type="password"></label><button>Sign In</button></form>${beside}`;

  it.each([
    ['', ''],
    ['beside a way out', '<a href="/logout">Not you? Log out</a>'],
  ])('is asked for again where it was refused %s', async (_name, beside) => {
    const first = await lab.look(step(beside), { sent: ['identifier'], before: null });
    expect(first.verdict).toMatchObject({ kind: 'password', fields: [{ type: 'password' }] });
    const context: PageContext = { sent: SENT, before: beforeSending(first.snapshot, first.verdict) };
    const { verdict } = await lab.look(step(beside, '<p class="err">Incorrect password</p>'), context);
    expect(verdict).toMatchObject({ kind: 'password', fields: [{ type: 'password', ref: 'password' }], error: 'Incorrect password' });
  });

  it('lets nobody in while what was sent is asked for, whatever it is', async () => {
    const form = (told: string): string =>
      `${told}<form>${box('Gakoa', 'text', 'name="k"')}<button>Aurrera</button></form><a href="/logout">Log out</a>`;
    const { snapshot } = await lab.look(form(''));
    const boxes = snapshot.controls.filter(({ tag }) => tag === 'input').map(({ name, label }) => `input text ${name} ${label}  `);
    const before = { ...pageBefore({ url: snapshot.url }), boxes };
    expect((await lab.look(form('<p>Ez</p>'), { sent: SENT, before })).verdict.kind).not.toBe('logged_in');
  });
});

it.each([
  [
    'terms to agree to',
    `<h2>Nye vilkår</h2><form method="post"><label><input type="checkbox" name="ok"> I agree to the terms of service</label><button>Gå</button></form>`,
    'fork',
  ],
  [
    'terms to agree to, beside a way out',
    '<h2>Nye vilkår</h2><form method="post"><label><input type="checkbox" name="ok"> I accept the terms</label><button>Gå</button></form></main><a href="/logout">Log out</a><main>',
    'fork',
  ],
  ['an approval elsewhere', '<h2>Ny enhet</h2><p>Open the app on your phone and approve the request.</p>', 'external_wait'],
])('D43: nobody is in where there is nothing between the menus but %s', async (_name, html, kind) => {
  const { snapshot, verdict } = await lab.look(login);
  lab.serve('/step', framed(html));
  const { page } = await lab.visit('/step');
  expect(classifyPage(await page.observe(), { sent: SENT, before: beforeSending(snapshot, verdict) }).kind).toBe(kind);
});

it('D43: the menus of an application that stood around a step already are still none of the login', async () => {
  const { snapshot, verdict } = await lab.look(login);
  const first = beforeSending(snapshot, verdict);
  const step = await lab.look(framed(`<h1>Code</h1><form method="post">${box('Verification code')}<button>Verify</button></form>`), {
    sent: SENT,
    before: first,
  });
  expect(step.verdict.kind).toBe('code');
  const before = beforeSending(step.snapshot, step.verdict, first);
  lab.serve('/boats', framed('<h1>Uspjeh</h1>'));
  const { page } = await lab.visit('/boats');
  expect(classifyPage(await page.observe(), { sent: [...SENT, 'code'], before }).kind).toBe('logged_in');
});

describe('the address of a login, looked at once more after a page that nothing is known of (D43)', () => {
  const shell = '<nav><a href="#/tides">Tides</a><a href="#/crews">Crews</a></nav>';
  const revisited = async (html: string): Promise<string> => {
    const { snapshot, verdict } = await lab.look(login);
    const { snapshot: there } = await lab.look(html);
    const before = { ...beforeSending(snapshot, verdict), url: there.url };
    return classifyPage(there, { sent: SENT, before, revisited: true }).kind;
  };

  it('greets by the name that was sent without a heading', async () => {
    const { snapshot, verdict } = await lab.look(login);
    const context: PageContext = { sent: SENT, before: beforeSending(snapshot, verdict), name: 'bob' };
    lab.serve('/_login', '<p>Welcome, bob</p>').serve('/_login/other', '<p>Welcome, ann</p>');
    const kindOf = async (path: string): Promise<string> => classifyPage(await (await lab.visit(path)).page.observe(), context).kind;
    expect([await kindOf('/_login'), await kindOf('/_login/other')]).toEqual(['logged_in', 'unknown']);
  });

  it('is closed where it has menus that its login had not, and nothing of a login', async () => {
    expect(await revisited(`${shell}<h1>Harbour</h1>`)).toBe('logged_in');
  });

  it.each([
    ['its form is there', `${shell}${login}`, 'credentials'],
    ['there is a way in', `${shell}<a href="/login">Log in</a>`, 'landing'],
    ['a word in its head may mean one', `<header><button>Connect</button></header>${shell}`, 'unknown'],
    ['it asks for something', `${shell}<form><label>Kajuta <input name="kajuta"></label><button>Dalje</button></form>`, 'question'],
    ['a step of a login is named', `${shell}<h1>Your authenticator</h1>`, 'unknown'],
    [
      'a list could be to choose from',
      `${shell}<h3>Odaberi luku</h3><ul><li><a href="#1">Rab</a></li><li><a href="#2">Vis</a></li></ul>`,
      'unknown',
    ],
    ['there are only the menus of its login', '<h1>Pričekajte</h1>', 'unknown'],
    ['there is nothing to use yet', '<p>Loading …</p>', 'unknown'],
  ])('is open where %s', async (_name, html, kind) => {
    expect(await revisited(html)).toBe(kind);
  });
});
