import { describe, expect, it } from '@jest/globals';
import { startAddress } from './start-address.js';

describe('startAddress', () => {
  it('D61: is the login URL, else the domain over https', () => {
    expect(startAddress({ domain: 'bank.example:8443', loginUrl: 'https://sso.other.test/start' })).toBe('https://sso.other.test/start');
    expect(startAddress({ domain: 'bank.example:8443', loginUrl: null })).toBe('https://bank.example:8443/');
  });
});
