import { describe, expect, it } from '@jest/globals';
import { FIRST_WAYS } from '../discovery/rules/kind-rules.js';
import type { PageKind } from '../discovery/verdict.js';
import { statusOf } from './health-checks.js';

describe('what a health check makes of a page', () => {
  it.each<[PageKind, string, string | null]>([
    ['logged_in', 'kind/home', 'AUTHENTICATED'],
    ['credentials', 'kind/credentials', 'NEEDS_AUTH'],
    ['landing', 'kind/landing', 'NEEDS_AUTH'],
    ['http_auth', 'kind/http_auth', 'NEEDS_AUTH'],
    ['fork', 'kind/over_form', 'NEEDS_AUTH'],
    ['fork', FIRST_WAYS, null],
    ['unknown', '', null],
    ['error', 'kind/error', null],
    ['captcha', 'kind/captcha_told', null],
  ])('D44: %s by %s tells %s: a page that says nothing of the session changes nothing', (kind, rule, status) => {
    expect(statusOf({ kind, rules: [rule] })).toBe(status);
  });
});
