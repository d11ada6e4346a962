import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyPage } from '../../src/discovery/classify.js';
import { beforeSending, NOTHING_SENT, type Verdict } from '../../src/discovery/verdict.js';
import { formSignature } from '../../src/login/judge.js';
import { NOTHING_KNOWN, settle } from '../../src/login/settle.js';
import { AFTER_PASSWORD, PageLab } from './fixture.js';

/** So long that a page which is waited for to the end of it fails the test. */
const limits = { quietMs: 300, maxMs: 600_000 };

describe('what is not waited for (D43)', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  const wall = (id: string, says: string, button: string): string =>
    `<form><input name="email" type="email"><input type="password"><button>Sign in</button></form>
     <div id="${id}" role="dialog" style="position:fixed;inset:0;background:#fff"><p>${says}</p><button>${button}</button></div>`;

  it.each([
    ['a banner about cookies', wall('cookies', 'We value your privacy and use cookies.', 'Reject all'), 'Reject all'],
    ['another window with a way to close it', wall('news', 'Our new app is here.', 'Close'), 'Close'],
  ])('%s is in the way, whatever lies beneath it', async (_name, html, label) => {
    const { page } = await lab.look(html);
    const { verdict } = await settle(page, classifyPage, NOTHING_SENT, limits, NOTHING_KNOWN, () => false);
    expect(verdict).toMatchObject({ kind: 'unknown', dismiss: { label } });
  });

  it('a website that could not be reached: nothing more comes of the page that says so', async () => {
    const { page, raw } = await lab.look('<p>Nothing here.</p>');
    await raw.goto('http://127.0.0.1:9/').catch(() => undefined);
    const { snapshot } = await settle(page, classifyPage, NOTHING_SENT, limits, NOTHING_KNOWN, () => false);
    expect(snapshot.url).toMatch(/^chrome-error:/);
  });
});

describe('what is waited for (D43)', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());

  it('a document that is still coming, all of it held back by a script in its head', async () => {
    const { page, raw } = await lab.look('<p>Nothing here.</p>');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await raw.route('**/slow.js', async (route) => {
      await held;
      await route.fulfill({ body: '' });
    });
    lab.serve(
      '/held',
      '<html><head><title>Books</title><script src="/slow.js"></script></head><body><form><label>User <input name="user"></label><input type="password"><button>Sign in</button></form></body></html>',
    );
    await raw.goto(lab.url('/held'), { waitUntil: 'commit' });
    const short = { quietMs: 50, maxMs: 2_000 };
    const started = Date.now();
    const { verdict } = await settle(page, classifyPage, NOTHING_SENT, short, NOTHING_KNOWN, () => {
      if (Date.now() > started + short.maxMs) release();
      return false;
    });
    expect(verdict.kind).toBe('credentials');
  });

  it('a form that its style alone brings to light, which is no change of the document', async () => {
    const { page } = await lab.look(
      `<style>@keyframes come { from { visibility: hidden } to { visibility: visible } } form { animation: come 0.6s 1.5s both }</style>
       <h1>App</h1><form><label>User <input name="user"></label><input type="password"><button>Sign in</button></form>`,
    );
    // Far longer than a test may take: what is not looked for is not found.
    const patient = { quietMs: 50, maxMs: 600_000 };
    const { verdict } = await settle(page, classifyPage, NOTHING_SENT, patient, NOTHING_KNOWN, () => false);
    expect(verdict.kind).toBe('credentials');
  });

  it('the form that was sent is no answer while an application may still draw one, or leave, some time after it fell quiet', async () => {
    const { page, raw } = await lab.look('<h1>Sign in</h1><form><input name="user"><input type="password"><button>Sign in</button></form>');
    const patient = { ...limits, quietMs: 500 };
    const first = await settle(page, classifyPage, NOTHING_SENT, patient, NOTHING_KNOWN, () => false);
    await raw.evaluate(() => {
      setTimeout(() => (document.body.innerHTML = '<h1>Your account</h1><a href="/out">Sign out</a>'), 1_200);
    });
    const context = { sent: ['identifier', 'password'] as const, before: beforeSending(first.snapshot, first.verdict) };
    const { verdict } = await settle(
      page,
      classifyPage,
      context,
      patient,
      { sentForm: formSignature(first.verdict), pressed: null, before: null },
      () => false,
    );
    expect([first.verdict.kind, verdict.kind]).toEqual(['credentials', 'logged_in']);
  });

  it.each(['<p class="alert alert-success">Signed in.</p>', '<p>Welcome back, Ada!</p>', '<p role="status">Redirecting…</p>'])(
    'a form under a text that it was right is no answer, however long its page is still: %s',
    async (praise) => {
      const { page, raw } = await lab.look(
        '<h1>Sign in</h1><form><input name="user"><input type="password"><button>Sign in</button></form>',
      );
      const first = await settle(page, classifyPage, NOTHING_SENT, limits, NOTHING_KNOWN, () => false);
      const quietMs = 100;
      await raw.evaluate(
        ([text, afterMs]) => {
          document.body.insertAdjacentHTML('beforeend', text);
          setTimeout(() => (document.body.innerHTML = '<h1>Your account</h1><a href="/out">Sign out</a>'), afterMs);
        },
        // Many times what a still form is given.
        [praise, quietMs * 20] as const,
      );
      const context = { sent: ['identifier', 'password'] as const, before: beforeSending(first.snapshot, first.verdict) };
      const known = { sentForm: formSignature(first.verdict), pressed: null, before: null };
      const { verdict } = await settle(page, classifyPage, context, { ...limits, quietMs }, known, () => false);
      expect(verdict.kind).toBe('logged_in');
    },
  );

  it('a form whose answer was taken by its server is no answer while its page may still leave without a word', async () => {
    const quietMs = 200;
    const { page, raw } = await lab.look(
      `<h1>Sign in</h1><form><input name="user"><input type="password"><button>Sign in</button></form><script>
       document.forms[0].addEventListener('submit', async (event) => {
         event.preventDefault();
         await fetch('/taken', { method: 'POST' });
         setTimeout(() => (document.body.innerHTML = '<h1>Your account</h1><a href="/out">Sign out</a>'), ${quietMs * 7});
       });</script>`,
    );
    await raw.route('**/taken', (route) => route.fulfill({ body: '{}' }));
    const first = await settle(page, classifyPage, NOTHING_SENT, limits, NOTHING_KNOWN, () => false);
    const context = { sent: ['identifier', 'password'] as const, before: beforeSending(first.snapshot, first.verdict) };
    const fills = first.verdict.fields.map(({ handles }) => ({ handles, value: 'open sesame', oneTime: false }));
    await page.fillAndSubmit(fills, first.verdict.submit?.handle ?? null);
    const known = { sentForm: formSignature(first.verdict), pressed: null, before: null };
    const { verdict } = await settle(page, classifyPage, context, { ...limits, quietMs }, known, () => false);
    expect(verdict.kind).toBe('logged_in');
  });

  it('what opens beside a form that is sent is left for the answer that the form has got', async () => {
    lab.serve('/advertisement', '<h1>Win a phone</h1><form><input name="mail" placeholder="Your email"><button>Join</button></form>');
    const form = '<h1>Sign in</h1><form action="/answer"><input name="user"><input type="password"><button>Sign in</button></form>';
    lab.serve('/answer', `<p role="alert">Wrong user name or password.</p>${form}`);
    const { page } = await lab.look(
      `${form}<script>addEventListener('click', () => window.open('/advertisement'), { once: true });</script>`,
    );
    const first = await settle(page, classifyPage, NOTHING_SENT, limits, NOTHING_KNOWN, () => false);
    const context = { sent: ['identifier', 'password'] as const, before: beforeSending(first.snapshot, first.verdict) };
    const fills = first.verdict.fields.map(({ handles }) => ({ handles, value: 'open sesame', oneTime: false }));
    await page.fillAndSubmit(fills, first.verdict.submit?.handle ?? null);
    const known = { sentForm: formSignature(first.verdict), pressed: null, before: null };
    const { snapshot, verdict } = await settle(page, classifyPage, context, limits, known, () => false);
    expect([new URL(snapshot.url).pathname, verdict.error]).toEqual(['/answer', 'Wrong user name or password.']);
  });

  it('a notice that opens by itself before there is anything else is left for the login', async () => {
    lab.serve(
      '/notice',
      '<h1>Maintenance on Sunday</h1><label><input type="checkbox"> Do not show again today</label><button>Close</button>',
    );
    const { page } = await lab.look(
      `<h1>Sign in</h1><script>window.open('/notice')</script><form><input name="user"><input type="password"><button>Sign in</button></form>`,
    );
    const { verdict } = await settle(page, classifyPage, NOTHING_SENT, limits, NOTHING_KNOWN, () => false);
    expect(verdict.kind).toBe('credentials');
  });

  it('D41: a window that was open when a login was taken over is its own, whatever it shows', async () => {
    lab.serve('/asks', '<h1>Xyzzy plugh?</h1><button>Plugh</button><button>Qwerty</button>');
    const { page } = await lab.look(
      `<h1>Sign in</h1><script>window.open('/asks')</script><form><input name="user"><input type="password"><button>Sign in</button></form>`,
    );
    await page.waitForQuiet(limits);
    page.trustOpen();
    const { snapshot } = await settle(page, classifyPage, NOTHING_SENT, { ...limits, maxMs: 1_500 }, NOTHING_KNOWN, () => false);
    expect([snapshot.popup, new URL(snapshot.url).pathname]).toEqual([true, '/asks']);
  });

  it('nor is the login that comes to light when the dialog for its code has closed', async () => {
    const quietMs = 200;
    const { page, raw } = await lab.look(
      `<h1>Sign in</h1><form><input name="user"><input type="password"><button>Sign in</button></form>
       <div role="dialog" aria-modal="true" style="position:fixed;inset:0;background:#fff"><form id="code"><h2>Verify it is you</h2>
       <label>Verification code <input name="code"></label><button>Verify</button></form></div><script>
       document.getElementById('code').addEventListener('submit', async (event) => {
         event.preventDefault();
         await fetch('/taken', { method: 'POST' });
         document.querySelector('[role=dialog]').remove();
         setTimeout(() => (document.body.innerHTML = '<h1>Your account</h1><a href="/out">Sign out</a>'), ${quietMs * 7});
       });</script>`,
    );
    await raw.route('**/taken', (route) => route.fulfill({ body: '{}' }));
    const asked = { ...AFTER_PASSWORD, sent: ['identifier', 'password'] as const };
    const first = await settle(page, classifyPage, asked, limits, NOTHING_KNOWN, () => false);
    expect(first.verdict).toMatchObject({ kind: 'code', fields: [{ ref: 'code' }] });
    const context = { sent: ['identifier', 'password', 'code'] as const, before: beforeSending(first.snapshot, first.verdict) };
    const fills = first.verdict.fields.map(({ handles }) => ({ handles, value: '123456', oneTime: true }));
    await page.fillAndSubmit(fills, first.verdict.submit?.handle ?? null);
    const known = { sentForm: formSignature(first.verdict), pressed: null, before: null };
    const { verdict } = await settle(page, classifyPage, context, { ...limits, quietMs }, known, () => false);
    expect(verdict.kind).toBe('logged_in');
  });

  it('the form that was sent is no answer while the ways beside it are locked with it', async () => {
    const quietMs = 200;
    const { page, raw } = await lab.look(
      '<h1>Sign in</h1><form><input name="user"><input type="password"><button>Sign in</button></form><button>Continue with Google</button>',
    );
    const first = await settle(page, classifyPage, NOTHING_SENT, limits, NOTHING_KNOWN, () => false);
    await raw.evaluate((afterMs) => {
      for (const button of document.querySelectorAll('button')) button.disabled = true;
      setTimeout(() => (document.body.innerHTML = '<h1>Your account</h1><a href="/out">Sign out</a>'), afterMs);
    }, quietMs * 3);
    const context = { sent: ['identifier', 'password'] as const, before: beforeSending(first.snapshot, first.verdict) };
    const known = { sentForm: formSignature(first.verdict), pressed: null, before: null };
    const { verdict } = await settle(page, classifyPage, context, { ...limits, quietMs }, known, () => false);
    expect([first.verdict.choices.length, verdict.kind]).toEqual([1, 'logged_in']);
  });

  it('menus alone, and a way in that leads to where it stands, while a form may still be drawn between them', async () => {
    lab.serve('/in', '<header><a href="/">Home</a><a href="/in">Log in</a></header><main></main>');
    const { page, raw } = await lab.visit('/in');
    await raw.evaluate(() => {
      setTimeout(() => {
        const main = document.querySelector('main') as HTMLElement;
        main.innerHTML = '<form><label>User <input name="user"></label><input type="password"><button>Sign in</button></form>';
      }, 1_000);
    });
    const { verdict } = await settle(page, classifyPage, NOTHING_SENT, { quietMs: 50, maxMs: 600_000 }, NOTHING_KNOWN, () => false);
    expect(verdict.kind).toBe('credentials');
  });

  const complains = "document.querySelector('.toast').textContent = 'Could not connect to the news'";
  const disables = "document.querySelector('fieldset').disabled = true";
  const enables = "document.querySelector('fieldset').disabled = false";

  it.each([
    ['a complaint about something else is', complains, ''],
    ['other ways, all that a form with disabled boxes leaves, are', disables, enables],
  ])('%s no answer while that of the website is on its way', async (_name, meanwhile, then) => {
    expect(await settledOn(meanwhile, then, (looks) => looks >= 3)).toMatchObject({ kind: 'credentials', error: 'Wrong password' });
  });

  it('nor are they while the boxes stay disabled, however long the answer takes within its time', async () => {
    const until = Date.now() + 6_000;
    expect(await settledOn(disables, enables, () => Date.now() > until)).toMatchObject({ kind: 'credentials', error: 'Wrong password' });
  });

  /** What a form that is sent by script is taken for, when its page does `meanwhile` at once and `then` once it is answered. */
  const settledOn = async (meanwhile: string, then: string, isTime: (looks: number) => boolean): Promise<Verdict> => {
    const { page, raw } = await lab.look(
      `<h1>Sign in</h1><form><fieldset><input name="user"><input type="password"><p class="error"></p><p class="toast"></p><button>Sign in</button></fieldset></form>
       <button>Continue with Google</button><button>Continue with Apple</button><script>
       document.forms[0].addEventListener('submit', async (event) => {
         event.preventDefault();
         ${meanwhile};
         document.querySelector('.error').textContent = await (await fetch('/slow')).text();
         ${then};
       });</script>`,
    );
    const first = await settle(page, classifyPage, NOTHING_SENT, limits, NOTHING_KNOWN, () => false);
    let answer = async (): Promise<void> => undefined;
    await raw.route('**/slow', (route) => {
      answer = async () => {
        answer = async () => undefined;
        await route.fulfill({ body: 'Wrong password' });
      };
    });
    const context = { sent: ['identifier', 'password'] as const, before: beforeSending(first.snapshot, first.verdict) };
    const values = { identifier: 'ada', password: 'correct horse' } as const;
    const fills = first.verdict.fields.map(({ handles, type }) => ({
      handles,
      value: values[type as keyof typeof values],
      oneTime: false,
    }));
    await page.fillAndSubmit(fills, first.verdict.submit?.handle ?? null);
    let looks = 0;
    const { verdict } = await settle(
      page,
      classifyPage,
      context,
      limits,
      { sentForm: formSignature(first.verdict), pressed: null, before: null },
      () => {
        looks += 1;
        if (isTime(looks)) void answer();
        return false;
      },
    );
    return verdict;
  };

  it('a page that shows nothing yet is waited for longer than one on which nothing is recognised', async () => {
    const { page, raw } = await lab.look('<div id="root"></div>');
    await raw.evaluate(() => {
      setTimeout(
        () => (document.body.innerHTML = '<form><input name="user"><input type="password"><button>Sign in</button></form>'),
        3_000,
      );
    });
    const short = { ...limits, maxMs: 2_000 };
    const { verdict } = await settle(page, classifyPage, NOTHING_SENT, short, NOTHING_KNOWN, () => false);
    expect(verdict.kind).toBe('credentials');
  });

  it('a form to change the password is no demand for it until the page behind the login has been drawn', async () => {
    const { page, raw, snapshot, verdict } = await lab.look(
      '<h1>Sign in</h1><form><input name="user"><input type="password"><button>Sign in</button></form>',
    );
    const context = { sent: ['identifier', 'password'] as const, before: beforeSending(snapshot, verdict) };
    await raw.evaluate(() => {
      const box = (name: string) => `<p><label>${name} <input type="password"></label></p>`;
      document.body.innerHTML = `<h1>Connected as Kim</h1><a href="/logout">Logout</a>
        <div><h4>Change your password</h4><form>${box('Current password')}${box('New password')}${box('Confirm password')}<button>Save</button></form></div>`;
      setTimeout(() => ((document.querySelector('div') as HTMLElement).hidden = true), 200);
    });
    const settled = await settle(page, classifyPage, context, limits, NOTHING_KNOWN, () => false);
    expect(settled.verdict.kind).toBe('logged_in');
  });

  it('a welcome that says it is going on is no end while it may still lead back to the login', async () => {
    const { page, raw, snapshot, verdict } = await lab.look(
      '<h1>Sign in</h1><form><input name="user"><input type="password"><button>Sign in</button></form>',
    );
    const context = { sent: ['identifier', 'password'] as const, before: beforeSending(snapshot, verdict) };
    await raw.evaluate(() => {
      const form = document.body.innerHTML;
      document.body.innerHTML = '<h1>Welcome, Kim</h1><p>Redirecting…</p>';
      setTimeout(() => (document.body.innerHTML = form), 1_200);
    });
    const settled = await settle(page, classifyPage, context, limits, NOTHING_KNOWN, () => false);
    expect(settled.verdict.kind).toBe('credentials');
  });
});
