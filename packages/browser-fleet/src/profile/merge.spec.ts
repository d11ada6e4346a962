import { describe, expect, it } from '@jest/globals';
import type { ProfileCookie, ProfileDocument } from './document.js';
import { mergeProfiles } from './merge.js';

const cookie = (domain: string, value: string): ProfileCookie => ({ name: 'sid', value, domain, path: '/', httpOnly: true, secure: true });
const profile = (...cookies: ProfileCookie[]): ProfileDocument => ({ version: 1, cookies, origins: [] });
const values = ({ cookies }: ProfileDocument): string[] => cookies.map(({ domain, value }) => `${domain}=${value}`);

describe('mergeProfiles', () => {
  it('D44: takes what the browser changed, by host, and keeps what others have saved meanwhile', () => {
    const loaded = profile(cookie('a.test', '1'), cookie('b.test', '1'));
    const stored = profile(cookie('a.test', '1'), cookie('b.test', '2'));
    expect(values(mergeProfiles(stored, profile(cookie('a.test', '3'), cookie('b.test', '1')), loaded))).toEqual(['a.test=3', 'b.test=2']);
  });

  it('D44: a host of which the browser kept nothing is gone: logged out is a change too', () => {
    const loaded = profile(cookie('a.test', '1'), cookie('b.test', '1'));
    expect(values(mergeProfiles(loaded, profile(cookie('b.test', '1')), loaded))).toEqual(['b.test=1']);
  });

  it('D44: without a loaded state, every host of the browser is taken and the others stay', () => {
    const merged = mergeProfiles(profile(cookie('a.test', '1'), cookie('b.test', '1')), profile(cookie('.b.test', '2')));
    expect(values(merged)).toEqual(['a.test=1', '.b.test=2']);
  });
});
