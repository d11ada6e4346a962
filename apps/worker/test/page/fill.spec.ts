import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { classifyPage } from '../../src/discovery/classify.js';
import { READ_ONLY } from '../../src/discovery/fields/fields.js';
import { NOTHING_SENT, type Verdict } from '../../src/discovery/verdict.js';
import type { Fill } from '../../src/page/page-port.js';
import { pageBefore, PageLab, type Tab } from './fixture.js';

describe('filling and pressing in real pages (issue 5, items 2 and 4)', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
    lab.serve('/done', '<h1>Welcome</h1><a href="/logout">Sign out</a>');
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());
  beforeEach(() => {
    lab.posts.length = 0;
  });

  const fills = (verdict: Verdict, values: Readonly<Record<string, string>>): Fill[] =>
    verdict.fields.map(({ handles, ref, type, rules }) => ({
      handles,
      value: values[ref] ?? '',
      oneTime: type === 'code' || type === 'totp_code' || rules.includes(READ_ONLY),
    }));
  const arrive = async ({ raw }: Pick<Tab, 'raw'>): Promise<void> => raw.waitForURL('**/done');

  it('fills and sends a form once', async () => {
    const { page, raw, verdict } = await lab.look(
      '<form method="post" action="/done"><input name="user" placeholder="Username"><input name="pw" type="password"><button>Sign in</button></form>',
    );
    await expect(
      page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'correct horse' }), verdict.submit?.handle ?? null),
    ).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    expect(lab.posts).toEqual([{ path: '/done', values: { user: 'ada', pw: 'correct horse' } }]);
    expect(classifyPage(await page.observe(), { sent: ['identifier', 'password'], before: null }).kind).toBe('logged_in');
  });

  it('fills and sends a form of a page whose library has changed what arrays can do and how they are written', async () => {
    const { page, raw, verdict } = await lab.look(
      `<script>
       Array.prototype.entries = Array.prototype.toArray = function () { return this.slice(); };
       Array.prototype.reduce = function () { return this.length > 1 ? this : this[0]; };
       Array.prototype.toJSON = function () { return '[' + this.map(JSON.stringify).join(', ') + ']'; };
       String.prototype.toJSON = function () { return '"' + this + '"'; };
     </script><form method="post" action="/done"><input name="user" placeholder="Username"><input name="pw" type="password"><button>Sign in</button></form>`,
    );
    await expect(
      page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'correct horse' }), verdict.submit?.handle ?? null),
    ).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    expect(lab.posts).toEqual([{ path: '/done', values: { user: 'ada', pw: 'correct horse' } }]);
  });

  it('ticks what a choice agrees to before it is pressed, once', async () => {
    const { page, raw, verdict } = await lab.look(
      `<h1>New terms</h1><form method="post" action="/done"><label><input type="checkbox" name="read"> I have read the terms</label><label><input type="checkbox" name="news"> Send me the newsletter</label>
       <button name="go" value="yes" disabled>Agree and continue</button></form><script>
       document.querySelector('input').addEventListener('change', ({ target }) => { document.querySelector('button').disabled = !target.checked; });
     </script>`,
      { sent: ['identifier', 'password'], before: pageBefore() },
    );
    expect(verdict.choices).toMatchObject([{ type: 'other', label: 'Agree and continue', description: 'I have read the terms' }]);
    await expect(page.act(verdict.choices[0]?.action ?? { kind: 'press', handle: '' }, null)).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    expect(lab.posts).toEqual([{ path: '/done', values: { read: 'on', go: 'yes' } }]);
  });

  const terms = (more: string, text: string): string => `<label><input type="checkbox" name="terms" ${more}> ${text}</label>`;
  it.each([
    ['demanded', terms('required', 'I agree to the Terms of Service'), 'I agree to the Terms of Service', 'terms'],
    ['in words', terms('', 'I agree to the Terms of Service'), 'I agree to the Terms of Service', 'terms'],
    [
      'waited for by the button',
      terms('onchange="go.disabled = !this.checked" data-waits', 'I have read the rules'),
      'I have read the rules',
      'terms',
    ],
    [
      'among offers',
      `<label><input type="checkbox" name="offers"> Send me offers and news</label>${terms('required', 'House rules')}<label><input type="checkbox" name="keep"> Remember me</label>`,
      'House rules',
      'terms',
    ],
    ['in Chinese', terms('', '我已阅读并同意《用户协议》和《隐私政策》'), '我已阅读并同意《用户协议》和《隐私政策》', 'terms'],
    ['in Turkish', terms('', 'Üyelik sözleşmesini okudum ve kabul ediyorum'), 'Üyelik sözleşmesini okudum ve kabul ediyorum', 'terms'],
    [
      'waited for by the button, in words of no table',
      terms('onchange="go.disabled = !this.checked" data-waits', 'Baldintzak onartzen ditut'),
      'Baldintzak onartzen ditut',
      'terms',
    ],
    ['ticked already', terms('checked required', 'I agree to the Terms of Service'), null, 'terms'],
    ['an offer that is agreed to', terms('', 'I agree to receive the newsletter'), null, null],
    ['a login that is remembered', terms('', 'Remember me'), null, null],
    ['a box that says nothing of terms', terms('', 'Public computer'), null, null],
  ])('agrees with the fields to what is demanded for them, and to nothing else: %s', async (_name, boxes, said, ticked) => {
    const { page, raw, verdict } = await lab.look(
      `<form method="post" action="/done"><input name="user" placeholder="Username"><input name="pw" type="password">${boxes}<button id="go" ${boxes.includes('data-waits') ? 'disabled' : ''}>Sign in</button></form>`,
    );
    expect(verdict.agreement?.said ?? null).toBe(said);
    await expect(
      page.fillAndSubmit(
        fills(verdict, { username: 'ada', password: 'correct horse' }),
        verdict.submit?.handle ?? null,
        verdict.agreement ?? undefined,
      ),
    ).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    expect(lab.posts).toEqual([
      { path: '/done', values: { user: 'ada', pw: 'correct horse', ...(ticked !== null && { [ticked]: 'on' }) } },
    ]);
  });

  it('a switch beside a button that waits for what is typed is left alone, and so is a box', async () => {
    const form = (tick: string): string =>
      `<form method="post" action="/done"><label>Server <input name="server" required></label><input name="user" placeholder="Username"><input name="pw" type="password">
       ${tick}<button id="go" disabled>Connect</button></form><script>document.querySelector('[name=server]').oninput = ({ target }) => { go.disabled = !target.value; }</script>`;
    for (const tick of [
      '<input id="t" name="t" type="checkbox" role="switch"><label for="t">Advanced options</label>',
      '<label><input name="t" type="checkbox"> Advanced options</label>',
    ]) {
      const { page, raw, verdict } = await lab.look(form(tick));
      const given = fills(verdict, { username: 'ada', password: 'x1', server: 'here' });
      await expect(page.fillAndSubmit(given, verdict.submit?.handle ?? null, verdict.agreement ?? undefined)).resolves.toEqual({
        kind: 'done',
      });
      await arrive({ raw });
    }
    expect(lab.posts.map(({ values }) => values)).toEqual(Array.from({ length: 2 }, () => ({ server: 'here', user: 'ada', pw: 'x1' })));
  });

  it('a framework that keeps its own copy of values sees them, and its disabled button is waited for', async () => {
    const { page, raw, verdict } =
      await lab.look(`<form method="post" action="/done"><input name="user" placeholder="Username"><input name="pw" type="password"><button disabled>Sign in</button></form><script>
      const state = {}; const button = document.querySelector('button');
      for (const box of document.querySelectorAll('input')) {
        const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
        Object.defineProperty(box, 'value', { get: () => own.get.call(box), set: (text) => own.set.call(box, text) });
        box.addEventListener('input', () => { state[box.name] = box.value; setTimeout(() => { button.disabled = !(state.user && state.pw); }, 60); });
      }
    </script>`);
    expect(verdict.submit?.label).toBe('Sign in');
    await expect(page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'x1' }), verdict.submit?.handle ?? null)).resolves.toEqual({
      kind: 'done',
    });
    await arrive({ raw });
    expect(lab.posts).toHaveLength(1);
  });

  it('boxes that only believe real keys get real keys', async () => {
    const { page, raw, verdict } =
      await lab.look(`<form method="post" action="/done"><input name="user" placeholder="Username"><input name="pw" type="password"><button>Sign in</button></form><script>
      for (const box of document.querySelectorAll('input')) box.addEventListener('input', (event) => { if (!event.isTrusted) box.value = ''; });
    </script>`);
    await expect(page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'x1' }), verdict.submit?.handle ?? null)).resolves.toEqual({
      kind: 'done',
    });
    await arrive({ raw });
    expect(lab.posts).toEqual([{ path: '/done', values: { user: 'ada', pw: 'x1' } }]);
  });

  const BOXES = Array.from(
    { length: 6 },
    (_, place) => `<input name="d${place}" maxlength="1" inputmode="numeric" style="width:40px" aria-label="Digit ${place + 1}">`,
  ).join('');
  const ADVANCE = `<script>const boxes = [...document.querySelectorAll('input')]; boxes.forEach((box, place) => box.addEventListener('input', () => { boxes[place + 1]?.focus(); if (boxes.every((one) => one.value) && window.auto) document.forms[0].requestSubmit(); }));</script>`;

  it('D41: boxes that keep a refused code, and take any six characters for one, are sent the next code alone', async () => {
    const boxes = [1, 2, 3, 4, 5, 6].map((place) => `<input aria-label="OTP Input ${place}" size="1" value="">`).join('');
    const { page, raw, verdict } =
      await lab.look(`<h2>Two-step verification</h2><p>Enter the code of your authenticator app</p><div role="group">${boxes}</div><script>
      const boxes = [...document.querySelectorAll('input')]; window.taken = [];
      boxes.forEach((box) => box.addEventListener('input', () => { const code = boxes.map((one) => one.value).join(''); if (code.length === 6) window.taken.push(code); }));</script>`);
    for (const code of ['654321', '123456']) await page.fillAndSubmit(fills(verdict, { code }), verdict.submit?.handle ?? null);
    expect(await raw.evaluate('window.taken')).toEqual(['654321', '123456']);
  });

  it('D41: a component that knows of a box only once it is drawn anew, and sends a code when its last box changes, is given whole codes', async () => {
    const boxes = '<input style="width:40px" inputmode="numeric">'.repeat(6);
    const { page, raw, verdict } =
      await lab.look(`<h2>Two-step verification</h2><p>Enter the code of your authenticator app</p><div>${boxes}</div><script>
      const boxes = [...document.querySelectorAll('input')]; window.taken = [];
      let drawn = boxes.map(() => '');
      const change = (place, value) => { const next = drawn.with(place, value); setTimeout(() => { drawn = next; boxes.forEach((box, at) => { box.value = next[at]; }); }); return next; };
      boxes.forEach((box, place) => {
        box.addEventListener('input', () => { const next = change(place, box.value.slice(-1)); if (place === 5) window.taken.push(next.join('')); });
        box.addEventListener('keydown', (event) => { if (event.key !== 'Backspace') return; event.preventDefault(); change(place, ''); });
      });</script>`);
    for (const code of ['654321', '123456']) await page.fillAndSubmit(fills(verdict, { code }), verdict.submit?.handle ?? null);
    expect(await raw.evaluate('window.taken')).toEqual(['654321', '123456']);
  });

  it('a component that is a button by its name alone is pressed', async () => {
    const { page, raw, verdict } = await lab.look(
      `<main><input name="user" placeholder="Username"><input name="pw" type="password"><my-button id="go">Sign in<button hidden></button></my-button></main><script>document.getElementById('go').onclick = () => { location.href = '/done'; }</script>`,
    );
    expect(verdict.submit?.label).toBe('Sign in');
    await page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'x' }), verdict.submit?.handle ?? null);
    await arrive({ raw });
  });

  describe('a box that opens a list of its own', () => {
    const list = `<h1>Sign in</h1><form method="post" action="/done"><input name="user" placeholder="Username"><input name="pw" type="password"><label for="org">Organisation</label>
      <input id="org" name="org" readonly aria-haspopup="listbox" placeholder="Pick one"><div id="drop"></div><button>Sign in</button></form><script>
      const [box, drop] = [document.getElementById('org'), document.getElementById('drop')];
      box.onclick = () => { drop.innerHTML = '<div role="listbox"><div role="option">North Yard</div><div role="option">South Yard</div></div>'; };
      drop.onclick = (event) => { box.value = event.target.textContent; drop.innerHTML = ''; };</script>`;
    const values = { username: 'ada', password: 'x' };

    it('holds the option of the name that was given', async () => {
      const { page, raw, verdict } = await lab.look(list);
      expect(verdict.fields.map(({ type, ref }) => [type, ref])).toEqual([
        ['identifier', 'username'],
        ['password', 'password'],
        ['text', 'organisation'],
      ]);
      const sent = await page.fillAndSubmit(fills(verdict, { ...values, organisation: 'south yard' }), verdict.submit?.handle ?? null);
      expect(sent).toEqual({ kind: 'done' });
      await arrive({ raw });
      expect(lab.posts[0]?.values.org).toBe('South Yard');
    });

    it('tells what it has where it has none of that name, and nothing is sent', async () => {
      const { page, verdict } = await lab.look(list);
      const sent = await page.fillAndSubmit(fills(verdict, { ...values, organisation: 'West Yard' }), verdict.submit?.handle ?? null);
      expect(sent).toMatchObject({ kind: 'invalid', message: 'There is no such option. Give one of: North Yard, South Yard' });
      expect(lab.posts).toEqual([]);
    });
  });

  it('D60: split boxes are one field, filled digit by digit', async () => {
    const { page, raw, verdict } = await lab.look(
      `<h1>Enter the code we sent to ••• 42</h1><form method="post" action="/done">${BOXES}<button>Verify</button></form>${ADVANCE}`,
    );
    expect([verdict.kind, verdict.fields.length, verdict.fields[0]?.handles.length, verdict.fields[0]?.type]).toEqual([
      'code',
      1,
      6,
      'code',
    ]);
    await expect(page.fillAndSubmit(fills(verdict, { code: '123456' }), verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    expect(lab.posts.map(({ values }) => Object.values(values).join(''))).toEqual(['123456']);
  });

  it('D60: split boxes are one field also where the first could hold the whole code', async () => {
    const { page, raw, verdict } = await lab.look(
      `<h1>Enter the code we sent you</h1><form method="post" action="/done">${BOXES.replace('maxlength="1"', 'maxlength="6"')}<button>Verify</button></form>${ADVANCE}`,
    );
    expect(verdict.fields.map(({ type, handles }) => [type, handles.length])).toEqual([['code', 6]]);
    await expect(page.fillAndSubmit(fills(verdict, { code: '123456' }), verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    expect(lab.posts.map(({ values }) => Object.values(values).join(''))).toEqual(['123456']);
  });

  it('D41: a code that the page sends by itself is not sent twice', async () => {
    const { page, raw, verdict } = await lab.look(
      `<h1>Enter the code we sent you</h1><form method="post" action="/done">${BOXES}<button>Verify</button></form><script>window.auto = true</script>${ADVANCE}`,
    );
    await expect(page.fillAndSubmit(fills(verdict, { code: '123456' }), verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    await page.waitForQuiet({ quietMs: 200, maxMs: 3_000 });
    expect(lab.posts).toHaveLength(1);
  });

  it('without a button the form is sent by itself, and a page without a form by Enter', async () => {
    const { page, raw, verdict } = await lab.look(
      '<form method="post" action="/done"><label>Password <input name="pw" type="password" autocomplete="current-password"></label></form>',
    );
    expect(verdict.submit).toBeNull();
    await page.fillAndSubmit(fills(verdict, { password: 'x' }), null);
    await arrive({ raw });
    const loose = await lab.look(
      `<h1>Sign in</h1><input type="password" placeholder="Password" autocomplete="current-password"><script>document.querySelector('input').addEventListener('keydown', (event) => { if (event.key === 'Enter' && event.isTrusted) location.href = '/done'; })</script>`,
    );
    await expect(loose.page.fillAndSubmit(fills(loose.verdict, { password: 'x' }), null)).resolves.toEqual({ kind: 'done' });
    await arrive(loose);
  });

  it('where Enter is all that is left and the page ignores it, nothing was sent: the values are not to blame', async () => {
    const { page, verdict } = await lab.look(
      '<h1>Sign in</h1><input type="password" placeholder="Password" autocomplete="current-password">',
    );
    await expect(page.fillAndSubmit(fills(verdict, { password: 'x' }), null)).resolves.toMatchObject({ kind: 'not_found' });
  });

  // All are silent for longer than a press is listened for: what they do in the meantime shows that they have taken it up.
  const silent = 2_600;
  it.each([
    ['a timer', `<button type="button" onclick="setTimeout(() => this.form.submit(), ${silent})">Sign in</button>`],
    [
      'a timer behind a promise',
      `<button type="button" onclick="Promise.resolve().then(() => new Promise((done) => setTimeout(done, ${silent}))).then(() => this.form.submit())">Sign in</button>`,
    ],
    [
      'one timer after another',
      `<button type="button" onclick="setTimeout(() => setTimeout(() => this.form.submit(), ${silent / 2}), ${silent / 2})">Sign in</button>`,
    ],
    [
      'a form that its own script holds back',
      `<button>Sign in</button><script>document.forms[0].onsubmit = (event) => { event.preventDefault(); setTimeout(() => event.target.submit(), ${silent}); };</script>`,
    ],
    [
      'a computation that holds it up',
      `<button type="button" onclick="for (const end = Date.now() + ${silent}; Date.now() < end;); this.form.submit()">Sign in</button>`,
    ],
    [
      'a worker that computes',
      `<button type="button">Sign in</button><script>const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = () => setTimeout(() => postMessage(1), ${silent})'])));
      worker.onmessage = () => document.forms[0].submit(); document.querySelector('button').onclick = () => worker.postMessage(0);</script>`,
    ],
  ])('D41: a page that is silent at first and sends then is not pressed twice: %s', async (_what, button) => {
    const { page, raw, verdict } = await lab.look(
      `<form method="post" action="/done"><input name="user" placeholder="Username"><input name="pw" type="password">${button}</form>`,
    );
    await raw.evaluate(
      `window.presses = 0; document.querySelector('button').addEventListener('click', () => { sessionStorage.presses = ++window.presses; })`,
    );
    await expect(page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'x' }), verdict.submit?.handle ?? null)).resolves.toEqual({
      kind: 'done',
    });
    await arrive({ raw });
    expect([lab.posts.length, await raw.evaluate('sessionStorage.presses')]).toEqual([1, '1']);
  });

  it('D41: a message on a socket is an answer under way', async () => {
    const sockets = createServer();
    const upgraded: Duplex[] = [];
    sockets.on('upgrade', ({ headers }, socket) => {
      const accept = createHash('sha1')
        .update(`${headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      upgraded.push(socket);
    });
    await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve));
    const { page, raw, verdict } =
      await lab.look(`<h1>Sign in</h1><main><input name="user" placeholder="Username"><input name="pw" type="password"><button>Sign in</button></main><script>
      window.presses = 0; const socket = new WebSocket('ws://127.0.0.1:${(sockets.address() as AddressInfo).port}/'); socket.onopen = () => { window.isOpen = true; };
      document.querySelector('button').onclick = () => { window.presses += 1; socket.send('login'); };</script>`);
    await raw.waitForFunction('window.isOpen');
    await page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'x' }), verdict.submit?.handle ?? null);
    expect(await raw.evaluate('window.presses')).toBe(1);
    for (const socket of upgraded) socket.destroy();
    await new Promise((resolve) => sockets.close(resolve));
  });

  it.each([
    ['ripples at any click', `event.target.classList.toggle('ripple');`],
    ['is slow about any click', `if (!event.isTrusted) for (const end = Date.now() + ${silent}; Date.now() < end;);`],
  ])('a button that %s but heeds only the real mouse is pressed by it', async (_what, reaction) => {
    const { page, raw, verdict } =
      await lab.look(`<form method="post" action="/done"><input name="user" placeholder="Username"><input name="pw" type="password"><button type="button">Sign in</button></form><script>
      document.querySelector('button').onclick = (event) => { ${reaction} if (event.isTrusted) event.target.form.submit(); };</script>`);
    await expect(page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'x' }), verdict.submit?.handle ?? null)).resolves.toEqual({
      kind: 'done',
    });
    await arrive({ raw });
    expect(lab.posts).toHaveLength(1);
  });

  it('what the browser itself refuses is not sent, and the answer holds no value', async () => {
    const { page, verdict } = await lab.look(
      '<form method="post" action="/done"><input type="email" name="user" placeholder="Email"><input name="pw" type="password"><button>Sign in</button></form>',
    );
    const outcome = await page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'top-secret-9' }), verdict.submit?.handle ?? null);
    expect(outcome.kind).toBe('invalid');
    expect(JSON.stringify(outcome)).not.toContain('top-secret-9');
    expect(lab.posts).toEqual([]);
  });

  it('D45: neither a missing box nor a read-only one leaks a value', async () => {
    const { page, raw, verdict } = await lab.look(
      '<form><input name="user" placeholder="Username"><input name="pw" type="password"><button>Sign in</button></form>',
    );
    await raw.evaluate(`document.querySelector('[name=pw]').remove()`);
    const outcome = await page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'top-secret-9' }), verdict.submit?.handle ?? null);
    expect(outcome).toEqual({ kind: 'not_found', handle: verdict.fields[1]?.handles[0] });
    const locked = await lab.look(
      '<form><input name="user" placeholder="Username"><input name="pw" type="password" readonly><button>Sign in</button></form>',
    );
    const refused = await locked.page.fillAndSubmit(
      fills(locked.verdict, { username: 'ada', password: 'top-secret-9' }),
      locked.verdict.submit?.handle ?? null,
    );
    expect(refused.kind).toBe('not_accepted');
    expect(JSON.stringify(refused)).not.toContain('top-secret-9');
  });

  const shuffled = ['7', '0', '3', '9', '1', '4', '8', '2', '6', '5'];
  const KEYS: Readonly<Record<string, (digit: string) => string>> = {
    buttons: (digit) => `<button type="button" class="key" data-key="${digit}">${digit}</button>`,
    'links around a word': (digit) => `<a role="button" tabindex="0" class="key" data-key="${digit}"><div><span>${digit}</span></div></a>`,
    'pictures with names': (digit) =>
      `<button type="button" class="key" data-key="${digit}" aria-label="${digit}"><svg width="20" height="20"></svg></button>`,
  };
  const keypad = (key: string, onKey: string): string =>
    `<form method="post" action="/done"><h1>Log in</h1><label>Customer number <input name="user" autocomplete="username"></label>
     <label>PIN <input name="pw" type="password" readonly></label>
     <div class="keypad">${shuffled.map(KEYS[key] ?? String).join('')}<button type="button">Clear</button></div><p>Call 0 or 5</p><button>Log in</button></form>
     <script>document.querySelector('.keypad').onclick = (event) => {
       const key = event.target.closest('.key');
       if (!key) return;
       const box = document.querySelector('[name=pw]');
       box.value += key.dataset.key;
       ${onKey}
     };</script>`;

  it.each(Object.keys(KEYS))('a box that only the keypad of its page fills, of %s, is filled by it', async (key) => {
    // The keys change places at every press.
    const moved = `const pad = key.parentElement; pad.prepend(pad.querySelectorAll('.key')[9]);`;
    const { page, raw, verdict } = await lab.look(keypad(key, moved));
    expect(verdict.fields.map(({ ref, editable }) => [ref, editable])).toEqual([
      ['username', true],
      ['password', true],
    ]);
    const given = fills(verdict, { username: '30012', password: '4071' });
    await expect(page.fillAndSubmit(given, verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    expect(lab.posts).toEqual([{ path: '/done', values: { user: '30012', pw: '4071' } }]);
  });

  it('a keypad that is drawn once its box is used fills it', async () => {
    const { page, raw, verdict } = await lab.look(`${keypad('buttons', '')}<script>
      const pad = document.querySelector('.keypad');
      pad.remove();
      document.querySelector('[name=pw]').onclick = ({ target }) => target.after(pad);
    </script>`);
    const given = fills(verdict, { username: '30012', password: '4071' });
    await expect(page.fillAndSubmit(given, verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    expect(lab.posts).toEqual([{ path: '/done', values: { user: '30012', pw: '4071' } }]);
  });

  it('a keypad that sends what is complete by itself is not sent twice', async () => {
    const { page, raw, verdict } = await lab.look(keypad('buttons', 'if (box.value.length === 4) box.form.submit();'));
    expect(verdict.fields.at(-1)?.rules).toContain(READ_ONLY);
    const given = fills(verdict, { username: '30012', password: '4071' });
    await expect(page.fillAndSubmit(given, verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    expect(lab.posts).toEqual([{ path: '/done', values: { user: '30012', pw: '4071' } }]);
  });

  it.each([
    ['by a script', ''],
    [
      'by real keys',
      `<script>for (const box of document.querySelectorAll('input')) box.addEventListener('input', (event) => { if (!event.isTrusted) box.value = ''; });</script>`,
    ],
  ])('D41: a line break in a value is no key that sends the form, typed %s', async (_name, script) => {
    const { page, raw, verdict } = await lab.look(
      `<form method="post" action="/done">${['user', 'pw'].map((name) => `<input name="${name}" type="${name === 'pw' ? 'password' : 'text'}" placeholder="${name === 'pw' ? 'Password' : 'Username'}">`).join('')}<button>Sign in</button></form>${script}`,
    );
    const given = fills(verdict, { username: 'ada\n', password: 'correct\r\nhorse' });
    await expect(page.fillAndSubmit(given, verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    expect(lab.posts).toEqual([{ path: '/done', values: { user: 'ada', pw: 'correcthorse' } }]);
  });

  it('D41: a line break in a value is no key of a keypad', async () => {
    const { page, raw, verdict } = await lab.look(keypad('buttons', ''));
    const given = fills(verdict, { username: '30012', password: '4071\n' });
    await expect(page.fillAndSubmit(given, verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    expect(lab.posts).toEqual([{ path: '/done', values: { user: '30012', pw: '4071' } }]);
  });

  it.each([
    ['by a script', ''],
    [
      'by real keys',
      `<script>document.querySelector('textarea').addEventListener('input', ({ isTrusted, target }) => { if (!isTrusted) target.value = ''; });</script>`,
    ],
  ])('D41: a box of several lines keeps the line breaks, and none is a key that sends the form, typed %s', async (_name, script) => {
    const { page, raw, verdict } = await lab.look(
      `<form method="post" action="/done"><input name="user" placeholder="Username"><input name="pw" type="password"><textarea name="phrase"></textarea><button>Sign in</button></form>
       <script>document.querySelector('textarea').onkeydown = ({ key, target }) => { if (key === 'Enter') target.form.submit(); };</script>${script}`,
    );
    const phrase: Fill = { handles: ['0!textarea[name="phrase"]'], value: 'one\r\ntwo', oneTime: false };
    const given = [...fills(verdict, { username: 'ada', password: 'correct horse' }), phrase];
    await expect(page.fillAndSubmit(given, verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    await arrive({ raw });
    expect(lab.posts).toEqual([{ path: '/done', values: { user: 'ada', pw: 'correct horse', phrase: 'one\r\ntwo' } }]);
  });

  it('a box that lifts read-only on focus is filled', async () => {
    const { page, raw, verdict } = await lab.look(
      '<form method="post" action="/done"><input name="user" placeholder="Username" readonly onfocus="this.removeAttribute(\'readonly\')"><input name="pw" type="password"><button>Sign in</button></form>',
    );
    await expect(page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'x' }), verdict.submit?.handle ?? null)).resolves.toEqual({
      kind: 'done',
    });
    await arrive({ raw });
    expect(lab.posts[0]?.values).toEqual({ user: 'ada', pw: 'x' });
  });

  it('fills in a cross-origin iframe and in a shadow root', async () => {
    lab.serve(
      '/inner',
      '<form method="post" action="/done"><input name="user" placeholder="Username"><input name="pw" type="password"><button>Sign in</button></form>',
    );
    const { page, raw } = await lab
      .serve('/around', `<iframe src="${lab.url('/inner', 1)}" width="500" height="300"></iframe>`)
      .visit('/around');
    await raw.frameLocator('iframe').locator('button').waitFor();
    const framed = classifyPage(await page.observe(), NOTHING_SENT);
    await expect(page.fillAndSubmit(fills(framed, { username: 'ada', password: 'x' }), framed.submit?.handle ?? null)).resolves.toEqual({
      kind: 'done',
    });
    await raw.frameLocator('iframe').getByText('Welcome').waitFor();
    expect(lab.posts).toHaveLength(1);
    const shadow = await lab.look(
      `<div id="host"></div><script>document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<form method=post action=/done><input name=user placeholder=Username><input name=pw type=password><button>Sign in</button></form>'</script>`,
    );
    await expect(
      shadow.page.fillAndSubmit(fills(shadow.verdict, { username: 'ada', password: 'y' }), shadow.verdict.submit?.handle ?? null),
    ).resolves.toEqual({ kind: 'done' });
    await arrive(shadow);
    expect(lab.posts).toHaveLength(2);
  });

  it('D60: a list of methods gives one choice per real option, and the one taken is sent', async () => {
    const { page, raw, verdict } =
      await lab.look(`<h1>How would you like to receive your code?</h1><form method="post" action="/done"><select name="way"><option value="">Choose one…</option><option value="s">Text message to ••• 42</option><option value="e">Email to j***@mail.example</option></select><button>Continue</button></form>
      <select name="lang"><option>English</option><option>Deutsch</option></select>`);
    expect(verdict.kind).toBe('method_choice');
    expect(verdict.choices.map(({ mfaType, label, maskedDestination }) => [mfaType, label, maskedDestination])).toEqual([
      ['sms', 'Text message to ••• 42', '••• 42'],
      ['email', 'Email to j***@mail.example', 'j***@mail.example'],
    ]);
    const email = verdict.choices[1];
    await expect(page.act(email?.action ?? { kind: 'press', handle: '' }, verdict.submit?.handle ?? null)).resolves.toEqual({
      kind: 'done',
    });
    await arrive({ raw });
    expect(lab.posts[0]?.values.way).toBe('e');
  });

  it('radio buttons drawn by their labels are choices', async () => {
    const { page, raw, verdict } = await lab.look(`<h1>Verify your identity</h1><form method="post" action="/done">
      <label><input type="radio" name="way" value="sms" style="opacity:0"> Text me a code</label><br><label><input type="radio" name="way" value="call" style="opacity:0"> Call me</label><button>Continue</button></form>`);
    expect(verdict.choices.map(({ mfaType, label }) => [mfaType, label])).toEqual([
      ['sms', 'Text me a code'],
      ['call', 'Call me'],
    ]);
    const call = verdict.choices[1];
    await page.act(call?.action ?? { kind: 'press', handle: '' }, verdict.submit?.handle ?? null);
    await arrive({ raw });
    expect(lab.posts[0]?.values.way).toBe('call');
  });

  it('the page is busy while the answer to a submit is on its way', async () => {
    const { page, raw, verdict } =
      await lab.look(`<form><input name="user" placeholder="Username"><input name="pw" type="password"><button>Sign in</button></form><script>
      document.querySelector('form').onsubmit = (event) => { event.preventDefault(); fetch('/slow', { method: 'POST' }).then(() => { document.body.innerHTML = '<p role=alert>Wrong password</p>'; }); };</script>`);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await raw.context().route('**/slow', async (route) => {
      await held;
      await route.fulfill({ body: 'no' });
    });
    const sent = raw.waitForRequest('**/slow');
    await page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'x' }), verdict.submit?.handle ?? null);
    await sent;
    expect([page.isBusy(), page.isAwaited()]).toEqual([true, true]);
    const changed = page.waitForChange(5_000);
    release();
    await expect(changed).resolves.toBe(true);
    expect(classifyPage(await page.observe(), { sent: ['password'], before: null }).error).toBe('Wrong password');
  });

  it('D43: what a page asks for once the submit is answered is not waited for like the answer', async () => {
    const { page, raw, verdict } =
      await lab.look(`<form><input name="user" placeholder="Username"><input name="pw" type="password"><button>Sign in</button></form><script>
      document.querySelector('form').onsubmit = (event) => { event.preventDefault(); fetch('/sent', { method: 'POST' }).then(() => { document.body.innerHTML = '<p>Signed in</p>'; fetch('/poll'); }); };</script>`);
    await raw.context().route('**/sent', (route) => route.fulfill({ body: 'yes' }));
    await raw.context().route('**/poll', () => undefined);
    const polls = raw.waitForRequest('**/poll');
    await page.fillAndSubmit(fills(verdict, { username: 'ada', password: 'x' }), verdict.submit?.handle ?? null);
    await polls;
    expect([page.isBusy(), page.isAwaited()]).toEqual([true, false]);
    expect(await page.waitForQuiet({ quietMs: 100, maxMs: 50_000 })).toBe(true);
    expect(page.isBusy()).toBe(false);
  });

  it('a document in which scripts are forbidden is not filled for ever', async () => {
    const inside = `<form action="/in"><input name="user"><input type="password" name="pass"><button>Sign in</button></form>`;
    const { page, verdict } = await lab.look(
      `<h1>Portal</h1><iframe sandbox="allow-forms" width="500" height="300" srcdoc='${inside}'></iframe>`,
    );
    const fills = verdict.fields.map(({ handles }) => ({ handles, value: 'open sesame', oneTime: false }));
    expect(fills).toHaveLength(2);
    await expect(page.fillAndSubmit(fills, verdict.submit?.handle ?? null)).resolves.toMatchObject({ kind: 'not_found' });
  }, 40_000);
});
