import { expect, it } from '@jest/globals';
import type { LoginFlowRow } from '@berth/database';
import type { FlowConnection, FlowStore } from '@berth/login-flow';
import { Sealer } from '@berth/secrets';
import type { FieldFinding } from '../discovery/verdict.js';
import { FlowJournal } from './flow-journal.js';

// Nothing here is written: of the store only the sealer is used.
const store = { sealer: new Sealer({ current: '5a'.repeat(32) }) } as FlowStore;
const flow = { memory: {}, sealedValues: null, sealedAnswer: null } as LoginFlowRow;

it('D45: a password that another one has replaced is masked in what the website says, like every code that was sent', () => {
  const journal = new FlowJournal(store, null, { flow, connection: {} as FlowConnection });
  const keep = (type: FieldFinding['type'], value: string): void => journal.keep({ type, ref: type } as FieldFinding, value);
  keep('identifier', 'ada@site.example');
  keep('password', 'first-secret');
  keep('password', 'second-secret');
  keep('code', '135791');
  keep('identifier', 'ada.l@site.example');
  expect(journal.masking()('ada@site.example first-secret second-secret 135791')).toBe('ada@site.example •••• •••• ••••');
});

it('D44: what was taken from the stored credential was submitted by nobody: its owner may change it or delete it meanwhile', () => {
  const credential = { values: { email: 'ada', pass: 'first-secret' }, totpSecret: null };
  const journal = new FlowJournal(store, credential, { flow, connection: {} as FlowConnection });
  journal.keep({ type: 'identifier', ref: 'username' } as FieldFinding, 'ada');
  journal.keep({ type: 'password', ref: 'password' } as FieldFinding, 'first-secret');
  expect(journal.values.save).toEqual({});
  expect(journal.memory.requirements.fields).toHaveLength(2);
  journal.keep({ type: 'password', ref: 'password' } as FieldFinding, 'second-secret');
  expect(journal.values.save).toEqual({ password: 'second-secret' });
});

it('D45: what was typed from the stored credential stays masked, though its owner changes it before another worker goes on', () => {
  const credential = { values: { email: 'ada', pass: 'first-secret' }, totpSecret: null };
  const journal = new FlowJournal(store, credential, { flow, connection: {} as FlowConnection });
  journal.keep({ type: 'identifier', ref: 'username' } as FieldFinding, 'ada');
  journal.keep({ type: 'password', ref: 'password' } as FieldFinding, 'first-secret');
  const sealedValues = store.sealer.sealJson('login-values', journal.values);
  const next = new FlowJournal(store, null, { flow: { ...flow, sealedValues }, connection: {} as FlowConnection });
  expect(next.masking()('ada first-secret')).toBe('ada ••••');
});

it('D44: what was left empty is neither kept nor needed by the next login, a code that some accounts do without least of all', () => {
  const journal = new FlowJournal(store, null, { flow, connection: {} as FlowConnection });
  journal.keep({ type: 'password', ref: 'password' } as FieldFinding, 'first-secret');
  journal.keep({ type: 'text', ref: 'database' } as FieldFinding, '');
  journal.keep({ type: 'code', ref: 'code' } as FieldFinding, '');
  expect(journal.values.save).toEqual({ password: 'first-secret' });
  expect(journal.memory.requirements.fields).toEqual([{ type: 'password', ref: 'password' }]);
});
