import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newTotpSecret, startWebsite, totpCode, type Website } from '../src/index.js';
import { Visitor } from './visitor.js';

let site: Website;
beforeAll(async () => {
  site = await startWebsite();
});
afterAll(async () => {
  await site.stop();
});

describe('the main site', () => {
  it('leads from the header link through identifier and password to a page that says who is logged in', async () => {
    const account = site.addAccount();
    const visitor = await new Visitor(site.url).open('/');
    expect(visitor.page).toContain('href="/login"');
    await (await visitor.open('/login')).submit({ username: account.username });
    expect(visitor.page).toContain('type="password"');
    await visitor.submit({ password: account.password });
    expect(visitor.url).toBe(`${site.url}/account`);
    expect(visitor.text).toContain(`Signed in as ${account.username}`);
    await visitor.open('/logout');
    await visitor.open('/account');
    expect(visitor.url).toBe(`${site.url}/login`);
  });

  it('D43: a wrong password shows its text and asks again', async () => {
    const account = site.addAccount();
    const visitor = await new Visitor(site.url).open('/login');
    await visitor.submit({ username: account.email });
    await visitor.submit({ password: 'not this one' });
    expect(visitor.text).toContain('That password is incorrect.');
    await visitor.submit({ password: account.password });
    expect(visitor.text).toContain(`Signed in as ${account.username}`);
  });

  it('an unknown person is told so on the first page', async () => {
    const visitor = await new Visitor(site.url).open('/login');
    await visitor.submit({ username: 'nobody-at-all' });
    expect(visitor.text).toContain('We couldn’t find an account');
  });

  it('asks accounts with an authenticator app for its code, and refuses another', async () => {
    const totpSecret = newTotpSecret();
    const account = site.addAccount({ totpSecret });
    const visitor = await new Visitor(site.url).open('/login');
    await visitor.submit({ username: account.username });
    await visitor.submit({ password: account.password });
    expect(visitor.text).toContain('authenticator app');
    const right = totpCode(totpSecret);
    await visitor.submit({ code: String((Number(right) + 500_000) % 1_000_000).padStart(6, '0') });
    expect(visitor.text).toContain('That code is not valid.');
    await visitor.submit({ code: totpCode(totpSecret) });
    expect(visitor.text).toContain(`Signed in as ${account.username}`);
  });

  it('the vault answers only a browser that also brings both device keys', async () => {
    const account = site.addAccount();
    const visitor = await new Visitor(site.url).open('/login');
    await visitor.submit({ username: account.username });
    await visitor.submit({ password: account.password });
    await visitor.open('/vault.json');
    expect(JSON.parse(visitor.page)).toEqual({ known: false });
  });
});

describe('counters', () => {
  it('D41: a form posted twice is one try and one duplicate, and no value is kept', async () => {
    const account = site.addAccount();
    const visitor = await new Visitor(site.url).open('/login');
    const form = { ...visitor.hiddenInputs(), username: account.username };
    const post = (): Promise<Response> =>
      fetch(`${site.url}/login`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    await post();
    await post();
    expect(site.stats.counts({ username: account.username })['main']?.['login']).toEqual({
      posts: 2,
      accepted: 1,
      rejected: 0,
      duplicate: 1,
    });
    expect(site.stats.submissions().at(-1)).toMatchObject({ scenario: 'main', step: 'login', verdict: 'duplicate', filled: ['username'] });
    expect(JSON.stringify(site.stats.submissions())).not.toContain(account.password);
  });

  it('are readable over HTTP, for one person too', async () => {
    const account = site.addAccount();
    const visitor = await new Visitor(site.url).open('/login');
    await visitor.submit({ username: account.username });
    await visitor.submit({ password: 'wrong' });
    const answer = await fetch(`${site.url}/_stats?username=${account.username}`);
    expect(await answer.json()).toMatchObject({ counts: { main: { login: { posts: 1 }, password: { posts: 1, rejected: 1 } } } });
  });
});

describe('the driver over HTTP', () => {
  const drive = async (path: string, body: unknown): Promise<unknown> =>
    (
      await fetch(`${site.url}/_driver/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json();

  it('adds accounts that fit a scenario, and ends their sessions for a re-login', async () => {
    const account = (await drive('accounts', { scenario: 'main-totp' })) as { username: string; password: string; totpSecret: string };
    const visitor = await new Visitor(site.url).open('/login');
    await visitor.submit({ username: account.username });
    await visitor.submit({ password: account.password });
    await visitor.submit({ code: totpCode(account.totpSecret) });
    expect(await drive('expire', { username: account.username })).toEqual({ ended: 1 });
    await visitor.open('/account');
    expect(visitor.url).toBe(`${site.url}/login`);
  });

  it('refuses a body that makes no sense', async () => {
    expect(await drive('push', { username: 'x', decision: 'maybe' })).toMatchObject({ statusCode: 400 });
  });
});
