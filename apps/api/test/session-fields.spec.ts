import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BrowserSession, CreateBrowser, type ErrorBody, UpdateBrowser } from '@berth/schema';
import type { Tenant } from '@berth/testkit';
import { type ApiFixture, startApi } from './api-fixture.js';
import { type AppProcess, longLease, startHostProcess } from './processes.js';

let api: ApiFixture;
let host: AppProcess;
let tenant: Tenant;
let invocationId: string;
beforeAll(async () => {
  api = await startApi(longLease);
  host = await startHostProcess(api.stores, longLease);
  tenant = await api.tenant();
  const make = async (path: string, body: object) => (await api.call<{ id: string }>('POST', path, { key: tenant.key, body })).body.id;
  await make('/profiles', { name: 'mine' });
  invocationId = await make('/invocations', { app_name: 'a', action_name: 'b', version: '1' });
}, 60_000);
afterAll(async () => {
  await host.kill('SIGTERM');
  await api.stop();
}, 60_000);

interface Field {
  /** Values that a request may carry, each with what the record then says; `undefined`: nothing. */
  readonly accepted?: readonly (readonly [given: unknown, shown?: unknown])[];
  readonly refused?: readonly unknown[];
  /** In every record, or in none unless it was asked for. */
  readonly always?: true;
}

const off = { enabled: false };
/** The table of session fields of docs/contract.md, tried. A field that a request cannot carry is refused in any form. */
const fields: Readonly<Record<string, Field>> = {
  session_id: { refused: ['x'], always: true },
  created_at: { refused: ['2026-01-01T00:00:00.000Z'], always: true },
  deleted_at: { refused: [null] },
  name: { accepted: [['n', 'n']], refused: ['two words', '', null] },
  region: { refused: ['x', ''] },
  headless: { accepted: [[true, true]], refused: [false], always: true },
  stealth: { accepted: [[false, false]], refused: [true], always: true },
  gpu: { accepted: [[false, false]], refused: [true] },
  kiosk_mode: { accepted: [[false, false]], refused: [true] },
  memory: { refused: ['1GB'] },
  video_memory: { refused: ['1GB'] },
  timeout_seconds: {
    accepted: [
      [10, 10],
      [259_200, 259_200],
    ],
    refused: [9, 259_201, 0, '60', null],
    always: true,
  },
  start_url: { accepted: [['http://127.0.0.1:9/', 'http://127.0.0.1:9/']], refused: ['about:blank', 'file:///', ''] },
  cdp_ws_url: { refused: ['ws://x'], always: true },
  webdriver_ws_url: { refused: ['ws://x'], always: true },
  browser_live_view_url: { refused: ['http://x'] },
  base_url: { refused: ['http://x'], always: true },
  chrome_policy: { accepted: [[{}]], refused: [{ a: 1 }, null] },
  tags: {
    accepted: [
      [{}, {}],
      [{ a: 'b' }, { a: 'b' }],
    ],
    refused: [{ a: 1 }, { '': 'x' }, null],
  },
  proxy_id: { refused: ['x', '', null] },
  proxy: { refused: [{}, null] },
  disable_default_proxy: { refused: [true, false] },
  profile: {
    accepted: [[{ name: 'mine' }, expect.objectContaining({ name: 'mine' })]],
    refused: [{}, { name: 'nobody' }, { id: 'x', name: 'mine' }, null],
  },
  profile_save_changes: { refused: [true] },
  pool: { refused: [{}] },
  vaults: { refused: [[]] },
  viewport: {
    accepted: [
      [
        { width: 800, height: 600 },
        { width: 800, height: 600 },
      ],
      [
        { width: 800, height: 600, refresh_rate: 60 },
        { width: 800, height: 600, refresh_rate: 60 },
      ],
    ],
    refused: [{ width: 800 }, { width: 800, height: 600, refresh_rate: 30 }],
  },
  usage: { refused: [{}], always: true },
  usage_status: { refused: ['x'] },
  network: { accepted: [[{}]], refused: [{ allowed_hosts: [] }, { private_hosts: ['x'] }, { proxy_routes: [] }] },
  telemetry: {
    accepted: [
      [null],
      [{}],
      [off],
      [{ browser: { console: off, control: { ...off, cdp: { excluded_methods: [] } } }, export: { otlp: off }, storage: off }],
    ],
    refused: [
      { enabled: true },
      { browser: { console: { enabled: true } } },
      { browser: { control: { cdp: { excluded_methods: ['Page.enable'] } } } },
      { storage: { enabled: true } },
      { export: { otlp: { ...off, destination: 'https://x.test' } } },
      { export: { otlp: { enabled: true } } },
      { browser: { video: off } },
    ],
  },
  invocation_id: { accepted: [['{invocation}']], refused: ['x', null] },
  extensions: { accepted: [[[]]], refused: [[{ id: 'x' }]] },
};

const given = (value: unknown): unknown => (value === '{invocation}' ? invocationId : value);

describe('session fields', () => {
  const known = new Set([...Object.keys(BrowserSession.shape), ...Object.keys(CreateBrowser.shape), ...Object.keys(UpdateBrowser.shape)]);

  it('D30: every field of a record or a request is tried here and stands in the table of docs/contract.md', () => {
    const page = readFileSync(new URL('../../../docs/contract.md', import.meta.url), 'utf8');
    const table = page.slice(page.indexOf('### Session fields'), page.indexOf('## Managed login'));
    const written = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect([Object.keys(fields).sort(), written.sort()]).toEqual([[...known].sort(), [...known].sort()]);
  });

  it('D30: disable_default_proxy is a field of a PATCH alone, and changes nothing', async () => {
    const { body: made } = await api.call<BrowserSession>('POST', '/browsers', { key: tenant.key, body: {} });
    const path = `/browsers/${made.session_id}`;
    const patched = await api.call<BrowserSession>('PATCH', path, { key: tenant.key, body: { disable_default_proxy: true } });
    const [shown, before] = [patched.body, made].map(({ usage: _grows, ...fields }) => fields);
    expect([patched.status, shown]).toEqual([200, before]);
    expect((await api.call('DELETE', path, { key: tenant.key })).status).toBe(204);
  });

  it.each(Object.entries(fields))(
    'D30, D32: %s is taken and shown, or refused by name, as docs/contract.md has it',
    async (name, { accepted = [], refused = [], always }) => {
      for (const [value, shown] of accepted) {
        const { status, body } = await api.call<Record<string, unknown>>('POST', '/browsers', {
          key: tenant.key,
          body: { [name]: given(value) },
        });
        expect([value, status, body[name]]).toEqual([value, 200, shown]);
        expect((await api.call('DELETE', `/browsers/${String(body['session_id'])}`, { key: tenant.key })).status).toBe(204);
      }
      for (const value of refused) {
        const { status, body } = await api.call<ErrorBody>('POST', '/browsers', { key: tenant.key, body: { [name]: value } });
        expect([value, status, body.details?.map(({ message }) => message?.split(/[.:[]/)[0])]).toEqual([
          value,
          400,
          expect.arrayContaining([name]),
        ]);
      }
      const { body } = await api.call<Record<string, unknown>>('POST', '/browsers', { key: tenant.key, body: {} });
      expect([name, name in body]).toEqual([name, always === true]);
      await api.call('DELETE', `/browsers/${String(body['session_id'])}`, { key: tenant.key });
    },
    60_000,
  );
});
