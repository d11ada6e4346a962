import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyPage } from '../../src/discovery/classify.js';
import { NOTHING_SENT } from '../../src/discovery/verdict.js';
import { AFTER_PASSWORD, PageLab } from './fixture.js';

describe('observing real pages (issue 5, item 2)', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  const FORM =
    '<form method="post" action="/done"><label>Email <input type="email" name="email"></label><label>Password <input type="password" name="pw"></label><button>Sign in</button></form>';

  it('reads a plain form without reading its values', async () => {
    const { snapshot, verdict } = await lab.look(FORM.replace('name="pw"', 'name="pw" value="hunter2-secret"'));
    expect(verdict.kind).toBe('credentials');
    expect(verdict.fields.map(({ type, ref, label }) => [type, ref, label])).toEqual([
      ['identifier', 'username', 'Email'],
      ['password', 'password', 'Password'],
    ]);
    expect(verdict.submit?.label).toBe('Sign in');
    expect(verdict.fields[1]?.filled).toBe(true);
    expect(JSON.stringify(snapshot)).not.toContain('hunter2');
  });

  it('reads what a web component is given to show, and boxes that are not drawn under a name that floats over them', async () => {
    const { snapshot, verdict } =
      await lab.look(`<style>.b { position: relative; display: block } .b span { position: absolute; left: 4px; top: 2px } .b input { opacity: 0; width: 200px }</style>
      <form><label class="b"><span>Username</span><input name="u"></label><label class="b"><span>Password</span><input name="p" type="password"></label>
      <big-button style="cursor: pointer">Continue</big-button><big-link style="cursor: pointer">Create account</big-link></form><word-box>Wrong password</word-box><script>
      const part = (name, inside) => customElements.define(name, class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = inside; } });
      part('big-button', '<button type="button"><slot></slot></button>'); part('big-link', '<a href="/signup"><slot></slot></a>');
      part('word-box', '<div role="alert"><slot></slot></div>');
    </script>`);
    expect(verdict.kind).toBe('credentials');
    expect(verdict.fields.map(({ type, label }) => [type, label])).toEqual([
      ['identifier', 'Username'],
      ['password', 'Password'],
    ]);
    expect(verdict.submit?.label).toBe('Continue');
    expect(snapshot.controls.filter(({ text }) => text === 'Continue').map(({ tag }) => tag)).toEqual(['button']);
    expect(snapshot.alerts.filter(({ source }) => source === 'alert').map(({ text }) => text)).toEqual(['Wrong password']);
  });

  it('D60: a box for a code that is a pixel wide is asked, what is typed is drawn in boxes of the page', async () => {
    const { verdict } =
      await lab.look(`<style>.c { position: absolute; clip: rect(0 0 0 0); clip-path: inset(50%); width: 1px; height: 1px }</style>
      <h1>Enter the code</h1><p>We sent it to your phone.</p><form><input class="c" autocomplete="one-time-code" maxlength="6"><div>– – – – – –</div><button>Verify</button></form>`);
    expect(verdict.kind).toBe('code');
    expect(verdict.fields.map(({ type }) => type)).toEqual(['code']);
  });

  it('D62: the ways of a step in a frame of another website are its own', async () => {
    const ways = ['authenticator app', 'security key'].map((way) => `<p><a href="/${way.length}">Use your ${way}</a></p>`).join('');
    lab
      .serve('/ways', `<h1>Choose how to verify</h1>${ways}<p><a href="http://apps.example/get">Get an authenticator app</a></p>`)
      .serve('/around', `<iframe src="${lab.url('/ways', 1)}" width="500" height="300"></iframe>`);
    const { page, raw } = await lab.visit('/around');
    await raw.goto(lab.url('/around').replace('127.0.0.1', 'localhost'));
    await raw.frameLocator('iframe').locator('a').first().waitFor();
    const { choices } = classifyPage(await page.observe(), AFTER_PASSWORD);
    expect(choices.map(({ label }) => label)).toEqual(['Use your authenticator app', 'Use your security key']);
  });

  it('D60: a link inside a label is no part of the name of a box, and of the name of what is ticked it is', async () => {
    const { snapshot } = await lab.look(`<form method="post"><label for="u">Login</label><input id="u" name="u">
      <label for="p">Password <a href="/lost">Lost password</a></label><input id="p" name="p" type="password">
      <label for="c"><a href="/code">Voucher</a></label><input id="c" name="c">
      <label><input type="checkbox" name="t" required> I accept the <a href="/terms">terms</a></label><button>Sign in</button></form>`);
    expect(snapshot.controls.filter(({ tag }) => tag === 'input').map(({ label }) => label)).toEqual([
      'Login',
      'Password',
      'Voucher',
      'I accept the terms',
    ]);
  });

  it('looks into open shadow roots, one inside another', async () => {
    const { verdict } = await lab.look(`<login-box></login-box><script>
      customElements.define('text-box', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<label for=i>' + this.title + '</label><input id=i type=' + this.dataset.type + '>'; } });
      customElements.define('login-box', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<form><text-box title="User name" data-type=text></text-box><text-box title=Password data-type=password></text-box><button>Log in</button></form>'; } });
    </script>`);
    expect(verdict.kind).toBe('credentials');
    expect(verdict.fields.map(({ label }) => label)).toEqual(['User name', 'Password']);
    expect(verdict.submit?.label).toBe('Log in');
  });

  it.each([
    ['same', 0],
    ['another', 1],
  ] as const)('looks into an iframe of %s origin', async (_name, origin) => {
    lab.serve('/framed', FORM);
    const { page, raw } = await lab
      .serve(
        `/outer-${origin}`,
        `<h1>Members</h1><iframe id="login" src="${lab.url('/framed', origin)}" width="500" height="300"></iframe>`,
      )
      .visit(`/outer-${origin}`);
    await raw.frameLocator('#login').locator('button').waitFor();
    const verdict = classifyPage(await page.observe(), NOTHING_SENT);
    expect(verdict.kind).toBe('credentials');
    expect(new URL(verdict.fields[0]?.frameUrl ?? '').href).toBe(lab.url('/framed', origin));
  });

  it('leaves out forms in an iframe nobody sees', async () => {
    lab.serve('/framed', FORM);
    const { verdict } = await lab.look(`<p>News</p><iframe src="/framed" style="display:none"></iframe>`);
    expect(verdict.fields).toEqual([]);
  });

  it.each([
    ['not rendered', 'style="display:none"', 'not_rendered'],
    ['invisible', 'style="visibility:hidden"', 'not_rendered'],
    ['transparent', 'style="opacity:0"', 'transparent'],
    ['off screen', 'style="position:absolute;left:-9999px"', 'off_screen'],
    ['clipped away', 'style="position:absolute;clip-path:inset(50%)"', 'clipped'],
    ['one pixel small', 'style="width:1px;height:1px;padding:0;border:0"', 'clipped'],
    ['hidden from assistive tools', 'aria-hidden="true" tabindex="-1"', 'aria_hidden'],
    ['inert', 'inert', 'inert'],
  ])('a honeypot that is %s is seen and not asked', async (_name, attributes, why) => {
    const { snapshot, verdict } = await lab.look(
      FORM.replace('<button>', `<input name="website" ${attributes} required placeholder="Your user name"><button>`),
    );
    expect(snapshot.controls.find(({ name }) => name === 'website')?.unreachable).toBe(why);
    expect(verdict.fields.map(({ ref }) => ref)).toEqual(['username', 'password']);
  });

  it('a duplicate form hidden for small screens is not used', async () => {
    const { verdict, snapshot } = await lab.look(`<div style="display:none">${FORM}</div><div id="shown">${FORM}</div>`);
    const shown = snapshot.controls.filter(({ visible, name }) => visible && name === 'email').map(({ handle }) => handle);
    expect(verdict.fields[0]?.handles).toEqual(shown);
  });

  it('a cookie wall over the form is to be cleared first', async () => {
    const { verdict, snapshot } = await lab.look(
      `${FORM}<div role="dialog" aria-modal="true" style="position:fixed;inset:0;background:white"><p>We value your privacy. We use cookies.</p><button>Accept all</button><button>Reject all</button></div>`,
    );
    expect(snapshot.controls.find(({ name }) => name === 'email')?.unreachable).toBe('covered');
    expect(verdict.dismiss?.label).toBe('Reject all');
    expect(verdict.fields).toEqual([]);
  });

  it('a cookie bar that leaves the form free is not in the way', async () => {
    const { verdict } = await lab.look(
      `${FORM}<div style="position:fixed;bottom:0;left:0;right:0;height:60px;background:#eee">We use cookies <button>Accept</button></div>`,
    );
    expect(verdict.dismiss).toBeNull();
    expect(verdict.kind).toBe('credentials');
  });

  it('a form rendered late is there for the next look, and the wait ends when it comes', async () => {
    const { page, raw, verdict } = await lab.look(
      `<div id="app">Loading…</div><script>window.draw = () => { document.getElementById('app').innerHTML = ${JSON.stringify(FORM)}; };</script>`,
    );
    expect(verdict.kind).toBe('unknown');
    const changed = page.waitForChange(5_000);
    await raw.evaluate('draw()');
    await expect(changed).resolves.toBe(true);
    expect(classifyPage(await page.observe(), NOTHING_SENT).kind).toBe('credentials');
  });

  it('D43: waiting for quiet is bounded on a page that never settles', async () => {
    const { page } = await lab.look(
      '<p id="clock"></p><script>setInterval(() => { document.getElementById("clock").textContent = performance.now(); }, 20)</script>',
    );
    await expect(page.waitForQuiet({ quietMs: 200, maxMs: 600 })).resolves.toBe(false);
    const { page: still } = await lab.look('<p>done</p>');
    await expect(still.waitForQuiet({ quietMs: 100, maxMs: 5_000 })).resolves.toBe(true);
  });

  it('reads a page of 2,000 links in front of its login, and a table of 600 boxes', async () => {
    const links = Array.from({ length: 2_000 }, (_, at) => `<li><a href="/topic/${at}">Topic number ${at}</a></li>`).join('');
    const rows = Array.from(
      { length: 600 },
      (_, at) => `<tr><td>Article ${at}</td><td><input name="qty" value="1"></td><td><button>Add</button></td></tr>`,
    );
    for (const before of [`<ul>${links}</ul>`, `<table>${rows.join('')}</table>`]) {
      const { verdict } = await lab.look(
        `${before}<form><label>User <input name="user"></label><label>Password <input type="password"></label><button>Sign in</button></form>`,
      );
      expect(verdict).toMatchObject({ kind: 'credentials', submit: { label: 'Sign in' } });
      expect(verdict.fields.map(({ ref }) => ref)).toEqual(['username', 'password']);
    }
  }, 30_000);

  it('a hint inside a caption, and what a terminal would obey, are no words of it', async () => {
    const { verdict } = await lab.look(
      '<form><label for="u">Identifiant<span class="fr-hint-text" style="display:block">Format attendu : nom@domaine.fr</span></label><input id="u" name="user"><label>Pass\u001b[2J\u202eword <input type="password"></label><button>Sign in</button></form>',
    );
    expect(verdict.fields.map(({ label }) => label)).toEqual(['Identifiant', 'Pass[2Jword']);
  });

  it('whose notice it is, and of when, is no part of it', async () => {
    const { snapshot } = await lab.look(
      `${FORM}<div class="toast" role="alert"><div class="toast-header"><strong>Acme</strong> <small>11 mins ago</small></div><div class="toast-body">These credentials do not match.</div></div>`,
    );
    expect(snapshot.alerts).toContainEqual(expect.objectContaining({ text: 'These credentials do not match.', source: 'alert' }));
  });

  it('a pop-up window is the page while it is open, and the login page again when it closes', async () => {
    lab.serve('/popup', `<h1>Sign in to Example ID</h1>${FORM}`);
    const { page, raw, snapshot } = await lab.look(
      `<h1>Sign in</h1><button onclick="window.open('/popup', 'idp', 'width=500,height=500')">Continue with Google</button>`,
    );
    const button = snapshot.controls.find(({ text }) => text === 'Continue with Google');
    expect(button).toBeDefined();
    await expect(page.act({ kind: 'press', handle: button?.handle ?? '' }, null)).resolves.toEqual({ kind: 'done' });
    await expect(page.waitForChange(5_000)).resolves.toBe(true);
    const popup = raw.context().pages()[1];
    await popup?.waitForLoadState('load');
    const inside = await page.observe();
    expect([inside.popup, new URL(inside.url).pathname, classifyPage(inside, NOTHING_SENT).kind]).toEqual([true, '/popup', 'credentials']);
    await popup?.close();
    const after = await page.observe();
    expect([after.popup, after.url]).toEqual([false, raw.url()]);
    const stale = inside.controls[0]?.handle ?? '';
    await expect(page.act({ kind: 'press', handle: stale }, null)).resolves.toEqual({ kind: 'not_found', handle: stale });
  });

  it("alert() is answered and its text is the website's error", async () => {
    const { page } = await lab.look(
      `${FORM}<script>document.querySelector('form').onsubmit = (event) => { event.preventDefault(); alert('Wrong password'); }</script>`,
    );
    const snapshot = await page.observe();
    const verdict = classifyPage(snapshot, NOTHING_SENT);
    await page.fillAndSubmit(
      verdict.fields.map(({ handles, ref }) => ({ handles, value: ref === 'username' ? 'a@b.example' : 'nope', oneTime: false })),
      verdict.submit?.handle ?? null,
    );
    await page.waitForChange(5_000);
    expect(classifyPage(await page.observe(), NOTHING_SENT).error).toBe('Wrong password');
  });

  it('forms whose boxes are called id and name are read too', async () => {
    const { verdict } = await lab.look(
      '<form><input name="id" placeholder="Member ID"><input name="name" type="hidden"><input type="password" name="action" placeholder="Password"><button>Log in</button></form>',
    );
    expect(verdict.fields.map(({ ref }) => ref)).toEqual(['username', 'password']);
  });

  it('handles find the same boxes after the page renders itself anew', async () => {
    const { page, raw, verdict } = await lab.look(`<main>${FORM}</main>`);
    await raw.evaluate(`document.querySelector('main').innerHTML = document.querySelector('main').innerHTML`);
    const again = classifyPage(await page.observe(), NOTHING_SENT);
    expect(again.fields.map(({ handles }) => handles)).toEqual(verdict.fields.map(({ handles }) => handles));
  });
});
