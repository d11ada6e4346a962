import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AMONG_MENUS, type Expected, framed, login, summary } from './cases.js';
import { AFTER_PASSWORD, PageLab } from './fixture.js';

let lab: PageLab;
beforeAll(async () => {
  lab = await PageLab.open();
}, 60_000);
afterAll(() => lab.close());
afterEach(() => lab.closeTabs());

/** Pages that let nobody on: who stands there, after a password, is not in. */
const BARRED: readonly (readonly [string, string, string])[] = [
  [
    'en',
    '<h1>Security alert</h1><p>We blocked this sign-in because it looked unusual.</p><a href="/">Back</a>',
    'We blocked this sign-in because it looked unusual.',
  ],
  [
    'en',
    '<h1>We have detected unusual activity</h1><p>Please contact our fraud team on 0800 123.</p><a href="/help">Help</a>',
    'We have detected unusual activity. Please contact our fraud team on 0800 123.',
  ],
  [
    'en',
    '<h1>Please use another browser</h1><p>This browser is not supported.</p>',
    'Please use another browser. This browser is not supported.',
  ],
  ['en', '<h1>Scheduled maintenance</h1><p>We will be back at 06:00 UTC.</p>', 'Scheduled maintenance. We will be back at 06:00 UTC.'],
  ['en', '<h1>Queue</h1><p>You are number 1423 in line. Do not refresh.</p>', 'You are number 1423 in line. Do not refresh.'],
  ['en', '<h1>Sign-in blocked</h1><button>Back</button><button>Home</button><a href="/c">Contact us</a>', 'Sign-in blocked'],
  ['de', '<h1>Bitte warten</h1><p>Ihr Konto wird geprüft. Bitte wenden Sie sich an den Support.</p>', 'Ihr Konto wird geprüft.'],
  ['fr', '<h1>Maintenance en cours</h1><p>Merci de votre patience.</p>', 'Maintenance en cours'],
  ['es', '<h1>Sala de espera</h1><p>No actualice la página.</p>', 'Sala de espera. No actualice la página.'],
  ['pt', '<h1>Aviso</h1><p>Sua conta está em análise.</p>', 'Sua conta está em análise.'],
  ['it', '<h1>Avviso</h1><p>Questo browser non è supportato.</p>', 'Questo browser non è supportato.'],
  ['nl', '<h1>Let op</h1><p>U staat in de wachtrij.</p>', 'U staat in de wachtrij.'],
  ['pl', '<h1>Uwaga</h1><p>Wykryliśmy podejrzaną aktywność.</p>', 'Wykryliśmy podejrzaną aktywność.'],
  ['ru', '<h1>Внимание</h1><p>Ведутся технические работы.</p>', 'Ведутся технические работы.'],
  ['ja', '<h1>お知らせ</h1><p>ただいまメンテナンス中です。</p>', 'ただいまメンテナンス中です。'],
  ['zh', '<h1>通知</h1><p>您的帐户正在审核。</p>', '您的帐户正在审核。'],
  ['ko', '<h1>안내</h1><p>시스템 점검 중입니다.</p>', '시스템 점검 중입니다.'],
];

/** Pages that bar the way and offer one around all the same. */
const AROUND: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'en',
    '<h1>Security alert</h1><p>We blocked this sign-in because it looked unusual.</p><a href="/y">Yes, it was me</a> <a href="/">Back</a> <a href="/h">Home</a>',
    ['other/:Yes, it was me'],
  ],
  [
    'en',
    '<h1>Unusual activity</h1><button>Try another way</button><button>Verify it’s you</button><button>Contact support</button>',
    ['mfa_method/switch:Try another way', 'other/:Verify it’s you'],
  ],
  [
    'en',
    '<h1>Your session ended</h1><p>You are signed in on another computer. Only one session is allowed.</p><form method="post"><button>End other session and continue</button><button>Cancel</button></form>',
    ['other/:End other session and continue'],
  ],
  ['de', '<h1>Verdächtige Aktivität</h1><button>Das war ich</button><button>Startseite</button>', ['other/:Das war ich']],
  ['fr', '<h1>Activité inhabituelle</h1><a href="/o">Oui, c’était moi</a><a href="/">Accueil</a>', ['other/:Oui, c’était moi']],
  ['es', '<h1>Actividad inusual</h1><button>Sí, fui yo</button><a href="/c">Contacto</a>', ['other/:Sí, fui yo']],
  ['pt', '<h1>Atividade suspeita</h1><button>Sim, fui eu</button>', ['other/:Sim, fui eu']],
  ['it', '<h1>Attività sospetta</h1><button>Sono stato io</button>', ['other/:Sono stato io']],
  ['nl', '<h1>Verdachte activiteit</h1><button>Dat was ik</button>', ['other/:Dat was ik']],
  ['pl', '<h1>Podejrzana aktywność</h1><button>To ja</button>', ['other/:To ja']],
  ['ru', '<h1>Подозрительная активность</h1><button>Это был я</button>', ['other/:Это был я']],
  ['ja', '<h1>不審なログイン</h1><button>本人です</button><a href="/">トップページ</a>', ['other/:本人です']],
  ['zh', '<h1>异常登录</h1><button>是我本人</button><a href="/">返回首页</a>', ['other/:是我本人']],
  ['ko', '<h1>의심스러운 활동</h1><button>본인입니다</button><a href="/c">고객센터</a>', ['other/:본인입니다']],
];

/** What ends other sessions so that one can go on: as heading and text, the buttons, and what is offered. */
const ELSEWHERE: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'en',
    '<h1>You are signed in elsewhere</h1>',
    '<button>Sign out of other devices</button><a href="/">Cancel</a>',
    ['Sign out of other devices'],
  ],
  ['en', '<h1>Active session found</h1>', '<button>Log out other session and continue</button>', ['Log out other session and continue']],
  ['en', '<h1>Session limit reached</h1>', '<button>Log out everywhere and continue</button>', ['Log out everywhere and continue']],
  [
    'en',
    '<h1>One device at a time</h1><p>Kim is on Chrome.</p>',
    '<a href="/logout-others">Sign out other devices</a><a href="/logout">Log out</a>',
    ['Sign out other devices'],
  ],
  [
    'en',
    '<h1>Too many devices</h1>',
    '<label><input type="radio" name="k"> Chrome, Berlin</label><label><input type="radio" name="k"> Safari, Oslo</label><button>Sign out this device and continue</button>',
    ['Chrome, Berlin', 'Safari, Oslo'],
  ],
  ['de', '<h1>Bereits angemeldet</h1>', '<button>Andere Sitzung abmelden</button><button>Abbrechen</button>', ['Andere Sitzung abmelden']],
  ['fr', '<h1>Session déjà ouverte</h1>', '<button>Déconnecter les autres appareils</button>', ['Déconnecter les autres appareils']],
  ['es', '<h1>Sesión activa</h1>', '<button>Cerrar sesión en otros dispositivos</button>', ['Cerrar sesión en otros dispositivos']],
  ['pt', '<h1>Sessão ativa</h1>', '<button>Sair de todos os dispositivos</button>', ['Sair de todos os dispositivos']],
  ['it', '<h1>Sessione attiva</h1>', '<button>Esci da altri dispositivi</button>', ['Esci da altri dispositivi']],
  ['nl', '<h1>Actieve sessie</h1>', '<button>Andere apparaten uitloggen</button>', ['Andere apparaten uitloggen']],
  ['pl', '<h1>Aktywna sesja</h1>', '<button>Wyloguj z innych urządzeń</button>', ['Wyloguj z innych urządzeń']],
  ['ru', '<h1>Активный сеанс</h1>', '<button>Выйти на всех устройствах</button>', ['Выйти на всех устройствах']],
  ['ja', '<h1>同時ログイン</h1>', '<button>他の端末をログアウト</button>', ['他の端末をログアウト']],
  ['zh', '<h1>会话已存在</h1>', '<button>退出其他设备</button>', ['退出其他设备']],
  ['ko', '<h1>동시 접속</h1>', '<button>다른 기기 로그아웃</button>', ['다른 기기 로그아웃']],
];

/** Steps that have a way out beside them. */
const WAY_OUT_BESIDE: readonly (readonly [string, string, Expected])[] = [
  [
    'a wait for a phone',
    '<h1>Approve sign-in request</h1><p>We sent a notification to your phone. Open Acme Verify and tap Approve.</p><a href="/logout">Sign out</a>',
    { kind: 'external_wait', external: { kind: 'push', number: null } },
  ],
  [
    'the same, by another name',
    '<h1>Check your phone</h1><p>Tap 47 in the Acme app to approve the sign-in.</p><a href="/logout">Cancel and log out</a>',
    { kind: 'external_wait' },
  ],
  [
    'a link in the mail',
    '<h1>Verify your email</h1><p>We sent a verification link to k***@x.com. Please click it to continue.</p><form method="post" action="/resend"><button>Resend email</button></form><a href="/logout">Log out</a>',
    { kind: 'external_wait', external: { kind: 'magic_link', number: null } },
  ],
  [
    'a list of methods',
    '<h1>Verify with Okta Verify</h1><p>Select from the following options</p><form method="post"><button>Get a push notification</button><button>Enter a code</button><button>Text me a code</button></form><a href="/logout">Sign Out</a>',
    {
      kind: 'method_choice',
      choices: ['mfa_method/push:Get a push notification', 'mfa_method/other:Enter a code', 'mfa_method/sms:Text me a code'],
    },
  ],
  [
    'the name of the website, and a method list with a greeting',
    '<header><a href="/">Acme</a></header><h1>Hi Kim</h1><form method="post"><button>Authenticator app</button><button>Text message to *** 11</button></form><a href="/logout">Sign out</a>',
    { kind: 'method_choice' },
  ],
  [
    'a security question',
    '<h1>Security question</h1><form method="post"><label>First pet?<input name="k"></label><button>Continue</button></form><a href="/logout">Log out</a>',
    { kind: 'question', fields: ['text:First pet?'], submit: 'Continue' },
  ],
  [
    'new terms',
    '<h1>Updated terms</h1><p>You must accept the new terms to go on.</p><form method="post"><button>I accept</button></form><a href="/logout">Log out</a>',
    { kind: 'fork', choices: ['other/:I accept'] },
  ],
  [
    'a list to choose from',
    '<h1>Which store?</h1><form method="post"><label><input type="radio" name="k"> Store A</label><label><input type="radio" name="k"> Store B</label><button>Continue</button></form><a href="/logout">Log out</a>',
    { kind: 'account_picker', choices: ['account/:Store A', 'account/:Store B'], submit: 'Continue' },
  ],
  [
    'an account that is closed',
    '<h1>Account suspended</h1><p>Your account has been suspended. Contact support.</p><a href="mailto:help@site.example">help@site.example</a><a href="/logout">Log out</a>',
    { kind: 'error' },
  ],
];

/** Pages of somebody who is in, however little they show beside the way out. */
const IN: readonly (readonly [string, string])[] = [
  ['a greeting alone', '<h1>Welcome kim</h1><a href="/logout">Sign out</a>'],
  ['a line alone', '<p>Signed in as kim</p><a href="/logout">Sign out</a>'],
  [
    'a home page with little',
    '<header><a href="/home">Home</a><form action="/logout" method="post"><button>Sign out</button></form></header><h1>Good evening, Kim</h1><p>You have 3 open orders.</p>',
  ],
  [
    'work in buttons',
    '<h1>Orders</h1><form method="post"><button>New order</button></form><button>Export</button><a href="/logout">Sign out</a>',
  ],
  [
    'a list with a button that saves',
    '<h1>Hasiera</h1><form method="post"><select name="l"><option>A</option><option>B</option></select><button>Save</button></form><a href="/logout">Sign out</a>',
  ],
  [
    'a message of failure among its news',
    '<h1>Orders</h1><p role="alert">Payment failed</p><a href="/orders">Orders</a><a href="/logout">Sign out</a>',
  ],
  [
    'an address to confirm some time, beside work',
    '<h1>Projects</h1><p>Verify your email: we sent a verification link to k***@x.com.</p><a href="/new">New project</a><a href="/logout">Log out</a>',
  ],
  [
    'a question beside work',
    '<h1>Projects</h1><form method="post"><label>Title <input name="t"></label><button>Continue</button></form><a href="/reports">Reports</a><a href="/logout">Log out</a>',
  ],
  [
    'settings that end other sessions too',
    '<h1>Your account</h1><a href="/orders">Orders</a><button>Sign out of other devices</button><a href="/logout">Sign out</a>',
  ],
  [
    'a banner about cookies',
    '<h1>Your orders</h1><p>Three are open.</p><a href="/logout">Sign out</a><div><p>We use cookies.</p><button>Accept</button><button>Decline</button></div>',
  ],
];

const WALL = 'position:fixed;inset:0;background:#fffd;z-index:9';

/** What is laid over a login without being called a dialog, and the button that clears it away. */
const OVERLAYS: readonly (readonly [string, string, string])[] = [
  [
    'a banner named for cookies',
    `<div id="cookie-banner" class="cookie-consent" style="${WALL}"><div><p>We use cookies</p><button>Settings</button><button>Accept all</button></div></div>`,
    'Accept all',
  ],
  [
    'a nameless banner',
    `<div style="${WALL}"><div><p>Wir verwenden Cookies</p><button>Einstellungen</button><button>Alle akzeptieren</button></div></div>`,
    'Alle akzeptieren',
  ],
  [
    'a banner that can be refused',
    `<div class="banner" style="${WALL}"><p>Nous utilisons des cookies.</p><button>Accepter</button><button>Refuser</button></div>`,
    'Refuser',
  ],
  [
    'a consent wall',
    `<div id="cmp" style="${WALL}"><p>We value your privacy. We and our 842 partners store and access information on your device.</p><button>Manage options</button><button>Accept all</button></div>`,
    'Accept all',
  ],
  [
    'a newsletter',
    `<div id="promo" style="${WALL}"><p>Subscribe to our newsletter and get 10% off!</p><input type="email" placeholder="Your email"><button>Subscribe</button><button aria-label="Close">×</button></div>`,
    'Close',
  ],
];

describe('what stands between a login and the website, or over it', () => {
  it.each(BARRED)('nobody is in where the website lets nobody on, in %s: %s', async (_language, html, error) => {
    const { verdict } = await lab.look(html, AFTER_PASSWORD);
    expect(verdict).toMatchObject({ kind: 'error', error, errorIsNew: true, choices: [] });
  });

  it.each(AROUND)('D43: a website that lets nobody on and offers a way around, in %s: %s', async (_language, html, choices) => {
    const { verdict } = await lab.look(html, AFTER_PASSWORD);
    expect(summary(verdict)).toMatchObject({ kind: 'error', choices });
    expect(verdict.errorIsNew).toBe(true);
    expect(summary((await lab.look(framed(html), AMONG_MENUS)).verdict)).toMatchObject({ kind: 'error', choices });
    const beside = framed(html, '<a href="/login">Log in</a>');
    expect(summary((await lab.look(beside, AMONG_MENUS)).verdict)).toMatchObject({ kind: 'error', choices });
  });

  it.each(ELSEWHERE)('D43: a website that wants other sessions ended first, in %s: %s', async (_language, told, buttons, labels) => {
    const { verdict } = await lab.look(`${told}<form method="post" action="/2">${buttons}</form>`, AFTER_PASSWORD);
    expect(verdict.kind).toBe('fork');
    expect(verdict.choices.map(({ label }) => label)).toEqual(expect.arrayContaining([...labels]));
    expect(verdict.success).toEqual([]);
  });

  it.each(WAY_OUT_BESIDE)('nobody is in where a way out stands beside %s', async (_name, html, expected) => {
    expect(summary((await lab.look(html, AFTER_PASSWORD)).verdict)).toMatchObject(expected);
  });

  it.each(IN)('somebody is in by a way out and %s', async (_name, html) => {
    expect((await lab.look(html, AFTER_PASSWORD)).verdict.kind).toBe('logged_in');
  });

  it.each(OVERLAYS)('what clears %s away', async (_name, overlay, label) => {
    const { verdict } = await lab.look(
      `<header><a href="/">Acme</a></header><main>${login('Username', 'Password', 'Sign in')}</main>${overlay}`,
    );
    expect(verdict.dismiss?.label).toBe(label);
  });

  const dialog = (inside: string): string =>
    `<div style="${WALL}"><div role="dialog" aria-modal="true" style="background:white"><button aria-label="Close">×</button>${inside}</div></div>`;
  const asking = login('Username', 'Password', 'Sign in');

  it.each([
    [
      'a name, over a shop',
      '<main><button>Shop</button></main>',
      '<h2>Log in</h2><input type="email" placeholder="Email"><button>Next</button>',
      'identifier',
    ],
    ['name and password, over a shop', '<main><button>Shop</button></main>', asking, 'credentials'],
    [
      'a code, over the login',
      asking,
      '<h2>Two-factor authentication</h2><input placeholder="Authentication code"><button>Verify</button>',
      'code',
    ],
  ])('a dialog that asks for %s, is not closed', async (_name, under, inside, kind) => {
    const { verdict } = await lab.look(`${under}${dialog(inside)}`, kind === 'code' ? AFTER_PASSWORD : undefined);
    expect(verdict).toMatchObject({ kind, dismiss: null });
  });

  it.each([
    ['a name', '<h2>Log in</h2><form><input type="email" placeholder="Email"><button>Next</button></form>', 'identifier'],
    ['name and password', asking, 'credentials'],
  ])('nor is a box that asks for %s and is a dialog by its looks alone', async (_name, inside, kind) => {
    const modal = `<div class="modal" style="${WALL}"><div style="background:white"><button class="modal-close">×</button>${inside}</div></div>`;
    const { verdict } = await lab.look(`<header><button>Log in</button></header><h1>Shop</h1>${modal}`);
    expect(verdict).toMatchObject({ kind, dismiss: null });
  });

  it('a dialog that wants a newsletter read, over a login, is closed', async () => {
    const inside = '<h2>Join the club</h2><input type="email" placeholder="Your email"><button>Continue</button>';
    expect((await lab.look(`${asking}${dialog(inside)}`)).verdict.dismiss?.rules).toEqual(['dismiss/close']);
  });

  it('a login laid over its page is not cleared away', async () => {
    const overlay = `<div style="${WALL}">${login('Username', 'Password', 'Sign in')}<p>We use cookies.</p><button>OK</button></div>`;
    expect((await lab.look(`<main><button>Shop</button></main>${overlay}`)).verdict.dismiss).toBeNull();
  });
});
