import { describe, expect, it } from '@jest/globals';
import { nameAll, noNames } from './naming.js';

const sms = { type: 'mfa_method', key: 'sms|•••• 42', selector: '#a' } as const;
const email = { type: 'mfa_method', key: 'email|j***@mail', selector: '#b' } as const;
const user = { type: 'identifier', ref: 'username' } as const;
const secret = { type: 'password', ref: 'password' } as const;

describe('nameAll', () => {
  it('D60: ids stay the same when order, place or page change', () => {
    const first = nameAll(noNames, [user, secret], [sms, email]);
    expect(first.fieldIds).toEqual(['username', 'password']);
    const second = nameAll(
      first.names,
      [secret],
      [
        { ...email, selector: '#x' },
        { ...sms, selector: '#y' },
      ],
    );
    expect(second.fieldIds).toEqual(['password']);
    expect(second.choiceIds).toEqual([first.choiceIds[1], first.choiceIds[0]]);
  });

  it('D60: a code that turns out to be from an app, or says so no more, keeps its id', () => {
    const first = nameAll(noNames, [{ type: 'code', ref: 'code' }], []);
    const second = nameAll(first.names, [{ type: 'totp_code', ref: 'code' }], []);
    expect([second.fieldIds, nameAll(second.names, [{ type: 'code', ref: 'code' }], []).fieldIds]).toEqual([['code'], ['code']]);
  });

  it('D60: a choice whose text only counts keeps its id', () => {
    const resend = (seconds: number) => ({ type: 'mfa_method', key: `switch|Resend in ${seconds} s`, selector: '#resend' }) as const;
    const first = nameAll(noNames, [], [resend(29)]);
    expect(nameAll(first.names, [], [resend(28)]).choiceIds).toEqual(first.choiceIds);
  });

  it('D60: different choices and fields of one page never share an id', () => {
    const twins = nameAll(
      noNames,
      [
        { type: 'code', ref: 'code' },
        { type: 'totp_code', ref: 'code' },
      ],
      [sms, { ...sms, selector: '#c' }],
    );
    expect(new Set(twins.fieldIds).size).toBe(2);
    expect(new Set(twins.choiceIds).size).toBe(2);
  });

  it('D45: an id never holds a label, which may be an identifier', () => {
    expect(nameAll(noNames, [], [{ type: 'account', key: 'jane@mail.example', selector: '#j' }]).choiceIds).toEqual(['account_1']);
  });
});
