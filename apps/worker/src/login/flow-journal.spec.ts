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
