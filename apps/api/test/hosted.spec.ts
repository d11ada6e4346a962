import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unscoped } from '@berth/database/unscoped';
import { answerIn, readCurrentFlow } from '@berth/login-flow';
import type { ErrorBody } from '@berth/schema';
import { testChromium } from '@berth/testkit';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type ApiFixture, startApi } from './api-fixture.js';
import { readEvents } from './event-reader.js';
import { LoginWorld, methodOffer, noHostEnv, passwordOffer } from './login-world.js';

let api: ApiFixture;
let world: LoginWorld;
let browser: Browser;
beforeAll(async () => {
  api = await startApi({ ...noHostEnv, BERTH_PUBLIC_URL: 'http://127.0.0.1' });
  world = new LoginWorld(api, await api.tenant());
  browser = await chromium.launch({ executablePath: testChromium(), args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
});
afterAll(async () => {
  await browser.close();
  world.close();
  await api.stop('forged');
});

/** A running flow and the path of its page on the API under test. */
async function runningFlow(): Promise<{ readonly id: string; readonly path: string }> {
  const { body: connection } = await world.connect();
  const { body } = await world.login(connection.id);
  return { id: connection.id, path: new URL(body.hosted_url).pathname };
}

async function cookieOf(path: string): Promise<string> {
  const page = await fetch(`${api.url}${path}`);
  return page.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const flowOf = (cookie: string): string => /=([a-z0-9]{24})\./.exec(cookie)?.[1] ?? 'no-such-flow';

const submit = (cookie: string, body: unknown, flowId = flowOf(cookie)) =>
  api.call<ErrorBody>('POST', `/hosted/flow/${flowId}/submit`, { headers: cookie === '' ? {} : { cookie }, body });
const interactionOf = async (id: string) => (await readCurrentFlow(world.store, world.scope, id))?.interactionId;

describe('the hosted link and its cookie (D58)', () => {
  it('D58: the link answers a page and an HttpOnly, SameSite=Lax cookie for its flow’s path; nothing else may run, load, frame or be cached', async () => {
    const { path } = await runningFlow();
    const page = await fetch(`${api.url}${path}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('set-cookie')).toMatch(
      /^berth_hosted=[a-z0-9]{24}\.[\w-]+; Path=\/hosted\/flow\/[a-z0-9]{24}; Max-Age=1200; HttpOnly; SameSite=Lax$/,
    );
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; connect-src 'self'/);
    expect(policy).not.toContain('unsafe');
    expect([page.headers.get('referrer-policy'), page.headers.get('cache-control'), page.headers.get('x-content-type-options')]).toEqual([
      'no-referrer',
      'no-store',
      'nosniff',
    ]);
  });

  it.each([
    [true, 'What you enter is kept too, encrypted'],
    [false, 'What you enter is not.'],
  ])('D45: with save_credentials %j the page says “%s”, and that the login is kept', async (save, said) => {
    const { body: connection } = await world.connect({ save_credentials: save });
    const { body } = await world.login(connection.id);
    const page = await (await fetch(`${api.url}${new URL(body.hosted_url).pathname}`)).text();
    expect(page).toContain('The login is kept, so that other browsers can start logged in.');
    expect(page).toContain(said);
    expect(page).not.toContain('{{');
  });

  it('D8: an unknown link is 404, hosted routes without a cookie or with a changed one are 401', async () => {
    expect((await api.call('GET', '/hosted/unknown-token')).status).toBe(404);
    const { path } = await runningFlow();
    const cookie = await cookieOf(path);
    const forged = cookie.replace(/=(.)/, (_, first: string) => `=${first === 'a' ? 'b' : 'a'}`);
    for (const given of ['', 'berth_hosted=nonsense', forged]) {
      const refused = await submit(given, { selected_choice_id: 'x' }, flowOf(cookie));
      expect([refused.status, refused.body.message]).toEqual([401, expect.stringMatching(/open the link of the login again\.$/)]);
      const reader = await readEvents(`${api.url}/hosted/flow/${flowOf(cookie)}/events`, {
        headers: given === '' ? {} : { cookie: given },
      });
      expect(reader.status).toBe(401);
    }
    expect((await api.call('GET', '/whoami', { headers: { cookie } })).status).toBe(401);
    const other = await cookieOf((await runningFlow()).path);
    expect((await submit(cookie, { selected_choice_id: 'x' }, flowOf(other))).status).toBe(401);
  });

  it('D58: the cookie is bound to its flow: it follows and answers that one, not the connection’s next', async () => {
    const { id, path } = await runningFlow();
    const cookie = await cookieOf(path);
    await api.call('POST', `/auth/connections/${id}/cancel`, { key: world.tenant.key });
    await world.login(id);
    await world.ask(id);
    const reader = await readEvents(`${api.url}/hosted/flow/${flowOf(cookie)}/events`, { headers: { cookie } });
    await reader.untilEnd();
    expect(reader.states.map(({ flow_status }) => flow_status)).toEqual(['CANCELED']);
    const refused = await submit(cookie, { interaction_id: await interactionOf(id), field_values: { username: 'a', password: 'b' } });
    expect([refused.status, refused.body.code]).toEqual([409, 'no_active_flow']);
  });

  it('D41: the page’s submit is refused and accepted like any other', async () => {
    const { id, path } = await runningFlow();
    const cookie = await cookieOf(path);
    await world.ask(id);
    expect((await submit(cookie, {})).status).toBe(400);
    expect((await submit(cookie, { interaction_id: 'old', field_values: {} })).body.code).toBe('stale_interaction');
    const interaction_id = await interactionOf(id);
    expect((await submit(cookie, { interaction_id, field_values: { username: 'a' } })).status).toBe(422);
    expect((await submit(cookie, { interaction_id, field_values: { username: 'a', password: 'b' } })).status).toBe(202);
  });
});

describe('the page in a real browser', () => {
  async function open(path: string): Promise<{ readonly page: Page; readonly faults: string[] }> {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(`${api.url}${path}`);
    return { page, faults };
  }

  it('issue 6, D58: a person logs in through it: waits, fields, the website’s error, a choice, an external action, the end', async () => {
    const { id, path } = await runningFlow();
    const { page, faults } = await open(path);
    await page.getByRole('status').getByText('Looking at the website…').waitFor();
    await world.ask(id, passwordOffer);
    await page.getByLabel('Email').fill('ann@site.test');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByText('Please fill in “Password”.').waitFor();
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('status').getByText('Sending your answer…').waitFor();
    const flow = await readCurrentFlow(world.store, world.scope, id);
    expect(flow === null ? null : answerIn(world.store, flow)).toEqual({
      kind: 'fields',
      values: { username: 'ann@site.test', password: 'correct horse' },
    });

    await world.ask(
      id,
      { ...passwordOffer, fields: passwordOffer.fields.map((field) => ({ ...field, reason: 'rejected' as const })) },
      'Wrong <b>password</b>.',
    );
    await page.getByRole('alert').getByText('Wrong <b>password</b>.').waitFor();
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Password').inputValue()).toBe('');

    await world.ask(id, methodOffer);
    await page.getByRole('button', { name: 'Text message' }).click();
    await page.getByRole('status').getByText('Sending your answer…').waitFor();
    await world.play(id, { kind: 'wait', message: 'Approve sign-in 42 on your phone.', offer: { fields: [], choices: [] } });
    await page.getByText('Approve sign-in 42 on your phone.').waitFor();
    await world.succeed(id);
    await page.getByText('You are logged in. You can close this page.').waitFor();
    expect(await page.locator('input:visible').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('D58: two pages open in one browser each follow and answer their own flow', async () => {
    const flows = [await runningFlow(), await runningFlow()];
    const context = await browser.newContext();
    const pages = await Promise.all(
      flows.map(async ({ path }) => {
        const page = await context.newPage();
        await page.goto(`${api.url}${path}`);
        return page;
      }),
    );
    for (const { id } of flows) await world.ask(id, passwordOffer);
    for (const [index, page] of pages.entries()) {
      await page.getByLabel('Email').fill(`person-${index}`);
      await page.getByLabel('Password').fill('pw');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('status').getByText('Sending your answer…').waitFor();
    }
    for (const [index, { id }] of flows.entries()) {
      const flow = await readCurrentFlow(world.store, world.scope, id);
      expect(flow === null ? null : answerIn(world.store, flow)).toMatchObject({ values: { username: `person-${index}` } });
    }
    await context.close();
  });

  it('D60: a change of texts alone keeps what was typed and the focus', async () => {
    const { id, path } = await runningFlow();
    const { page } = await open(path);
    await world.ask(id, passwordOffer);
    await page.getByLabel('Email').fill('half typed');
    await world.ask(id, passwordOffer, 'The website says something.');
    await page.getByRole('alert').getByText('The website says something.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('half typed');
    await page.close();
  });

  it('issue 6: what label, destination, description, context and hint say is shown once', async () => {
    const { id, path } = await runningFlow();
    const { page } = await open(path);
    const label = 'Text message to (•••) •••-4417';
    const told = { type: 'mfa_method', mfa_type: 'sms', masked_destination: '(•••) •••-4417' } as const;
    await world.ask(id, {
      fields: [{ id: 'code', ref: 'code', type: 'code', reason: 'missing', label: 'Code', hint: 'Code', required: true }],
      choices: [
        { ...told, id: 'mfa_1', label, description: label, context: label },
        { ...told, id: 'mfa_2', label: 'Text', description: 'Costs nothing', context: 'Costs nothing' },
      ],
    });
    await page.getByLabel('Code').waitFor();
    expect(await page.locator('#options button').allTextContents()).toEqual([label, 'Text(•••) •••-4417Costs nothing']);
    expect(await page.locator('.hint').count()).toBe(0);
    await page.close();
  });

  it('every control has a name, every input a label, and the page works by keyboard alone', async () => {
    const { id, path } = await runningFlow();
    const { page } = await open(path);
    await world.ask(id, {
      fields: [{ id: 'code', ref: 'code', type: 'code', reason: 'missing', label: 'Code', hint: 'Sent to •••12', required: true }],
      choices: methodOffer.choices,
    });
    const code = page.getByLabel('Code');
    await code.waitFor();
    expect(await page.locator(':focus').getAttribute('name')).toBe('code');
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
    expect(await page.locator(`#${(await code.getAttribute('aria-describedby')) ?? ''}`).textContent()).toBe('Sent to •••12');
    for (const input of await page.locator('input').all())
      expect(await page.locator(`label[for="${(await input.getAttribute('id')) ?? ''}"]`).count()).toBe(1);
    expect((await page.locator('button').allTextContents()).filter((text) => text.trim() === '')).toEqual([]);
    await page.keyboard.type('123456');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Sending your answer…').waitFor();
    await page.close();
  });

  it('D49: an ended flow’s link shows its end and does not come back for more', async () => {
    const { id, path } = await runningFlow();
    await world.play(id, { kind: 'fail', code: 'captcha_blocked', message: 'A captcha is in the way.' });
    const { page } = await open(path);
    await page.getByText('The login did not work.').waitFor();
    await page.getByRole('alert').getByText('A captcha is in the way.').waitFor();
    await page.close();
  });

  it('the domain is text on the page, whatever it holds, and no link or secret of it is logged in a title or a Referer', async () => {
    const { id, path } = await runningFlow();
    await unscoped(api.database).prisma.authConnection.update({ where: { id }, data: { domain: '<img src=x onerror=alert(1)>.test' } });
    const { page, faults } = await open(path);
    await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>.test' }).waitFor();
    expect([await page.locator('img').count(), faults]).toEqual([0, []]);
    await page.close();
  });
});
