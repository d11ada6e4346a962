import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unscoped } from '@berth/database/unscoped';
import { Credential as CredentialShape, type Credential, type ErrorBody, type TotpCode } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import { authenticator } from 'otplib';
import { type ApiFixture, startApi } from './api-fixture.js';

let api: ApiFixture;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
});
afterAll(() => api.stop());

const seed = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const password = 'correct horse battery staple';
const make = (body: object) =>
  api.call<Credential>('POST', '/credentials', {
    key: tenant.key,
    body: { domain: 'Shop.test', values: { username: 'ann', password }, ...body },
  });
const patch = (path: string, body: object) => api.call<Credential>('PATCH', `/credentials/${path}`, { key: tenant.key, body });

describe('credentials', () => {
  it('D37, D45: values are write-only: answers show their keys, and Postgres holds neither values nor seed in the clear', async () => {
    const made = await make({ name: 'sealed', totp_secret: seed });
    expect(made.status).toBe(201);
    expect(CredentialShape.parse(made.body)).toEqual(made.body);
    expect(made.body).toMatchObject({
      name: 'sealed',
      domain: 'shop.test',
      has_totp_secret: true,
      has_values: true,
      value_keys: ['password', 'username'],
    });
    const list = await api.call('GET', '/credentials', { key: tenant.key });
    expect(JSON.stringify([made.body, list.body])).not.toContain(password);
    const { rows } = await unscoped(api.database).pool.query<{ text: string }>(
      `SELECT encode(sealed_values, 'escape') || encode(sealed_totp_secret, 'escape') || name AS text FROM credentials`,
    );
    expect(rows.map(({ text }) => text).join()).not.toMatch(new RegExp(`${password}|${seed}|ann`));
  });

  it('updates merge values after removals, and an empty TOTP secret removes it', async () => {
    await make({ name: 'merged', totp_secret: seed });
    const updated = await patch('merged', {
      values: { pin: '1', username: 'bob' },
      remove_value_keys: ['username', 'password'],
      totp_secret: '',
    });
    expect(updated.body).toMatchObject({ value_keys: ['pin', 'username'], has_totp_secret: false });
    const emptied = await patch('merged', { remove_value_keys: ['pin', 'username'] });
    expect(emptied.body).toMatchObject({ value_keys: [], has_values: false });
  });

  it('racing updates lose no key', async () => {
    await make({ name: 'raced' });
    await Promise.all(['a', 'b', 'c', 'd'].map((key) => patch('raced', { values: { [key]: key } })));
    expect((await api.call<Credential>('GET', '/credentials/raced', { key: tenant.key })).body.value_keys).toEqual([
      'a',
      'b',
      'c',
      'd',
      'password',
      'username',
    ]);
  });

  it('GET totp_code gives the code of this moment and when it ends; without a secret 400', async () => {
    await make({ name: 'with-seed', totp_secret: `${seed.slice(0, 8)} ${seed.slice(8).toLowerCase()}` });
    const reply = await api.call<TotpCode>('GET', '/credentials/with-seed/totp-code', { key: tenant.key });
    expect(reply.status).toBe(200);
    expect(authenticator.check(reply.body.code, seed)).toBe(true);
    expect(new Date(reply.body.expires_at).getTime() % 30_000).toBe(0);
    await make({ name: 'without-seed' });
    const refused = await api.call<ErrorBody>('GET', '/credentials/without-seed/totp-code', { key: tenant.key });
    expect([refused.status, refused.body.code]).toEqual([400, 'bad_request']);
  });

  it('D30: a taken name is 409; D8: a faulty body is 400 naming each field and no value', async () => {
    await make({ name: 'taken' });
    expect((await make({ name: 'taken' })).status).toBe(409);
    await make({ name: 'other' });
    expect((await patch('other', { name: 'taken' })).status).toBe(409);
    const faulty = await api.call<ErrorBody>('POST', '/credentials', {
      key: tenant.key,
      body: { name: 'a b', values: { secretive: 17 }, totp_secret: 'not base32!' },
    });
    expect(faulty.status).toBe(400);
    const details = JSON.stringify(faulty.body.details);
    for (const field of ['name', 'domain', 'values.secretive', 'totp_secret']) expect(details).toContain(field);
    expect(details).not.toContain('base32!');
  });

  it('DELETE is 204, frees the name and destroys the values', async () => {
    const { body } = await make({ name: 'gone', totp_secret: seed });
    expect((await api.call('DELETE', '/credentials/gone', { key: tenant.key })).status).toBe(204);
    expect((await api.call('GET', `/credentials/${body.id}`, { key: tenant.key })).status).toBe(404);
    const row = await unscoped(api.database).prisma.credential.findUniqueOrThrow({ where: { id: body.id } });
    expect([row.sealedValues, row.sealedTotpSecret, row.valueKeys]).toEqual([null, null, []]);
    expect((await make({ name: 'gone' })).status).toBe(201);
  });

  it('D15: lists filter by domain and by part of name or domain', async () => {
    const { key } = await api.tenant();
    for (const [name, domain] of [
      ['one', 'a.test'],
      ['two', 'b.test'],
    ])
      await api.call('POST', '/credentials', { key, body: { name, domain, values: { u: 'x' } } });
    const names = async (query: string) =>
      (await api.call<Credential[]>('GET', `/credentials${query}`, { key })).body.map(({ name }) => name);
    expect(await names('?domain=B.test')).toEqual(['two']);
    expect(await names('?query=TEST')).toEqual(['one', 'two']);
    expect(await names('?query=tw')).toEqual(['two']);
  });
});
