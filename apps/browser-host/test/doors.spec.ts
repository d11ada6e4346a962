import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { baseUrl, bidiUrl } from '@berth/browser-fleet';
import { ErrorBody } from '@berth/schema';
import { chromium } from 'playwright-core';
import puppeteer, { type Page } from 'puppeteer-core';
import { WebSocket } from 'ws';
import type { RunningHost } from '../src/start.js';
import { TestFleet, until } from './fleet.js';
import { handshake } from './handshake.js';

let fleet: TestFleet;
let host: RunningHost;

beforeAll(async () => {
  fleet = await TestFleet.create();
  host = await fleet.startHost({ BERTH_HOST_WARM_BROWSERS: '1' });
});
afterAll(() => fleet.close());

describe('CDP door', () => {
  it('D31: Playwright and Puppeteer drive one browser at the same time', async () => {
    const session = await fleet.run();
    const playwright = await chromium.connectOverCDP(fleet.cdp(session));
    const page = playwright.contexts()[0]?.pages()[0] ?? (await playwright.newPage());
    await page.setContent('<title>from playwright</title>');
    const other = await puppeteer.connect({ browserWSEndpoint: fleet.cdp(session) });
    const titles = await Promise.all((await other.pages()).map((seen) => seen.title()));
    expect(titles).toContain('from playwright');
    await other.disconnect();
    await page.setContent('<title>still here</title>');
    expect(await page.title()).toBe('still here');
    await playwright.close();
    expect((await fleet.row(session.id)).status).toBe('running');
    expect(await fleet.end(session.id)).toBe(true);
  });

  it('D31: a token opens its own door of its own session, and dies with it', async () => {
    const [session, other] = [await fleet.run(), await fleet.run()];
    const url = fleet.cdp(session);
    expect(await handshake(url)).toBe(101);
    expect(await handshake(url.replace(/token=.*/, ''))).toBe(401);
    expect(await handshake(url.replace(/token=.*/, 'token=AAAA'))).toBe(401);
    expect(await handshake(url.replace(session.id, other.id))).toBe(401);
    expect(await handshake(url.replace('/cdp?', '/bidi?'))).toBe(401);
    expect(await handshake(url.replace('/cdp?', '/nothing?'))).toBe(404);
    expect(await fleet.end(session.id)).toBe(true);
    expect(await handshake(url)).toBe(404);
    await fleet.end(other.id);
  });

  it('D31: no message is compressed, whatever the caller offers: packing costs both ends more than it saves', async () => {
    const session = await fleet.run();
    const caller = new WebSocket(fleet.cdp(session), { perMessageDeflate: true });
    const [answer] = (await once(caller, 'upgrade')) as [IncomingMessage];
    expect(answer.statusCode).toBe(101);
    expect(answer.headers).not.toHaveProperty('sec-websocket-extensions');
    caller.terminate();
    await fleet.end(session.id);
  });

  it('D31, D33: a browser that hangs is said to, and grows idle once its caller has left', async () => {
    const standing = await fleet.run({ timeoutSeconds: 1 });
    const pid = host.assembly.sessions.find(standing.id)?.chromium?.pid as number;
    const caller = new WebSocket(fleet.cdp(standing));
    await once(caller, 'open');
    process.kill(pid, 'SIGSTOP');
    const state = await fetch(baseUrl(standing.hostPublicUrl ?? '', standing, fleet.sealer));
    expect([state.status, ErrorBody.parse(await state.json()).code]).toEqual([503, 'service_unavailable']);
    caller.terminate();
    expect(await fleet.watcher.waitUntilEnded(standing.id, 20_000)).toBe(true);
    expect((await fleet.row(standing.id)).endReason).toBe('idle_timeout');
    await fleet.settlesAt(0);
  });

  it('D33: CDP Browser.close ends the session', async () => {
    const session = await fleet.run();
    const browser = await puppeteer.connect({ browserWSEndpoint: fleet.cdp(session) });
    await browser.close();
    expect(await fleet.watcher.waitUntilEnded(session.id, 30_000)).toBe(true);
    const row = await fleet.row(session.id);
    expect(row).toMatchObject({ status: 'ended', endReason: 'browser_closed' });
    expect(row.deletedAt).toBeInstanceOf(Date);
    await until('slot free', async () => (await fleet.used()) === 0);
  });

  it('D31: base_url tells the state of this browser', async () => {
    const session = await fleet.run();
    const url = baseUrl(session.hostPublicUrl ?? '', session, fleet.sealer);
    const state = (await (await fetch(url)).json()) as { session_id: string; status: string; pages: { url: string }[] };
    expect(state).toMatchObject({ session_id: session.id, status: 'running', pages: [{ url: 'about:blank' }] });
    expect((await fetch(url.replace(/token=.*/, 'token=x'))).status).toBe(401);
    await fleet.end(session.id);
    expect((await fetch(url)).status).toBe(404);
  });
});

describe('what the host does not serve', () => {
  it('D8: is refused with the Error body and no text of a library, like every refusal at its doors', async () => {
    const session = await fleet.run();
    const { hostPublicUrl: origin } = session;
    const refusals = [
      ['GET', '/', 404, 'not_found'],
      ['GET', '/nowhere', 404, 'not_found'],
      ['DELETE', `/sessions/${session.id}`, 404, 'not_found'],
      ['GET', '/sessions/%E0%A4%A', 400, 'bad_request'],
      ['POST', '/sessions', 404, 'not_found'],
      ['GET', `/sessions/${session.id}`, 401, 'unauthorized'],
      ['GET', `/sessions/${session.id}?token=a&token=b`, 401, 'unauthorized'],
      ['GET', '/sessions/none?token=x', 404, 'not_found'],
      ['GET', `/sessions/${session.id}/curl/raw?jwt=x`, 404, 'not_found'],
    ] as const;
    for (const [method, path, status, code] of refusals) {
      const answer = await fetch(`${origin}${path}`, { method, headers: { 'x-request-id': 'caller-1.a_b' } });
      expect(answer.headers.get('x-request-id')).toBe('caller-1.a_b');
      expect([path, answer.status, answer.headers.get('content-type'), ErrorBody.parse(await answer.json()).code]).toEqual([
        path,
        status,
        'application/json; charset=utf-8',
        code,
      ]);
    }
    await fleet.end(session.id);
  });

  it('D8: carries a request id: a new one when the caller gives none, or one that is not harmless', async () => {
    const session = await fleet.run();
    const url = baseUrl(session.hostPublicUrl ?? '', session, fleet.sealer);
    const ids = [
      await fetch(url),
      await fetch(url, { headers: { 'x-request-id': 'a b' } }),
      await fetch(`${session.hostPublicUrl ?? ''}/health/live`),
    ].map(({ headers }) => headers.get('x-request-id'));
    expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[a-z][a-z0-9]{23}$/)));
    expect(new Set(ids).size).toBe(3);
    expect(await refusedUpgradeId(fleet.cdp(session).replace(/token=.*/, 'token=x'), 'caller-2')).toBe('caller-2');
    await fleet.end(session.id);
  });
});

/** The request id on the refusal of an upgrade. */
function refusedUpgradeId(url: string, given: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers: { 'x-request-id': given } });
    socket.on('unexpected-response', (request, response) => {
      resolve(response.headers['x-request-id'] as string | undefined);
      request.destroy();
    });
    socket.on('open', () => reject(new Error('it was not refused')));
    socket.on('error', () => undefined);
  });
}

describe('BiDi door', () => {
  it('D31: speaks WebDriver BiDi', async () => {
    const session = await fleet.run();
    const socket = new WebSocket(bidiUrl(session.hostPublicUrl ?? '', session, fleet.sealer));
    const replies = new Map<number, (reply: { type: string; result: Record<string, unknown> }) => void>();
    socket.on('message', (data: Buffer) => {
      const reply = JSON.parse(data.toString()) as { id?: number; type: string; result: Record<string, unknown> };
      if (reply.id !== undefined) replies.get(reply.id)?.(reply);
    });
    let lastId = 0;
    const command = (method: string, params: object = {}): Promise<{ type: string; result: Record<string, unknown>; error?: string }> =>
      new Promise((resolve) => {
        lastId += 1;
        replies.set(lastId, resolve);
        const send = (): void => socket.send(JSON.stringify({ id: lastId, method, params }));
        if (socket.readyState === WebSocket.OPEN) send();
        else socket.once('open', send);
      });
    expect((await command('session.new', { capabilities: {} })).type).toBe('success');
    const tree = await command('browsingContext.getTree');
    const context = (tree.result['contexts'] as { context: string }[])[0]?.context;
    const page = 'data:text/html,<title>bidi</title>';
    expect(await command('browsingContext.navigate', { context, url: page, wait: 'complete' })).toMatchObject({
      type: 'success',
      result: { url: page },
    });
    const title = await command('script.evaluate', { expression: 'document.title', target: { context }, awaitPromise: false });
    expect(title.result).toMatchObject({ result: { value: 'bidi' } });
    expect(await command('browsingContext.navigate', { context: 'none', url: 7 })).toMatchObject({
      type: 'error',
      error: 'invalid argument',
    });
    socket.close();
    await fleet.end(session.id);
  });

  it('D31: session.end ends the BiDi session with its connection; the browser goes on as it was, for the next one', async () => {
    const session = await fleet.run();
    const address = bidiUrl(session.hostPublicUrl ?? '', session, fleet.sealer);
    const connect = () => puppeteer.connect({ browserWSEndpoint: address, protocol: 'webDriverBiDi' });
    const first = await connect();
    const page = (await first.pages())[0] as Page;
    await page.goto('data:text/html,<title>kept</title>');
    const socket = new WebSocket(address);
    await once(socket, 'open');
    const answers: unknown[] = [];
    socket.on('message', (data: Buffer) => answers.push(JSON.parse(data.toString())));
    const closed = once(socket, 'close');
    socket.send(JSON.stringify({ id: 1, method: 'session.new', params: { capabilities: {} } }));
    socket.send(JSON.stringify({ id: 2, method: 'session.end', params: {} }));
    expect((await closed)[0]).toBe(1000);
    expect(answers).toContainEqual({ type: 'success', id: 2, result: {} });
    expect(first.connected).toBe(true);
    await first.disconnect();
    await until('both have left', () => host.assembly.sessions.find(session.id)?.connections === 0);
    const second = await connect();
    expect(await (await second.pages())[0]?.title()).toBe('kept');
    await second.disconnect();
    expect((await fleet.row(session.id)).status).toBe('running');
    await fleet.end(session.id);
  });
});
