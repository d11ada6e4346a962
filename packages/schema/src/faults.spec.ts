import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  CreateApiKey,
  CreateAuthConnection,
  CreateBrowser,
  CreateBrowserPool,
  CreateCredential,
  CreateInvocation,
  type Endpoint,
  endpoints,
  ListInvocationsQuery,
  UpdateCredential,
  UpdateOrganizationLimits,
  UpdateProject,
} from './index.js';
import { describeFault } from './faults.js';

function faultsOf(schema: z.ZodType, value: unknown): string[] {
  const result = schema.safeParse(value, { error: describeFault });
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('the words for faults', () => {
  it.each([
    [
      UpdateOrganizationLimits,
      { default_project_max_concurrent_sessions: -1 },
      'default_project_max_concurrent_sessions: must be a whole number from 0 to 1000000',
    ],
    [
      UpdateOrganizationLimits,
      { default_project_max_concurrent_sessions: 1.5 },
      'default_project_max_concurrent_sessions: must be a whole number from 0 to 1000000',
    ],
    [
      UpdateOrganizationLimits,
      { default_project_max_concurrent_sessions: '5' },
      'default_project_max_concurrent_sessions: must be a whole number from 0 to 1000000',
    ],
    [
      UpdateOrganizationLimits,
      { default_project_max_concurrent_sessions: Infinity },
      'default_project_max_concurrent_sessions: must be a whole number from 0 to 1000000',
    ],
    [CreateApiKey, { name: 'k', days_to_expire: 3651 }, 'days_to_expire: must be a whole number from 1 to 3650'],
    [CreateBrowserPool, {}, 'size: is missing'],
    [CreateBrowser, { timeout_seconds: 9 }, 'timeout_seconds: must be a whole number from 10 to 259200'],
    [CreateBrowser, { headless: 'yes' }, 'headless: must be true or false, not text'],
    [CreateBrowser, { viewport: null }, 'viewport: must be an object, not null'],
    [CreateBrowser, { extensions: {} }, 'extensions: must be a list, not an object'],
    [CreateBrowser, { start_url: 'ftp://x' }, 'start_url: must be an http or https address'],
    [CreateBrowser, { tags: { a: 5 } }, 'tags.a: must be text, not a number'],
    [CreateBrowser, { tags: { '': 'x' } }, 'tags.: has a name that is not allowed: it must have 1 to 128 characters'],
    [CreateBrowser, { profile: {} }, 'profile: needs exactly one of id and name'],
    [CreateInvocation, { app_name: ' ', action_name: 'a', version: '1' }, 'app_name: must have 1 to 255 characters'],
    [UpdateProject, { status: 'gone' }, 'status: must be one of "active", "archived"'],
    ...['yesterday', '2026-01-31T12:00:00', '5', '5M', '-5m', '1.5h', '1h30m', '1234567s', 5].map(
      (since) =>
        [
          ListInvocationsQuery,
          { since },
          'since: must be a time with its offset from UTC, such as 2026-01-31T12:00:00Z, or how long ago, such as 90s, 5m, 2h or 7d',
        ] as const,
    ),
    [
      CreateAuthConnection,
      { domain: 'x.test', profile_name: 'p', health_check_interval: 1 },
      'health_check_interval: must be a whole number from 300 to 86400',
    ],
    [
      CreateAuthConnection,
      { domain: 'x.test:65536', profile_name: 'p' },
      'domain: must be a host name such as "example.com", without scheme or path',
    ],
    [
      CreateAuthConnection,
      { domain: 'x.test', profile_name: 'p', login_url: 'https://ada:secret@x.test/login' },
      'login_url: must not have a name or password in it; keep them as a credential',
    ],
    [CreateCredential, { name: 'c', domain: 'x.test', values: { a: '' } }, 'values.a: must have 1 to 4096 characters'],
    [UpdateCredential, { totp_secret: 'abc' }, 'totp_secret: must be a base32 TOTP secret'],
    [UpdateCredential, { totp_secret: 5 }, 'totp_secret: must be a base32 TOTP secret, or "" to remove it'],
  ])('D8: says field, fault and range as a person would (%#)', (schema, value, message) => {
    expect(faultsOf(schema, value)).toEqual([message]);
  });

  it('D8: no request of any endpoint is ever told a fault in the words of the library', () => {
    const junk: readonly unknown[] = [
      undefined,
      null,
      0,
      -1,
      1.5,
      1e9,
      Infinity,
      '',
      ' ',
      'x'.repeat(100_000),
      true,
      [],
      [0],
      {},
      { '': 0 },
      { id: 5 },
    ];
    const libraryWords = /Invalid|Too (small|big)|expected|received|undefined|Unrecognized/;
    for (const { operationId, body, query } of Object.values(endpoints) as Endpoint[]) {
      for (const schema of [body, query].filter((one) => one !== undefined)) {
        const names = Object.keys((schema as z.ZodObject).shape ?? {});
        const tried = [...junk, ...names.flatMap((name) => junk.map((value) => ({ [name]: value })))];
        const foreign = tried
          .flatMap((value) => faultsOf(schema, value))
          .filter((message) => libraryWords.test(message) && !message.includes('Unrecognized'));
        expect([operationId, foreign]).toEqual([operationId, []]);
      }
    }
  });
});
