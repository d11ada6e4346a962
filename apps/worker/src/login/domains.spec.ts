import { describe, expect, it } from '@jest/globals';
import { mayBeAt } from './domains.js';

const places = {
  domain: 'bank.example:8443',
  allowedDomains: ['id.partner.test', '127.0.0.1', 'localhost'],
  loginUrl: 'https://sso.other.test/start',
};

describe('mayBeAt', () => {
  it.each([
    ['https://bank.example/login', true],
    ['http://bank.example:1/', true],
    ['https://www.bank.example/', true],
    ['https://notbank.example/', false],
    ['https://bank.example.evil.test/', false],
    ['https://id.partner.test/', true],
    ['https://partner.test/', false],
    ['http://127.0.0.1:9/', true],
    ['http://x.127.0.0.1/', false],
    ['http://localhost:3000/', true],
    ['http://a.localhost/', false],
    ['https://sso.other.test/x', true],
    ['https://sub.sso.other.test/', false],
    ['https://accounts.google.com/o/oauth2', true],
    ['https://acme.okta.com/', true],
    ['https://okta.com.evil.test/', false],
    ['about:blank', true],
    ['file:///etc/passwd', false],
    ['nonsense', false],
  ])('D61: %s is %s', (url, allowed) => {
    expect(mayBeAt(url, places)).toBe(allowed);
  });
});
