import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Verdict } from '../../src/discovery/verdict.js';
import type { Fill } from '../../src/page/page-port.js';
import { PageLab, type Tab } from './fixture.js';

describe('a page that has put things of its own in the place of what the browser builds in', () => {
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

  const values: Readonly<Record<string, string>> = { username: 'ada', password: 'correct horse' };
  const fills = ({ fields }: Verdict): Fill[] => fields.map(({ handles, ref }) => ({ handles, value: values[ref] ?? '', oneTime: false }));
  const form = `<h1>Sign in</h1><form method="post" action="/done"><label for="user">Your user name</label><input id="user" name="user"><label for="pw">Password</label><input id="pw" name="pw" type="password">
    <label><input type="checkbox" id="keep" name="keep"> Remember me</label><button>Sign in</button></form>`;
  const sends = async ({ page, raw }: Tab, verdict: Verdict): Promise<void> => {
    expect(verdict.fields).toMatchObject([{ label: 'Your user name' }, { label: 'Password' }]);
    await expect(page.fillAndSubmit(fills(verdict), verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    await raw.waitForURL('**/done');
    expect(lab.posts).toEqual([{ path: '/done', values: { user: 'ada', pw: 'correct horse' } }]);
  };

  it.each([
    ['Event, as MooTools has it', 'window.Event = function (event) { this.kind = event.type; };'],
    ['find, for a value', 'Array.prototype.find = function (value) { return this.indexOf(value) >= 0; };'],
    [
      'filter, for a key',
      'Array.prototype.filter = function (key) { var kept = []; for (var i = 0; i < this.length; i++) if (this[i].key == key) kept.push(this[i]); return kept; };',
    ],
    ['flat and no flatMap', 'Array.prototype.flat = function () { return this; }; Array.prototype.flatMap = undefined;'],
    [
      'map and some of another meaning',
      'Array.prototype.map = function () { return {}; }; Array.prototype.some = function () { return 0; };',
    ],
    ['push that answers nothing and adds nothing', 'Array.prototype.push = function () {};'],
    [
      'Map and Set',
      'function Map() { this.at = {}; } Map.prototype.put = function (key, it) { this.at[key] = it; }; function Set() { this.all = []; }',
    ],
    [
      'a Node and a Text in a scope that no window has',
      "class Node { constructor(id) { this.id = id; } }; const Text = 'x'; class Map { put() {} } let Set = function () {};",
    ],
    ['a Node, as a tree has it', 'function Node(id) { this.id = id; } window.Element = undefined; window.CSS = {};'],
    [
      'JSON',
      "window.JSON = { parse: function (text) { return eval('(' + text + ')'); }, stringify: function (it) { return String(it); } };",
    ],
    [
      'matches and closest, for a class',
      'Element.prototype.matches = undefined; Element.prototype.closest = function (name) { var at = this; while (at && at.className != name) at = at.parentElement; return at; };',
    ],
    ['matches of its own for some elements', 'HTMLElement.prototype.matches = function () { return true; };'],
    [
      'querySelectorAll of the document, for names',
      'document.querySelectorAll = function (name) { return document.getElementsByTagName(name); };',
    ],
    [
      'querySelectorAll of all documents',
      'Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = function () { return null; };',
    ],
    ['split and trim', "String.prototype.split = function () { return [this]; }; String.prototype.trim = function () { return ''; };"],
    [
      'match and replace',
      'String.prototype.match = function () { return true; }; String.prototype.replace = function () { return this; };',
    ],
    ['getComputedStyle', 'function getComputedStyle(element) { return element.currentStyle || element.style; }'],
    ['Symbol', 'window.Symbol = undefined;'],
  ])('is read, filled and sent like any other: %s', async (_name, script) => {
    const { verdict, ...tab } = await lab.look(`<script>${script}</script>${form}`);
    await sends(tab, verdict);
  });

  it('waits like any other, with promises that somebody keeps', async () => {
    const { page } = await lab.look(`<script>window.Promise = function () {};</script>${form}`);
    await expect(page.waitForChange(100)).resolves.toBe(false);
    await expect(page.waitForQuiet({ quietMs: 2_000, maxMs: 50 })).resolves.toBe(false);
  });

  it('is, too, where it does so after it was looked at, and where none of it can be undone', async () => {
    const { page, raw } = await lab.look(form);
    await raw.evaluate(`(() => {
      Array.prototype.filter = () => [];
      Object.defineProperty(String.prototype, 'trimEnd', { value: () => 'x', writable: false, configurable: false });
      Object.defineProperty(Array.prototype, 'flatMap', { value: () => [], writable: true, configurable: false });
      Object.defineProperty(Element.prototype, 'closest', { get: () => () => null, configurable: true });
    })()`);
    const { controls } = await page.observe();
    expect(controls.map(({ name }) => name)).toEqual(['user', 'pw', 'keep', '']);
    await expect(
      raw.evaluate('[[1].filter(Boolean).length, [[1]].flatMap((x) => x).length, document.body.closest("html")]'),
    ).resolves.toEqual([0, 0, null]);
    await raw.evaluate("void Object.defineProperty(Array.prototype, 'every', { value: () => false })");
    await expect(page.observe()).resolves.toMatchObject({ title: '' });
  });

  it('is so in its frames', async () => {
    lab.serve('/framed', `<script>Array.prototype.find = () => true; function Map() {}</script>${form}`);
    const { page, raw, verdict } = await lab.look(
      `<script>Array.prototype.filter = () => []; function Map() {} function Set() {}</script><div><iframe id="login" src="/framed" width="600" height="400"></iframe></div>`,
    );
    expect(verdict.fields).toMatchObject([{ label: 'Your user name' }, { label: 'Password' }]);
    await expect(page.fillAndSubmit(fills(verdict), verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    await raw.frames()[1]?.waitForURL('**/done');
    expect(lab.posts).toEqual([{ path: '/done', values: { user: 'ada', pw: 'correct horse' } }]);
  });

  it('has what is its own when its own code runs: in what an act sets going, and afterwards', async () => {
    const { page, raw, verdict } = await lab.look(`<script>
      var own = {}, seen = [];
      own.find = Array.prototype.find = function (value) { return this.indexOf(value); };
      own.closest = Element.prototype.closest = function () { return 'mine'; };
      own.all = document.querySelectorAll = function () { return 'mine'; };
      own.Event = window.Event = function (event) { this.type = event.type; };
      own.toJSON = Array.prototype.toJSON = function () { return 'mine'; };
      function isOwn() {
        return [].find === own.find && document.body.closest === own.closest && document.querySelectorAll === own.all && Event === own.Event && [].toJSON === own.toJSON;
      }
      ['focus', 'keydown', 'input', 'keyup', 'change', 'click', 'submit'].forEach(function (type) {
        addEventListener(type, function (event) { seen.push(new Event(event).type + ' ' + isOwn()); }, true);
      });
    </script>${form.replace('<form', '<form onsubmit="return false"')}`);
    const box = await page.observe().then(({ controls }) => controls.find(({ id }) => id === 'keep')?.handle ?? '');
    await expect(page.act({ kind: 'check', handle: box }, null)).resolves.toEqual({ kind: 'done' });
    await page.fillAndSubmit(fills(verdict), verdict.submit?.handle ?? null);
    await page.observe();
    const seen = await raw.evaluate<string>('seen.join()').then((text) => [...new Set(text.split(','))]);
    expect(seen.sort()).toEqual(['change', 'click', 'focus', 'input', 'keydown', 'keyup', 'submit'].map((type) => `${type} true`));
    await expect(raw.evaluate('isOwn()')).resolves.toBe(true);
  });

  it('is given a frame for a moment, once; a page that has left all alone is given none', async () => {
    const told =
      '<script>var added = []; new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((node) => added.push(node.nodeName)))).observe(document, { childList: true, subtree: true });';
    const framesFor = async (script: string): Promise<{ made: number; left: number }> => {
      const { page, raw, verdict } = await lab.look(`${told}${script}</script>${form.replace('<form', '<form onsubmit="return false"')}`);
      await page.observe();
      await page.fillAndSubmit(fills(verdict), verdict.submit?.handle ?? null);
      await page.observe();
      const made = await raw.evaluate<number>("added.join().split('IFRAME').length - 1");
      return { made, left: await raw.locator('iframe').count() };
    };
    await expect(framesFor('')).resolves.toEqual({ made: 0, left: 0 });
    await expect(framesFor('class Node {} class Map {} const Text = 1;')).resolves.toEqual({ made: 0, left: 0 });
    await expect(framesFor('window.Event = function () {};')).resolves.toEqual({ made: 0, left: 0 });
    await expect(framesFor('Array.prototype.find = function () {};')).resolves.toEqual({ made: 1, left: 0 });
  });
});
