import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { isShownToAll } from '../../src/discovery/stranger.js';
import { PageLab } from './fixture.js';

const limits = { quietMs: 100, maxMs: 5_000 };

describe('a page as a stranger sees it (D42, D43)', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  }, 60_000);
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  const menus = ['Tides', 'Crews', 'Ropes (3)'].map((name) => `<a href="/${name.slice(0, 5)}">${name}</a>`).join('');
  /** Who has the cookie is shown the one, everybody else the other; both at once and a moment later. */
  const shows = (known: string, stranger: string): string => `<div id="root"></div><script>
    const draw = () => (document.getElementById('root').innerHTML = document.cookie.includes('known') ? ${JSON.stringify(known)} : ${JSON.stringify(stranger)});
    if (document.cookie.includes('known')) draw(); else setTimeout(draw, 50);
  </script>`;
  const isSame = async (known: string, stranger: string): Promise<boolean> => {
    const { page, raw, snapshot: first } = await lab.look(shows(known, stranger));
    await raw.context().addCookies([{ name: 'known', value: 'yes', url: first.url }]);
    await page.goto(first.url, 5_000);
    await page.waitForQuiet(limits);
    const seen = await page.lookAside('stranger', first.url, 5_000, limits);
    if (seen === null) throw new Error('nothing was seen');
    expect(raw.context().pages()).toHaveLength(1);
    return isShownToAll(await page.observe(), seen);
  };
  const framed = (more: string, main: string): string => `<header><nav>${menus}</nav>${more}</header><main>${main}</main>`;

  it.each([
    ['the same', '', 'Hello', '', 'Hello', true],
    ['something between its menus', '', '<a href="/new">New</a> Hello', '', '<p>Hello</p>', true],
    ['a picture of somebody in its head', '<button aria-label="KA"></button>', 'Hello', '', 'Hello', false],
    ['a word less in its head', '', 'Hello', '<a href="/x">Belépés</a>', 'Hello', false],
  ])('menus and %s', async (_name, more, main, strangersMore, strangersMain, expected) => {
    expect(await isSame(framed(more, main), framed(strangersMore, strangersMain))).toBe(expected);
  });

  it.each([
    ['a message that can be closed', '<p>No.</p><button>Close</button><a href="/a">A</a>', '<a href="/a">A</a>', true],
    ['something to use', '<a href="/a">A</a><a href="/b">B</a>', '<a href="/a">A</a>', false],
    ['nothing to press at all', '<p>Hello</p>', '<p>Hello</p>', false],
  ])('without menus, %s', async (_name, known, stranger, expected) => {
    expect(await isSame(known, stranger)).toBe(expected);
  });

  it('is another where a stranger is led elsewhere', async () => {
    lab.serve('/login', `<header><nav>${menus}</nav></header>`);
    const { snapshot, page } = await lab.look(`<header><nav>${menus}</nav></header>`);
    const seen = await page.lookAside('stranger', lab.url('/login'), 5_000, limits);
    expect(seen !== null && isShownToAll(snapshot, seen)).toBe(false);
    expect(await page.lookAside('stranger', 'http://127.0.0.1:9/', 5_000, limits)).toBeNull();
  });

  it('D42: what is looked at beside a page as itself has its cookies, and is no window of the login', async () => {
    const { page, raw, snapshot } = await lab.look('<h1>A step</h1><a href="/a">A</a>');
    await raw.context().addCookies([{ name: 'known', value: 'yes', url: snapshot.url }]);
    lab.serve('/start', shows('<h1>Known</h1>', '<h1>Who is there?</h1>'));
    const seen = await page.lookAside('self', lab.url('/start'), 5_000, limits);
    expect(seen?.headings).toEqual(['Known']);
    expect(raw.context().pages()).toHaveLength(1);
    expect((await page.observe()).headings).toEqual(['A step']);
    expect(page.isBusy()).toBe(false);
  });

  it('D42: what is sent after a look beside the page is waited for by the page alone', async () => {
    const { page, raw } = await lab.look(
      '<h1>A step</h1><form method="post" action="/taken"><input name="answer"><button>Go on</button></form>',
    );
    lab.serve('/start', '<h1>Who is there?</h1>').serve('/taken', '<h1>In</h1>');
    expect((await page.lookAside('self', lab.url('/start'), 5_000, limits))?.headings).toEqual(['Who is there?']);
    const { controls } = await page.observe();
    const [button] = controls.filter(({ tag }) => tag === 'button');
    await page.act({ kind: 'press', handle: button?.handle ?? '' }, null);
    await raw.waitForURL(lab.url('/taken'));
    expect(page.isTaken()).toBe(true);
  });
});
