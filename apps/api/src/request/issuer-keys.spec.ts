import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@berth/logging';
import { exportJWK, generateKeyPair } from 'jose';
import { IssuerKeys } from './issuer-keys.js';

let server: Server;
let url: string;
let asked: number;
/** Whether the issuer answers, and what it calls itself. */
let [away, named]: [boolean, string | undefined] = [false, undefined];
let now: number;
let lines: { level: string; msg: string; err?: { message: string } }[];
let keys: IssuerKeys;

beforeEach(async () => {
  [asked, now, lines, away, named] = [0, 0, [], false, undefined];
  const { publicKey } = await generateKeyPair('ES256');
  const published = { keys: [{ ...(await exportJWK(publicKey)), kid: 'first', alg: 'ES256' }] };
  server = createServer((request, response) => {
    if (request.url !== '/keys') asked += 1;
    if (away) response.writeHead(503);
    response.end(JSON.stringify(request.url === '/keys' ? published : { issuer: named ?? url, jwks_uri: `${url}/keys` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  keys = new IssuerKeys(url, createLogger({ name: 'test', level: 'info', destination: { write } }), () => now);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const hasKeys = (): Promise<boolean> =>
  keys.current().then(
    () => true,
    () => false,
  );

describe('IssuerKeys', () => {
  it('D11: an issuer that is away is asked once in 3 s, however many tokens come at once or after one another, and told of once an outage', async () => {
    away = true;
    expect(await Promise.all(Array.from({ length: 20 }, hasKeys))).toEqual(Array.from({ length: 20 }, () => false));
    for (let again = 0; again < 20; again += 1) expect(await hasKeys()).toBe(false);
    expect(asked).toBe(1);
    now += 3_000;
    expect([await hasKeys(), await hasKeys(), asked]).toEqual([false, false, 2]);
    expect(lines.map(({ level }) => level)).toEqual(['error']);
    away = false;
    expect([await hasKeys(), asked]).toEqual([false, 2]);
    now += 3_000;
    expect([await hasKeys(), asked, lines.map(({ level }) => level)]).toEqual([true, 3, ['error', 'info']]);
  });

  it('D11: while there are older keys nobody waits for an issuer that is away, and it is asked on', async () => {
    expect(await hasKeys()).toBe(true);
    [away, now] = [true, 700_000];
    for (let again = 0; again < 3; again += 1) expect(await hasKeys()).toBe(true);
    expect(asked).toBe(2);
    now += 3_000;
    const questions = new Promise<void>((resolve) => server.once('request', () => resolve()));
    expect(await hasKeys()).toBe(true);
    await questions;
    expect(asked).toBe(3);
  });

  it('D11: a document of another issuer is an error in the log that says what to do, and its keys are not used', async () => {
    named = 'https://elsewhere.test';
    expect(await hasKeys()).toBe(false);
    expect(lines[0]).toMatchObject({
      level: 'error',
      err: { message: expect.stringMatching(/"https:\/\/elsewhere.test".*set BERTH_OAUTH_ISSUER/) },
    });
  });
});
