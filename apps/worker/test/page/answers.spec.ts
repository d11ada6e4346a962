/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyPage } from '../../src/discovery/classify.js';
import { beforeSending, NOTHING_SENT, type PageContext } from '../../src/discovery/verdict.js';
import { PageLab } from './fixture.js';

const FORM =
  '<form method="post" action="/authenticate"><p><label>User name <input name="user"></label></p><p><label>Password <input type="password" name="pass"></label></p><p>Your user name is on your card.</p><button>Sign in</button></form>';
const HEAD = '<nav><a href="/">Home</a></nav><h1>Sign in</h1><p>Members only.</p>';
const FOOT = '<footer><p>Open from 8 to 17.</p></footer>';
const PAGE = `${HEAD}${FORM}${FOOT}`;

/** What a form that was sent comes back with, in a new document at another address. */
const ANSWERS: readonly (readonly [string, string, string | null])[] = [
  ['a statement above the form', `${HEAD}<p>We could not verify those details</p>${FORM}${FOOT}`, 'We could not verify those details'],
  ['a statement below the form', `${HEAD}${FORM}<div>Das Kennwort ist falsch.</div>${FOOT}`, 'Das Kennwort ist falsch.'],
  ['words that no table has', `${HEAD}<div><p>Datu horiek ez datoz bat</p></div>${FORM}${FOOT}`, 'Datu horiek ez datoz bat'],
  ['bare text at the top of the page', `Sarrera okerra<br>${PAGE}`, 'Sarrera okerra'],
  ['text between tags of one line', `${HEAD}<p>Your <b>details</b> were <i>not</i> accepted</p>${FORM}`, 'Your details were not accepted'],
  [
    'a statement that ends in a question',
    `${HEAD}<p>That is not the password. <a href="/reset">Forgot it?</a></p>${FORM}`,
    'That is not the password. Forgot it?',
  ],
  [
    'a heading and what it means',
    `${HEAD}<div><h3>Sign-in failed</h3><p>Your account is locked for 15 minutes.</p></div>${FORM}${FOOT}`,
    'Your account is locked for 15 minutes.',
  ],
  ['a heading alone', `${HEAD}<h2>Wrong password</h2>${FORM}`, 'Wrong password'],
  ['nothing', PAGE, null],
  ['another time of day', PAGE.replace('from 8 to 17', 'from 9 to 18'), null],
  ['a counter', `${HEAD}${FORM}<p>Visitor 1002</p>`, null],
  ['a new question', `${HEAD}${FORM}<p>Are you new here?</p>`, null],
  ['news in a footer', `${HEAD}${FORM}<footer><p>Today with live music.</p></footer>`, null],
  ['news in a menu', `<nav><p>Today with live music.</p></nav>${PAGE}`, null],
  ['an advertisement aside', `<aside><p>Our new card costs nothing.</p></aside>${PAGE}`, null],
  [
    'an advertisement in the next column',
    `<div style="float:right;width:200px">Our new card costs nothing.</div><div style="width:600px">${PAGE}</div>`,
    null,
  ],
  [
    'a banner about cookies',
    `${PAGE}<div style="position:fixed;bottom:0;left:0;right:0">This site keeps crumbs in your browser.</div>`,
    null,
  ],
  ['a notice of success', `${HEAD}<p>You have been logged out.</p>${FORM}`, null],
  [
    'another page with that form',
    `<h1>Account</h1><p>Welcome to the members' area.</p><p>Sign in to see your loans.</p><p>Ask at the desk for a card.</p>${FORM}`,
    null,
  ],
  [
    'another page with that form and a refusal',
    `<h1>Account</h1><p>Welcome to the members' area.</p><p>Wrong user name or password.</p><p>Ask at the desk for a card.</p>${FORM}`,
    'Wrong user name or password.',
  ],
  [
    'a form that asks for more',
    `${HEAD}<p>One thing more.</p>${FORM.replace('<button>', '<label>Code <input name="otp"></label><button>')}`,
    null,
  ],
];

describe('D58: what a website says to what was sent', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  it('D58: what a template leaves in its component is no part of the text', async () => {
    const note = (told: string): string =>
      `${PAGE}<x-note>${told}</x-note><script>customElements.define('x-note', class extends HTMLElement {
        connectedCallback() {
          this.attachShadow({ mode: 'open' }).innerHTML = '<style>p { color: red }</style><div role="alert"><slot></slot><slot name="more"><!--?lit$064$--></slot></div>';
        }
      });</script>`;
    const context = await sentFrom(note(''));
    expect((await lab.look(note('Wrong password.'), context)).verdict.error).toBe('Wrong password.');
  });

  it.each([
    ['a refusal', 'Mitgliedsname oder Kennwort ist falsch.', 'Mitgliedsname oder Kennwort ist falsch.'],
    ['an offer', 'Zehn Prozent auf alles.', null],
  ])('D58: what is laid over the page by its class alone is read for what it says: %s', async (_name, told, error) => {
    const popup = `<div class="ui-popup" style="position:absolute;top:10px;left:600px"><a href="#" role="button">Schließen</a><p>${told}</p></div>`;
    expect((await lab.look(`${PAGE}${popup}`, await sentFrom(PAGE))).verdict.error).toBe(error);
  });

  it('D43: a refusal in words of no table counts also where a form for guests stands beside the login', async () => {
    const guests =
      '<div><h2>Gonbidatuak</h2><form action="/guest"><label>E-mail<input type="email" name="g"></label><button>Continue</button></form></div>';
    const shop = (told: string): string => `<h1>Shop</h1>${guests}<div>${told}${FORM}</div>`;
    const told = 'Izena edo pasahitza ez dator bat.';
    const context = await sentFrom(shop(''));
    expect((await lab.look(shop(`<p class="error">${told}</p>`), context)).verdict).toMatchObject({ kind: 'credentials', error: told });
  });

  const sentFrom = async (html: string, sent: PageContext['sent'] = ['identifier', 'password']): Promise<PageContext> => {
    const { snapshot, verdict } = await lab.look(html);
    expect(verdict.error).toBeNull();
    return { sent, before: beforeSending(snapshot, verdict) };
  };

  it.each(ANSWERS)('the form comes back with %s', async (_name, html, error) => {
    const context = await sentFrom(`${PAGE}<p>Visitor 1001</p>`);
    const { verdict } = await lab.look(html, context);
    expect([verdict.error, verdict.errorIsNew]).toEqual([error, error !== null]);
  });

  it('a text that takes the place of another changes with every visit', async () => {
    const context = await sentFrom(`${HEAD}<p>Save ten percent on every order.</p>${FORM}`);
    expect((await lab.look(`${HEAD}<p>Our new terminal is here.</p>${FORM}`, context)).verdict.error).toBeNull();
  });

  it('D43: the same refusal once more is said once more', async () => {
    const refused = `${HEAD}<p>We could not verify those details</p>${FORM}`;
    const first = await lab.look(refused, await sentFrom(PAGE));
    const again = await lab.look(refused, { sent: ['identifier', 'password'], before: beforeSending(first.snapshot, first.verdict) });
    expect(again.verdict).toMatchObject({ error: 'We could not verify those details', errorIsNew: true });
  });

  it('a box that its page marks as an alert is an answer in any words, in a new document too', async () => {
    const marked = `${HEAD}<div class="alert alert-danger">Zadané údaje nejsou správné</div><div class="alert">Od 8 do 17</div>${FORM}`;
    const context = await sentFrom(`${HEAD}<div class="alert">Od 8 do 17</div>${FORM}`);
    expect((await lab.look(marked, context)).verdict).toMatchObject({ error: 'Zadané údaje nejsou správné', errorIsNew: true });
  });

  it.each([
    ['says so', '<div class="toast" role="alert">You are signed in</div>'],
    ['is styled so, in words of no table', '<div class="note note-success" role="alert">Ongi sartu zara</div>'],
    ['has a part that is styled so', '<div class="toast" role="status"><div class="is-success">Ongi sartu zara</div></div>'],
    ['says so in Turkish', '<div class="toast" role="alert">Başarıyla giriş yaptınız</div>'],
  ])('a notice of success over the form that has not gone yet is no refusal: it %s', async (_name, notice) => {
    const { page, raw, snapshot, verdict } = await lab.look(PAGE);
    await raw.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), notice);
    const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    expect(classifyPage(await page.observe(), after)).toMatchObject({ kind: 'credentials', error: null });
  });

  it('what is styled as success and says that something is wrong is a refusal', async () => {
    const refused = `${HEAD}<div class="alert alert-success" role="alert">Wrong password</div>${FORM}`;
    expect((await lab.look(refused, await sentFrom(PAGE))).verdict).toMatchObject({ error: 'Wrong password', errorIsNew: true });
  });

  it('a refusal in a dialog over a login that greets is told, and nobody is in', async () => {
    const greeting = `<h1>Welcome back</h1>${FORM}`;
    const dialog = (attributes: string): string =>
      `<div ${attributes} style="position:fixed;inset:0;background:rgba(0,0,0,.5)"><div style="margin:80px auto;width:400px;background:#fff"><h5>Login failed</h5><div>Invalid email or password.</div><button type="button">Close</button></div></div>`;
    for (const attributes of ['role="dialog" aria-modal="true"', '']) {
      const { page, raw, snapshot, verdict } = await lab.look(greeting);
      await raw.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), dialog(attributes));
      const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
      const read = classifyPage(await page.observe(), after);
      expect(read.kind).not.toBe('logged_in');
      if (attributes !== '') expect(read).toMatchObject({ error: 'Login failed Invalid email or password.', dismiss: { label: 'Close' } });
    }
  });

  it('a dialog that takes the page from its readers as well is read and cleared away', async () => {
    const { page, raw, snapshot, verdict } = await lab.look(`<div id="root"><h1>Welcome back</h1>${FORM}</div>`);
    await raw.evaluate(() => {
      document.querySelector('#root')?.setAttribute('aria-hidden', 'true');
      document.body.insertAdjacentHTML(
        'beforeend',
        '<div style="position:fixed;inset:0;z-index:9"><div role="dialog" aria-modal="true" aria-live="assertive"><h2>Oops...</h2><div>Invalid email or password</div><button type="button">OK</button></div></div>',
      );
    });
    const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    expect(classifyPage(await page.observe(), after)).toMatchObject({
      error: 'Oops... Invalid email or password',
      dismiss: { label: 'OK' },
    });
  });

  it('what has just been praised outweighs a refusal that has not gone yet', async () => {
    const notices = (more: string): string =>
      `${PAGE}<div class="toasts"><div class="alert alert-error" role="alert">Wrong password</div>${more}</div>`;
    const { page, raw, snapshot, verdict } = await lab.look(notices(''), await sentFrom(PAGE));
    expect(verdict.error).toBe('Wrong password');
    await raw.evaluate(
      (html) => (document.body.innerHTML = html),
      notices('<div class="alert alert-success" role="alert">Ongi sartu zara</div>'),
    );
    const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    expect(classifyPage(await page.observe(), after)).toMatchObject({ kind: 'credentials', error: null });
  });

  it('D58: of a stack of notices only what is new since the submit is told', async () => {
    const stack = (...texts: string[]): string =>
      `${PAGE}<div class="notifications">${texts.map((text) => `<div role="alert">${text}</div>`).join('')}</div>`;
    const { page, raw, snapshot, verdict } = await lab.look(stack('Wrong password'), await sentFrom(PAGE));
    expect(verdict.error).toBe('Wrong password');
    await raw.evaluate(() =>
      document
        .querySelector('.notifications')
        ?.insertAdjacentHTML('beforeend', '<div role="alert">Choose a plant, please fill it in</div>'),
    );
    const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    expect(classifyPage(await page.observe(), after)).toMatchObject({ error: 'Choose a plant, please fill it in', errorIsNew: true });
  });

  it('a refusal that has not gone yet is none of the page that has come since, though that has boxes of its own', async () => {
    const toast = '<div role="alert" class="danger">Wrong password<a role="button" aria-label="Close"></a></div>';
    const { page, raw, snapshot, verdict } = await lab.look(`${PAGE}${toast}`, await sentFrom(PAGE));
    expect(verdict.error).toBe('Wrong password');
    await raw.evaluate(
      (html) => (document.body.innerHTML = html),
      `<nav><a href="#a">Products</a><a href="#b">Offers</a><a href="#" role="button" aria-expanded="false">Ada</a></nav><h1>Welcome</h1><form><input type="search" placeholder="Find"></form><p>Postaz: <input type="email" placeholder="Helbidea"><button>Bidali</button></p>${toast}`,
    );
    const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    expect(classifyPage(await page.observe(), after)).toMatchObject({ kind: 'logged_in', error: null });
  });

  it.each([
    ['a dialog of the browser', '<dialog id="d"><p>Wrong user name or password</p></dialog><script>d.show()</script>'],
    [
      'a component by itself',
      '<word-box role="status"></word-box><script>customElements.define("word-box", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).append("Wrong user name or password"); } })</script>',
    ],
    [
      'a component without a box of its own',
      '<pop-box role="alertdialog" style="display:contents"><div slot="m">Wrong user name or password</div></pop-box><script>customElements.define("pop-box", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = \'<div popover="manual"><slot name="m"></slot></div>\'; this.shadowRoot.firstChild.showPopover(); } })</script>',
    ],
  ])('a refusal is read that is shown by %s', async (_name, html) => {
    const context = await sentFrom(PAGE);
    expect((await lab.look(`${PAGE}${html}`, context)).verdict).toMatchObject({ error: 'Wrong user name or password', errorIsNew: true });
  });

  it('D43: what another page says when it asks for the password alone once more is no refusal', async () => {
    const { page, raw, snapshot, verdict } = await lab.look(FORM.replace('<p>Your user name is on your card.</p>', ''));
    await raw.evaluate((html) => {
      history.pushState(null, '', '/set-up');
      document.body.innerHTML = html;
    }, '<form><div>Enter your password to enable Two-Factor Authentication</div><input placeholder="Password" type="password" autocomplete="off"><button>Next</button></form>');
    const after: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    expect(classifyPage(await page.observe(), after)).toMatchObject({ fields: [{ type: 'password' }], error: null });
  });

  it('a standing announcement is no answer, in a new document neither', async () => {
    const page = `${HEAD}<div role="alert">Guests may use the terminal.</div>${FORM}`;
    const { snapshot, verdict } = await lab.look(page);
    const { verdict: back } = await lab.look(page, { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) });
    expect(back.errorIsNew && back.error !== null).toBe(false);
  });

  it('the next step of a login says new things that are no errors', async () => {
    const name = `${HEAD}<form><label>User name <input name="user"></label><button>Next</button></form>`;
    const context = await sentFrom(name, ['identifier']);
    const next = `${HEAD}<p>Hello, ada.</p><form><label>User name <input name="user" value="ada"></label><label>Password <input type="password"></label><button>Sign in</button></form>`;
    expect((await lab.look(next, context)).verdict).toMatchObject({ kind: 'credentials', error: null });
  });

  it('D43: a sentence in the place of the form, and a button to try again, is a refusal and the way back', async () => {
    const { verdict } = await lab.look(
      '<form name="login"><i class="icon"></i><p>Wrong username or password.</p><button type="button">RETRY</button></form>',
      await sentFrom(PAGE),
    );
    expect(verdict).toMatchObject({ kind: 'error', error: 'Wrong username or password.', choices: [], retry: { label: 'RETRY' } });
  });

  it.each([
    [
      'locked',
      '<h1>Account locked</h1><p>Your account has been locked due to too many failed attempts. Please try again in 30 minutes.</p><a href="/help">Contact support</a>',
      'Account locked. Your account has been locked due to too many failed attempts. Please try again in 30 minutes.',
    ],
    [
      'gesperrt',
      '<h1>Anmeldung fehlgeschlagen</h1><p>Willkommen.</p><p>Ihr Konto ist für 15 Minuten gesperrt.</p>',
      'Anmeldung fehlgeschlagen. Ihr Konto ist für 15 Minuten gesperrt.',
    ],
    [
      'suspended',
      '<h1>Account suspended</h1><p>Your account has been suspended. If you think this is a mistake, contact support.</p><a href="/support">Support</a>',
      'Account suspended. Your account has been suspended. If you think this is a mistake, contact support.',
    ],
    [
      'エラー',
      '<h1>エラーが発生しました</h1><p>番号またはパスワードに誤りがあります。再度入力してください。</p><p>エラーコード：E0102</p><button type="button">戻る</button>',
      'エラーが発生しました。番号またはパスワードに誤りがあります。再度入力してください。エラーコード：E0102',
    ],
    [
      'κλείδωμα',
      '<h2>Ο λογαριασμός σας έχει κλειδωθεί</h2><p>Ο λογαριασμός σας κλειδώθηκε για 30 λεπτά. Επικοινωνήστε με την εξυπηρέτηση.</p>',
      'Ο λογαριασμός σας έχει κλειδωθεί. Ο λογαριασμός σας κλειδώθηκε για 30 λεπτά. Επικοινωνήστε με την εξυπηρέτηση.',
    ],
  ])('a page that says only that one is out says how and for how long: %s', async (_name, html, error) => {
    expect((await lab.look(html, await sentFrom(PAGE))).verdict).toMatchObject({ kind: 'error', error });
  });

  it('D43: an account that is locked is told as locked, in Greek', async () => {
    const html = '<h2>Ο λογαριασμός σας έχει κλειδωθεί</h2><p>Δοκιμάστε αργότερα.</p>';
    expect((await lab.look(html, await sentFrom(PAGE))).verdict).toMatchObject({ kind: 'error', lockedOut: true });
  });

  it('a page that the server answered as a failure explains itself below its heading, in words of no table', async () => {
    const { snapshot } = await lab.look('<h1>Kontua itxita</h1><p>Saiatu berriro 30 minutu barru.</p><p>Acme SL</p>');
    const verdict = classifyPage({ ...snapshot, httpStatus: 403 }, await sentFrom(PAGE));
    expect(verdict).toMatchObject({ kind: 'error', error: 'Kontua itxita. Saiatu berriro 30 minutu barru.' });
  });

  it.each(['!', '⚠', '✖', '×'])('D43: the sign before a refusal is no part of it: %s', async (sign) => {
    const refused = `${HEAD}<div class="x-error"><span>${sign}</span><p>Those details are wrong.</p></div>${FORM}`;
    expect((await lab.look(refused, await sentFrom(PAGE))).verdict.error).toBe('Those details are wrong.');
  });

  it.each([
    [
      'a page that leads nowhere but back',
      '<h1>Your trial is over</h1><p>No access.</p><a href="/">Back to sign in</a>',
      'Your trial is over. No access.',
    ],
    [
      'the same in words that no table has',
      '<h1>Aldia amaitu da</h1><p>Ezin da sartu</p><a href="/login">Log in</a>',
      'Aldia amaitu da. Ezin da sartu',
    ],
    ['a home page', '<nav><a href="/login">Log in</a><a href="/pricing">Pricing</a></nav><h1>Acme</h1><p>The best tools</p>', null],
    ['a page on its way', '<h1>Please wait</h1><p>Redirecting</p><a href="/login">Back to sign in</a>', null],
  ])('what is said by %s', async (_name, html, error) => {
    const { verdict } = await lab.look(html, await sentFrom(PAGE));
    expect(verdict).toMatchObject({ kind: 'landing', error });
  });

  it.each([
    ['its address masked', 'We emailed a magic link to j***@example.com. Click the link to sign in.'],
    ['its address in full', 'Something is on its way to jo.doe@mail.example.com! Click the link to sign in.'],
  ])('D58: a link that was sent is told of with where it went, %s', async (_name, told) => {
    const { verdict } = await lab.look(
      `<h1>Check your email</h1><p>${told}</p><p>Wrong address? <a href="/">Go back</a></p>`,
      NOTHING_SENT,
    );
    expect(verdict.externalAction).toMatchObject({ kind: 'magic_link', message: told });
  });
});
