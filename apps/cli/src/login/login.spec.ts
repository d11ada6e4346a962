import type { LoginChoice, LoginStateEvent } from '@berth/schema';
import { describe, expect, it } from '@jest/globals';
import { type ApiClient, ApiRefusal } from '../api-client.js';
import { CliError } from '../deployment.js';
import { answerUntilTaken, offered } from './login.js';
import { printable } from './printable.js';
import { TakenBack } from './prompt.js';

const open = new AbortController().signal;
const state = { interaction_id: 'i1' } as LoginStateEvent;

/** An API that answers so, one after the other; undefined takes the answer. */
function api(...refusals: readonly (Error | undefined)[]): { readonly client: Pick<ApiClient, 'call'>; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  const call = <T>(_method: string, _path: string, body?: unknown): Promise<T> => {
    const refused = refusals[sent.push(body) - 1];
    return refused === undefined ? Promise.resolve(undefined as T) : Promise.reject(refused);
  };
  return { client: { call }, sent };
}

describe('berth login', () => {
  it('D54: what the API refuses is asked for again', async () => {
    const { client, sent } = api(new ApiRefusal(422, 'A required value is missing.'), undefined);
    let asked = 0;
    await answerUntilTaken(client, '/auth/connections/c1', state, open, () =>
      Promise.resolve({ interaction_id: 'i1', place: (asked += 1) }),
    );
    expect(sent).toEqual([
      { interaction_id: 'i1', place: 1 },
      { interaction_id: 'i1', place: 2 },
    ]);
  });

  it('D54: a question that somebody else has answered is left to the stream', async () => {
    const { client, sent } = api(new ApiRefusal(409, 'The interaction is over.'));
    await answerUntilTaken(client, '/auth/connections/c1', state, open, () => Promise.resolve({ interaction_id: 'i1' }));
    expect(sent).toHaveLength(1);
  });

  it('D54: a question that is taken back is left', async () => {
    const { client, sent } = api();
    await answerUntilTaken(client, '/auth/connections/c1', state, open, () => Promise.reject(new TakenBack()));
    expect(sent).toEqual([]);
  });

  it('a terminal is told nothing that it would obey', () => {
    const told = 'User\u001b[2J\u001b]52;c;cm0=\u0007name\u202e:\n\u009b31m';
    expect(printable(told)).toBe('User[2J]52;c;cm0=name: 31m');
    expect(offered({ id: 'a', type: 'other', label: told })).toBe('User[2J]52;c;cm0=name: 31m');
  });

  it('D54: any other refusal ends it', async () => {
    const { client } = api(new ApiRefusal(401, 'No such key.'));
    await expect(answerUntilTaken(client, '/c', state, open, () => Promise.resolve({}))).rejects.toThrow(CliError);
  });

  it('D54: choices are told apart by where they lead', () => {
    const choice: LoginChoice = { id: 'a', type: 'mfa_method', label: 'Text message', mfa_type: 'sms', masked_destination: '••• 12' };
    expect(offered(choice)).toBe('Text message — ••• 12');
    expect(offered({ ...choice, label: 'Text ••• 12', description: 'For codes' })).toBe('Text ••• 12 — For codes');
  });
});
