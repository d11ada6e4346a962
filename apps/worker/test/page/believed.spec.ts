import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyPage } from '../../src/discovery/classify.js';
import { beforeSending, type PageContext } from '../../src/discovery/verdict.js';
import { box, login, summary, type Expected } from './cases.js';
import { AFTER_PASSWORD, PageLab, pageBefore } from './fixture.js';

const AFTER_LOGIN: PageContext = {
  ...AFTER_PASSWORD,
  before: pageBefore({ asked: ['username', 'password'], form: 'login', offers: ['/private Private', '/business Business'] }),
};
const link = (text: string, to = text): string => `<a href="/${to}">${text}</a>`;
const visitors = (html: string, head = ''): string =>
  `<header>${link('Acme', 'home')} ${link('Log in', 'login')} ${head}</header><main>${html}</main><footer>${link('Terms')}</footer>`;
const work = (html: string): string =>
  `<header>${link('Overview')} ${link('Domains')} <button aria-haspopup="true" aria-label="Jane">JR</button></header><main>${html}</main>`;
const over = (html: string): string => `<div role="dialog" aria-modal="true" style="position:fixed;inset:0;background:#fff">${html}</div>`;
const out = link('Log out', 'logout');
const menus = ['Classes', 'Tasks', 'Files', 'People', 'Calendar'].map((text) => link(text)).join('');

/** What a word or a part of a page is not to be believed, or done: the name, what is known before, and what is read. */
const PAGES: readonly (readonly [string, string, PageContext | undefined, Expected])[] = [
  ...(
    [
      ['a dog, in a city’s list', link('Hund abmelden', 'hund')],
      ['a newsletter', `<footer>${link('Newsletter abmelden', 'nl')}</footer>`],
      ['a question in a list of help', link('How do I log out?', 'faq')],
      ['a catalog', link('Outdoor', 'catalog-outdoor')],
      ['an office', link('Office', 'design-office')],
    ] as const
  ).map(
    ([name, html]) =>
      [
        `nobody is in who has a way in, by the word for leaving of ${name}`,
        visitors(html),
        undefined,
        { kind: 'landing', entry: 'Log in' },
      ] as const,
  ),
  [
    'nor by a menu that is kept for everybody',
    `<header><button aria-haspopup="true">My account</button><ul style="display:none"><li>${link('Sign in', 'login')}</li><li>${out}</li></ul></header><h1>Spring sale</h1>`,
    undefined,
    { kind: 'landing', entry: 'My account' },
  ],
  ...(
    [
      'You will receive an email as soon as your parcel is on its way.',
      'Open the app on your phone and approve the ride.',
      'The robot that mows your lawn.',
      'Now with passkeys.',
      'How would you like to receive your code? By text message, by phone call.',
    ] as const
  ).map(
    (text) =>
      [
        `a website tells its visitors: ${text}`,
        visitors(`<h1>${text}</h1><p>${text}</p>${link('More', 'more')}`),
        undefined,
        { kind: 'landing', entry: 'Log in' },
      ] as const,
  ),
  [
    'a robot of one’s own is no captcha',
    `<header>${out}</header><h1>Your robot is charging</h1>`,
    AFTER_LOGIN,
    { kind: 'logged_in', captcha: false },
  ],
  ...(
    [
      'Scan the QR code to download our app.',
      'See it on your device too: open the app and approve your meter.',
      'We sent an email to you when it was shipped.',
    ] as const
  ).map(
    (text) =>
      [
        `D43: a sentence beside work is no act elsewhere: ${text}`,
        work(`<h1>Your orders</h1><p>${text}</p>${link('4711')} ${link('4712')}`),
        AFTER_LOGIN,
        { kind: 'logged_in' },
      ] as const,
  ),
  ...(['Remaining balance', 'Front door: locked'] as const).map(
    (text) =>
      [
        `D43: an application says "${text}" beside a way out that is new`,
        `<header>${link('History')}${out}</header><h1>${text}</h1><p>Since noon.</p>`,
        AFTER_LOGIN,
        { kind: 'logged_in', error: null },
      ] as const,
  ),
  [
    'D43: an expired password is no such thing',
    `<header>${out}</header><h1>Your password has expired</h1><p>See your administrator.</p>`,
    AFTER_LOGIN,
    { kind: 'error' },
  ],
  ['D43: lessons are no single sign-on', work(`<h1>Lessons</h1>${link('Algebra')}`), AFTER_LOGIN, { kind: 'logged_in' }],
  [
    'D43: what leads from work to other work is no way in',
    work(`<h1>Your packages</h1>${link('Log in to Webmail', 'webmail')} ${link('Upgrade')} ${link('Add a domain', 'add')}`),
    AFTER_LOGIN,
    { kind: 'logged_in' },
  ],
  [
    'D62: an approval is waited for beside the menus of the login and a way out',
    `<header>${link('Private', 'private')}${link('Business', 'business')} ${out}</header><h1>Confirm it is you</h1><p>Open the Nordbank app on your phone and approve the sign-in request.</p>`,
    AFTER_LOGIN,
    { kind: 'external_wait' },
  ],
  [
    'D62: and so is a link that was sent',
    `<header>${link('Private', 'private')}${link('Business', 'business')} ${out}</header><p>We sent you an email with a sign-in link. Open it to go on.</p>`,
    AFTER_LOGIN,
    { kind: 'external_wait' },
  ],
  [
    'D62: new terms are asked, though they speak of cookies',
    `${work('<h1>Home</h1>')}${over('<p>Our Terms of Service and Cookie Policy have changed. To keep using Acme you must accept them.</p><button>Decline</button><button>Accept</button>')}`,
    AFTER_LOGIN,
    { kind: 'fork', choices: ['other/:Decline', 'other/:Accept'] },
  ],
  [
    'D62: and over a way out too',
    `<header>${menus}${out}</header>${over('<p>Our Terms of Service have changed. To keep using Acme you must accept them.</p><button>Decline</button><button>Accept</button>')}`,
    AFTER_LOGIN,
    { kind: 'fork' },
  ],
  [
    'D62: an offer is asked, though a box below it speaks of the device',
    `<h1>Upgrade to Premium?</h1><form><p>9.99 a month.</p><label><input type="checkbox"> Don’t ask again on this device</label><button>Continue</button><button>No thanks</button></form>`,
    AFTER_LOGIN,
    { kind: 'fork', choices: ['other/:Continue', 'other/:No thanks'] },
  ],
  ['D62: nobody is invited', `${work('<h1>Home</h1>')}${over('<h2>Invite your colleagues</h2><button>Invite</button>')}`, AFTER_LOGIN, {}],
  [
    'D62: nothing of one’s records is shared',
    `${work('<h1>Home</h1>')}<div class="consent-modal" role="dialog" style="position:fixed;inset:0;background:#fff"><p>Share your records? We ask to share them.</p><button>Decide later</button><button>I agree</button></div>`,
    AFTER_LOGIN,
    {},
  ],
  [
    'D62: which device leaves is asked where there are too many, not on a page of one’s own',
    `<header>${link('Overview')}${link('Domains')}</header><h1>Your other devices</h1><ul>${['Phone', 'Laptop'].map((name) => `<li><span>${name}</span> ${link('Rename', name)} <button>Sign out</button></li>`).join('')}</ul>`,
    AFTER_LOGIN,
    { kind: 'logged_in' },
  ],
  [
    'a code of an application is none that was sent',
    `<header><nav>${menus}</nav>${out}</header><h1>Home</h1><form>${box('Class code', 'text')}<button>Join</button></form>`,
    AFTER_LOGIN,
    { kind: 'logged_in' },
  ],
  [
    'D62: a second secret is asked for in the menus of its application',
    `<header><nav>${menus}</nav>${out}</header><h2>Security check</h2><form>${box('Passcode', 'text')}<button>OK</button></form>`,
    AFTER_LOGIN,
    { kind: 'code' },
  ],
  ...(
    [
      [
        'an approval',
        `<h1>Strong customer authentication</h1><p>We have sent a notification to your phone. Open the Acme Bank app and approve the login.</p>${link('About strong customer authentication', 'sca')}`,
      ],
      [
        'a link in a mail',
        `<h1>New device</h1><p>For your security we have sent an email to j***@mail.example. Click the link in the email to confirm this device.</p>${link('Why am I seeing this?', 'why')} ${link('Resend email', 'again')}`,
      ],
    ] as const
  ).map(([name, html]) => [`D62: ${name} is waited for beside new menus`, work(html), AFTER_LOGIN, { kind: 'external_wait' }] as const),
  [
    'D62: which device leaves is asked in the menus of who is not in yet',
    `<header>${link('Films')}${link('Series')}</header><h1>You are signed in on other devices</h1><ul>${['Phone', 'Laptop'].map((name) => `<li><span>${name}</span> <button>Sign out</button></li>`).join('')}</ul>${link('Upgrade your plan', 'plan')}`,
    AFTER_LOGIN,
    { kind: 'fork' },
  ],
  ...(['Sorry, too many users are online.', 'Your licence limit has been reached.'] as const).map(
    (text) =>
      [
        `D43: nobody is on who may only leave: ${text}`,
        `<header>${out}</header><h1>${text}</h1>`,
        AFTER_LOGIN,
        { kind: 'error', error: text },
      ] as const,
  ),
  ...(['Logout [ jane ]', 'Log out (Jane Doe)', 'Sign out jane@mail.example'] as const).map(
    (text) =>
      [
        `a way out that names who leaves is one: ${text}`,
        `<header>${link(text, 'ucp')}</header><h1>Board index</h1>`,
        undefined,
        { kind: 'logged_in' },
      ] as const,
  ),
  [
    'D62: whether messages may be sent is not asked of whoever is in',
    `<header>${link('Inbox')}${out}</header><h1>Home</h1><div style="position:fixed;right:0;bottom:0"><p>acme.example would like to send you notifications.</p><button>Later</button><button>Allow</button></div>`,
    AFTER_LOGIN,
    { kind: 'logged_in' },
  ],
  [
    'D62: kinds of use are no ways to prove oneself',
    work(`<h1>Your plan</h1>${['Calls', 'SMS', 'Email', 'Data'].map((text) => link(text)).join(' ')}`),
    AFTER_LOGIN,
    { kind: 'logged_in' },
  ],
  [
    'answers of a quiz are no digits of a code',
    `<h1>Security questions</h1><form>${[1, 2, 3, 4].map((place) => `<label>Answer ${place} of 4 <input></label>`).join('')}<button>Next</button></form>`,
    AFTER_LOGIN,
    { fields: [1, 2, 3, 4].map((place) => `text:Answer ${place} of 4`) },
  ],
  [
    'a slider beside a letter is no login',
    `<header>${link('Log in', 'login')}</header><main><a role="button">Previous</a><a role="button">Next</a><p>News</p>${box('Your email', 'email')}<a role="button">Sign me up</a></main>`,
    undefined,
    { kind: 'landing', entry: 'Log in' },
  ],
  [
    'D62: where somebody works today is asked in the menus',
    work(`<h1>Choose a location</h1><ul><li>${link('Downtown')}</li><li>${link('Harbour')}</li></ul>`),
    AFTER_LOGIN,
    { kind: 'account_picker', choices: ['account/:Downtown', 'account/:Harbour'] },
  ],
  [
    'D62: ten links of one digit are no keys',
    `<h1>Select your role</h1><ul>${Array.from({ length: 10 }, (_, at) => `<li>${link(String(at), `grade-${at}`)}</li>`).join('')}</ul>`,
    AFTER_LOGIN,
    { kind: 'account_picker' },
  ],
  [
    'D62: a captcha with menus around it',
    `<header>${link('Deals')}${link('Stores')}</header><h1>Verify you are human</h1><p>Slide to complete the puzzle.</p>${link('Why do I see this?', 'why')}`,
    AFTER_LOGIN,
    { kind: 'captcha' },
  ],
  [
    'D62: what an application demands in a form laid over it is asked',
    `<header>${menus}${out}</header>${over('<h2>Confidentiality statement</h2><form><p>I will keep all patient data confidential.</p><button>I confirm</button></form>')}`,
    AFTER_LOGIN,
    { kind: 'fork' },
  ],
  ...(['Ohne Aktivierung fortfahren', 'Continuer sans activer', 'Continue without activation'] as const).map(
    (text) =>
      [
        `D62: what goes on without a code does not send it: ${text}`,
        `<h1>Activate this device</h1><form>${box('Code', 'text', 'maxlength="6"')}<button>Aktivera</button><button>${text}</button></form>`,
        AFTER_LOGIN,
        { kind: 'code', submit: 'Aktivera' },
      ] as const,
  ),
  [
    'two codes of one page, one of them from a mailbox',
    `<h1>Security Verification</h1><form>${box('Email Verification Code', 'text', 'maxlength="6"')}${box('Authenticator Code', 'text', 'maxlength="6"')}<button>Submit</button></form>`,
    AFTER_LOGIN,
    { kind: 'code', fields: ['code:Email Verification Code', 'totp_code:Authenticator Code'] },
  ],
  [
    'D62: which device is to be removed is asked',
    `<h1>Device limit reached</h1><p>Remove a device to continue.</p><ul>${['Phone', 'Laptop'].map((name) => `<li><div>${name}</div><button>Remove</button></li>`).join('')}</ul><button>Cancel</button>`,
    AFTER_LOGIN,
    { kind: 'fork', choices: ['other/:Phone', 'other/:Laptop'] },
  ],
  [
    'a code to scan for the app of an application is no act elsewhere',
    `<header>${link('Pay')}${link('Time')}${out}</header><h1>Hello</h1>${over('<h2>Take it with you</h2><p>Scan the QR code to download our app.</p><button>Remind me later</button>')}`,
    AFTER_LOGIN,
    { choices: [] },
  ],
  [
    'D62: a consent is refused by what goes on without it',
    `<h1>May we contact you?</h1><p>We would like to share your data.</p><form><button>Allow</button><button>Continue without consent</button></form>`,
    AFTER_LOGIN,
    { kind: 'consent', choices: ['other/:Allow', 'other/:Continue without consent'] },
  ],
  [
    'D62: of two buttons one is not pressed for being the only way that a table knows',
    `<h1>How would you like to receive your invoices?</h1><div><button>By text message</button><button>On paper</button></div>`,
    AFTER_LOGIN,
    { choices: ['mfa_method/sms:By text message', 'mfa_method/other:On paper'] },
  ],
  [
    'an empty application asks to choose something, and its own work is no account',
    `<main><button aria-label="Settings">Settings</button><h1>Choose your project</h1><p>No projects yet.</p><p><button>Options</button></p></main>`,
    AFTER_LOGIN,
    { choices: [] },
  ],
  [
    'the button of a large maker of websites is none about cookies',
    `${login('Email', 'Password', 'Sign in')}<a class="cmp-button" href="/open">Open an account</a><div style="position:relative;width:90px"><a href="/terms">Terms</a><div style="position:absolute;inset:0;background:#fff">Chat</div></div>`,
    undefined,
    { kind: 'credentials', submit: 'Sign in' },
  ],
  [
    'D62: a box that may stay empty is not ticked',
    `<form>${box('Email', 'email')}${box('Password', 'password')}<label><input type="checkbox"> I agree to be contacted by post (optional)</label><button>Sign in</button></form>`,
    undefined,
    { kind: 'credentials' },
  ],
  [
    'a way in beside a list of languages in the head',
    `<header><select aria-label="Language"><option>English</option><option>Deutsch</option></select><button type="button">Sign in</button></header><h1>Norlund</h1>`,
    undefined,
    { kind: 'landing', entry: 'Sign in' },
  ],
  [
    'D43: what is new is told over the menus and the way out of who is in',
    `<header>${menus}${out}</header>${over('<h2>What’s new</h2><p>Lorem ipsum.</p><button>OK</button>')}`,
    AFTER_LOGIN,
    { kind: 'logged_in' },
  ],
  [
    'boxes of a code that show where a digit goes',
    `<h1>Code</h1><form>${'<input style="width:40px" placeholder="-">'.repeat(6)}<button>Verify</button></form>`,
    AFTER_LOGIN,
    { kind: 'code', fields: ['code:Code'] },
  ],
];

describe('what is not believed, and not done unasked (D43, D62)', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  it.each(PAGES)('%s', async (_name, html, context, expected) => {
    const { verdict } = await lab.look(html, context);
    expect(summary(verdict)).toMatchObject(expected);
    // Nothing is put away, agreed to or ticked by itself.
    expect([verdict.dismiss?.label, verdict.agreement]).toEqual([undefined, null]);
  });

  it.each([
    ['Incorrect email or password. Reset your password now to avoid being locked out.', false],
    ['Incorrect password. You have 2 more tries before your account is locked.', false],
    ['Incorrect password. Try again, or your account will be disabled.', false],
    ['Kennwort falsch. Nach 3 Fehlversuchen wird Ihr Konto gesperrt.', false],
    ['Your account is locked.', true],
    ['Your account has been locked after 5 failed login attempts.', true],
    ['Your account is locked until 10:45.', true],
    ['Ihr Konto wurde nach 3 Fehlversuchen gesperrt.', true],
    ['Su cuenta está bloqueada después de 3 intentos fallidos.', true],
    ['Votre compte a été bloqué après 3 tentatives.', true],
  ])('D43: whether an account is closed: %s', async (text, lockedOut) => {
    const { verdict } = await lab.look(`<p role="alert">${text}</p>${login('Email', 'Password', 'Sign in')}`, AFTER_LOGIN);
    expect(verdict).toMatchObject({ kind: 'credentials', error: text, lockedOut });
  });

  it('D62: "OK" beside "Cancel" answers something, and is not pressed unasked', async () => {
    const { verdict } = await lab.look(
      `${login('Email', 'Password', 'Sign in')}${over('<h2>Session limit reached</h2><p>Log the other device out and continue here?</p><button>OK</button><button>Cancel</button>')}`,
      AFTER_LOGIN,
    );
    expect([verdict.dismiss, ...(summary(verdict).choices as string[])]).toEqual([null, 'other/:OK', 'other/:Cancel']);
  });

  it('D62: beside a way in nobody goes on as a guest', async () => {
    const { verdict } = await lab.look(
      `<h1>Checkout</h1><button>Pay</button>${over('<button>Sign in</button><button>Continue as guest</button>')}`,
    );
    expect(verdict).toMatchObject({ dismiss: null, entry: { label: 'Sign in' } });
  });

  it.each([
    ['a push', '<h2>Two-step verification</h2><p>A request was sent to the device “Jane’s Pixel”.</p><button>Close</button>'],
    ['a link', '<h2>Almost there</h2><p>Please confirm this login with the link that we have just sent to you.</p><button>OK</button>'],
  ])('D62: a box over what was sent that waits for %s is not put away', async (_what, html) => {
    const form = login('Email', 'Password', 'Sign in');
    const { snapshot, verdict } = await lab.look(form);
    const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    const told = await lab.look(`${form}${over(html)}`, after);
    expect(told.verdict).toMatchObject({ kind: 'external_wait', dismiss: null, error: null });
  });

  it('D43: a main menu is no list to choose from, whatever the login shows', async () => {
    const page = `<h1>Main menu</h1><ul><li>${link('Grades')}</li><li>${link('Financial aid')}</li></ul>`;
    const { verdict } = await lab.look(page, AFTER_LOGIN);
    expect(verdict).toMatchObject({ kind: 'logged_in', slight: false });
  });

  it('D43: another status than the login came with is an answer', async () => {
    const { snapshot, verdict } = await lab.look(login('Email', 'Password', 'Sign in'));
    const before = beforeSending({ ...snapshot, httpStatus: 401 }, verdict);
    const { snapshot: after } = await lab.look('<h1>Slow down</h1><p>Come back in an hour.</p>');
    const read = classifyPage({ ...after, httpStatus: 429, documentId: 'another' }, { sent: ['identifier', 'password'], before });
    expect(read).toMatchObject({ kind: 'error', error: 'Slow down. Come back in an hour.' });
  });

  it('D58: a box that has come over what was sent is the answer in whatever words, and its only button puts it away', async () => {
    const form = `<h1>Code</h1><form>${box('Code', 'text', 'autocomplete="one-time-code"')}<button>OK</button></form>`;
    const { snapshot, verdict } = await lab.look(form, AFTER_PASSWORD);
    const after: PageContext = { sent: ['identifier', 'password', 'code'], before: beforeSending(snapshot, verdict) };
    const refused = await lab.look(`${form}${over('<p>Xyzzy plugh qwerty.</p><button>Értem</button>')}`, after);
    expect(refused.verdict).toMatchObject({ kind: 'error', error: 'Xyzzy plugh qwerty.', errorIsNew: true, dismiss: { label: 'Értem' } });
  });

  it('a box that says that it was right is put away by its only button', async () => {
    const form = login('Email', 'Senha', 'Entrar');
    const { snapshot, verdict } = await lab.look(form);
    const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    const told = await lab.look(`${form}${over('<h2>Tudo certo!</h2><p>Bem-vinda de volta, Jane.</p><button>OK</button>')}`, after);
    expect(summary(told.verdict)).toMatchObject({ choices: [], error: null });
    expect(told.verdict.dismiss).toMatchObject({ label: 'OK' });
  });

  it('D43: the status of a document that stood there before, or that the login came with too, is no answer', async () => {
    const { snapshot, verdict } = await lab.look(login('Email', 'Password', 'Sign in'));
    const before = beforeSending({ ...snapshot, httpStatus: 404 }, verdict);
    const home = await lab.look(work(`<h1>Dashboard</h1>${link('Reports')}`));
    const read = (documentId: string, status: PageContext['before']) =>
      classifyPage({ ...home.snapshot, httpStatus: 404, documentId }, { sent: ['identifier', 'password'], before: status }).kind;
    const { httpStatus: _status, ...plain } = before;
    expect([read('another', before), read(plain.documentId, plain), read('another', plain)]).toEqual(['logged_in', 'logged_in', 'error']);
  });

  it('D43: a list of nothing but links is looked at once more, and asked where the login still stands', async () => {
    const page = `<h1>Veldu útibú</h1><ul><li>${link('Reykjavík')}</li><li>${link('Akureyri')}</li></ul>`;
    const { verdict } = await lab.look(page, AFTER_LOGIN);
    expect(verdict).toMatchObject({ kind: 'logged_in', slight: true });
    const stands = await lab.look(page, { ...AFTER_LOGIN, loginStands: true });
    expect(summary(stands.verdict).choices).toEqual(['other/:Reykjavík', 'other/:Akureyri']);
  });

  it('a form to join that stood beside the login is no part of its steps', async () => {
    const join = `<form><h2>New here?</h2>${box('Your e-mail', 'email')}${box('New password', 'password', 'autocomplete="new-password"')}<button>Sign up</button></form>`;
    const { snapshot, verdict } = await lab.look(`${login('User', 'Password', 'Log in')}${join}`);
    const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    const step = await lab.look(
      `<form><p>Lorem ipsum.</p><label><input type="checkbox"> I accept the terms</label><button>Continue</button></form>${join}`,
      after,
    );
    expect(summary(step.verdict)).toMatchObject({ kind: 'fork', choices: ['other/:Continue'] });
  });
});
