import { describe, expect, it } from '@jest/globals';
import { ConfigError, describeSettings, readConfig, readPresent, settings, unknownSettings, type SettingName } from './index.js';

const key = 'a1'.repeat(32);
const everySetting = Object.keys(settings) as SettingName[];

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map((fault) => fault.message);
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('D52: gives the documented defaults under camel-case names', () => {
    const config = readConfig(
      [
        'BERTH_API_PORT',
        'BERTH_SSE_HEARTBEAT_SECONDS',
        'BERTH_FLOW_PAUSE_SECONDS',
        'BERTH_FLOW_TOTAL_SECONDS',
        'BERTH_LEASE_SECONDS',
        'BERTH_ORG_MAX_CONCURRENT_SESSIONS',
        'BERTH_BOOTSTRAP_ORG',
      ],
      {},
    );
    expect(config).toEqual({
      apiPort: 8080,
      sseHeartbeatSeconds: 15,
      flowPauseSeconds: 600,
      flowTotalSeconds: 1200,
      leaseSeconds: 30,
      orgMaxConcurrentSessions: 100,
      bootstrapOrg: undefined,
    });
  });

  it('D52: every default parses, so an empty environment lacks only what is required', () => {
    const faults = faultsOf(() => readConfig(everySetting, {}));
    expect(faults.map((message) => message.split(' ')[0])).toEqual(['BERTH_DATABASE_URL', 'BERTH_REDIS_URL', 'BERTH_SECRET_KEY']);
    expect(faultsOf(() => readPresent(everySetting, {}))).toEqual([]);
  });

  it('lists every fault at once: missing, malformed, out of range and inconsistent', () => {
    const faults = faultsOf(() =>
      readConfig(everySetting, {
        BERTH_REDIS_URL: 'http://example.com',
        BERTH_SECRET_KEY: key,
        BERTH_API_PORT: 'eighty',
        BERTH_LEASE_SECONDS: '0',
        BERTH_LOG_LEVEL: 'loud',
        BERTH_OAUTH_ISSUER: 'https://issuer.example',
      }),
    );
    expect(faults).toHaveLength(6);
    expect(faults.join('\n')).toMatch(
      /BERTH_DATABASE_URL is not set[^]*BERTH_REDIS_URL[^]*BERTH_LOG_LEVEL: "loud"[^]*must be one of fatal[^]*BERTH_API_PORT: "eighty"[^]*BERTH_LEASE_SECONDS: "0"[^]*must be a whole number from 1[^]*BERTH_OAUTH_AUDIENCE go together/,
    );
  });

  it('treats empty and blank values as unset', () => {
    expect(readConfig(['BERTH_API_PORT', 'BERTH_HOST_ID'], { BERTH_API_PORT: '', BERTH_HOST_ID: '  ' })).toEqual({
      apiPort: 8080,
      hostId: undefined,
    });
  });

  it('D45: never shows the value of a secret in a fault', () => {
    const faults = faultsOf(() =>
      readConfig(['BERTH_SECRET_KEY', 'BERTH_DATABASE_URL', 'BERTH_BOOTSTRAP_KEY'], {
        BERTH_SECRET_KEY: 'hunter2',
        BERTH_DATABASE_URL: 'mysql://me:hunter2@host',
        BERTH_BOOTSTRAP_KEY: 'hunter2',
      }),
    );
    expect(faults).toHaveLength(3);
    expect(faults.join()).not.toContain('hunter2');
  });

  it('D61: refuses BERTH_ALLOW_PRIVATE_NETWORKS=false rather than pretend', () => {
    expect(faultsOf(() => readConfig(['BERTH_ALLOW_PRIVATE_NETWORKS'], { BERTH_ALLOW_PRIVATE_NETWORKS: 'False' })).join()).toContain(
      'egress proxy',
    );
    expect(readConfig(['BERTH_ALLOW_PRIVATE_NETWORKS'], {})).toEqual({ allowPrivateNetworks: true });
  });

  it('D2: reads header aliases lower-cased and refuses names that mean something else', () => {
    const read = (value: string) =>
      readConfig(['BERTH_PROJECT_HEADER_ALIASES'], { BERTH_PROJECT_HEADER_ALIASES: value }).projectHeaderAliases;
    expect(read('X-Other-Project-Id, x-third')).toEqual(['x-other-project-id', 'x-third']);
    expect(read('')).toEqual([]);
    const taken =
      'Authorization, X-Service-Project-Id, Host, Content-Type, Content-Length, Transfer-Encoding, Cookie, Idempotency-Key, X-Request-Id, Connection, Accept';
    for (const name of [...taken.split(', '), 'bad name'])
      expect([name, faultsOf(() => read(`X-Other-Project-Id, ${name}`))]).toEqual([name, [expect.stringContaining('HTTP header names')]]);
  });

  it('D23: lays plan limits over the defaults and refuses plans that do not exist', () => {
    const read = (value: string) => readConfig(['BERTH_PLAN_LIMITS'], { BERTH_PLAN_LIMITS: value }).planLimits;
    expect(read('startup=200')).toEqual({ developer: 5, hobbyist: 10, startup: 200, enterprise: 1000 });
    expect(faultsOf(() => read('gold=1'))).toHaveLength(1);
    expect(faultsOf(() => read('startup=-1'))).toHaveLength(1);
  });

  it('derives public addresses from the ports and fills no placeholder itself', () => {
    const names = ['BERTH_PUBLIC_URL', 'BERTH_HOST_INTERNAL_URL', 'BERTH_HOST_PUBLIC_URL'] as const;
    expect(readConfig(names, { BERTH_API_PORT: '9000', BERTH_HOST_PORT: '9001', BERTH_LISTEN_ADDRESS: '0.0.0.0' })).toEqual({
      publicUrl: 'http://127.0.0.1:9000',
      hostInternalUrl: 'http://127.0.0.1:9001',
      hostPublicUrl: 'http://127.0.0.1:9001',
    });
    expect(readConfig(names, { BERTH_HOST_PUBLIC_URL: 'https://{host_id}.example.com/' }).hostPublicUrl).toBe(
      'https://{host_id}.example.com',
    );
  });

  it.each([
    ['hex', key],
    ['base64', Buffer.alloc(32, 7).toString('base64')],
    ['base64url', Buffer.alloc(32, 255).toString('base64url')],
  ])('D45: accepts a secret key of 32 bytes in %s and no shorter one', (_, value) => {
    expect(readConfig(['BERTH_SECRET_KEY'], { BERTH_SECRET_KEY: value })).toEqual({ secretKey: value });
    expect(faultsOf(() => readConfig(['BERTH_SECRET_KEY'], { BERTH_SECRET_KEY: value.slice(4) }))).toHaveLength(1);
  });
});

describe('BERTH_SECRET_KEYS_PREVIOUS', () => {
  it('D45: reads former keys and names a wrong one without showing it', () => {
    const read = (value: string) => readConfig(['BERTH_SECRET_KEYS_PREVIOUS'], { BERTH_SECRET_KEYS_PREVIOUS: value }).secretKeysPrevious;
    expect(read('')).toEqual([]);
    expect(read(`${key}, ${key}`)).toEqual([key, key]);
    const faults = faultsOf(() => read(`${key},hunter2`)).join();
    expect(faults).toContain('has an entry that must be 32 random bytes');
    expect(faults).not.toContain('hunter2');
  });
});

describe('describeSettings', () => {
  it('D52: lists all settings with value and source, secrets masked', () => {
    const described = describeSettings({ BERTH_SECRET_KEY: key, BERTH_API_PORT: '81' });
    expect(described.map((entry) => entry.name)).toEqual(everySetting);
    expect(described.find((entry) => entry.name === 'BERTH_API_PORT')).toMatchObject({ value: '81', source: 'environment' });
    expect(described.find((entry) => entry.name === 'BERTH_LEASE_SECONDS')).toMatchObject({ value: '30', source: 'default' });
    expect(described.find((entry) => entry.name === 'BERTH_HOST_ID')).toMatchObject({ value: null, source: 'unset' });
    expect(described.find((entry) => entry.name === 'BERTH_SECRET_KEYS_PREVIOUS')).toMatchObject({ value: '', source: 'default' });
    expect(described.filter(({ fault }) => fault !== undefined)).toEqual([]);
    expect(JSON.stringify(described)).not.toContain(key);
  });

  it('D52: a wrong value is shown with what is wrong with it, and what the launcher set is told from what the environment says', () => {
    const described = describeSettings(
      { BERTH_API_PORT: 'eighty', BERTH_SECRET_KEY: 'too short', BERTH_FLOW_PAUSE_SECONDS: '5000' },
      { BERTH_API_PORT: '81', BERTH_HOST_PORT: '90', BERTH_BOOTSTRAP_ORG: 'Local' },
    );
    const shown = (name: SettingName) => described.find((entry) => entry.name === name);
    expect(shown('BERTH_API_PORT')).toMatchObject({
      value: 'eighty',
      source: 'environment',
      fault: expect.stringContaining('a whole number from 0 to 65535'),
    });
    expect(shown('BERTH_SECRET_KEY')?.fault).toMatch(/not shown, it is a secret/);
    expect(shown('BERTH_FLOW_PAUSE_SECONDS')?.fault).toMatch(/longer than BERTH_FLOW_TOTAL_SECONDS/);
    expect([shown('BERTH_HOST_PORT')?.value, shown('BERTH_HOST_PORT')?.source, shown('BERTH_BOOTSTRAP_ORG')?.source]).toEqual([
      '90',
      'launcher',
      'launcher',
    ]);
    expect(shown('BERTH_HOST_INTERNAL_URL')).toMatchObject({ value: 'http://127.0.0.1:90', source: 'default' });
  });

  it('names misspelt settings', () => {
    expect(unknownSettings({ BERTH_API_PROT: '1', BERTH_API_PORT: '1', BERTH_TEST_LONG: '1', PATH: '' })).toEqual(['BERTH_API_PROT']);
  });
});
