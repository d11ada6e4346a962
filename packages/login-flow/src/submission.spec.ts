import { describe, expect, it } from '@jest/globals';
import { SubmitLogin } from '@berth/schema';
import { choice, field } from '../test/samples.js';
import { firstState, type FlowState } from './state.js';
import { step } from './step.js';
import { readSubmission } from './submission.js';

const state: FlowState = step(
  firstState,
  {
    kind: 'ask',
    offer: {
      fields: [field(), field({ id: 'memorable_word', ref: 'memorable_word_2', type: 'text', required: false })],
      choices: [
        choice(),
        choice({ id: 'mfa_2', mfa_type: 'email', label: 'Email' }),
        choice({ id: 'mfa_3', mfa_type: 'email', label: 'Work email' }),
        choice({ id: 'mfa_4', mfa_type: 'passkey', label: 'Passkey' }),
        choice({
          id: 'sso_1',
          type: 'sso_provider',
          mfa_type: null,
          label: 'Continue with Google',
          provider: 'Google',
          xpath: '//button[1]',
        }),
        choice({ id: 'account_1', type: 'account', mfa_type: null, label: 'Jane' }),
      ],
    },
  },
  () => 'now',
);
const read = (body: unknown, from: FlowState | null = state) => readSubmission(SubmitLogin.parse(body), from);
const code = (body: unknown, from?: FlowState | null) => {
  const result = read(body, from);
  return result.kind === 'refused' ? result.code : result.answer;
};
const jane = { interaction_id: 'now', field_values: { username: 'jane' } };

describe('readSubmission', () => {
  it('D41: refuses in order: no flow, then stale, then ids', () => {
    const wrong = { interaction_id: 'old', field_values: { nope: 'x' } };
    expect(code(wrong, null)).toBe('no_active_flow');
    expect(
      code(
        wrong,
        step(state, { kind: 'cancel' }, () => ''),
      ),
    ).toBe('no_active_flow');
    expect(
      code(
        wrong,
        step(state, { kind: 'submit' }, () => ''),
      ),
    ).toBe('stale_interaction');
    expect(code(wrong)).toBe('stale_interaction');
    expect(code({ ...wrong, interaction_id: 'now' })).toBe('invalid_submission');
  });

  it('D41: canonical keys need the interaction id, the older ones do not', () => {
    expect(code({ field_values: { username: 'jane' } })).toBe('stale_interaction');
    expect(code({ selected_choice_id: 'mfa_1' })).toBe('stale_interaction');
    expect(code({ fields: { username: 'jane' } })).toEqual({ kind: 'fields', values: { username: 'jane' } });
    expect(code({ fields: { username: 'jane' }, interaction_id: 'old' })).toBe('stale_interaction');
  });

  it('D41: optional values may be missing, required ones neither missing nor empty; the allowed ids are named', () => {
    expect(code(jane)).toEqual({ kind: 'fields', values: { username: 'jane' } });
    const refused = read({ interaction_id: 'now', field_values: { username: '' } });
    expect(refused).toMatchObject({ code: 'invalid_submission', allowed: ['username', 'memorable_word'] });
  });

  it('D41: never repeats a value or an unknown id in its message', () => {
    const refused = read({ interaction_id: 'now', field_values: { 'my-secret': 's3cret' } });
    expect(JSON.stringify(refused)).not.toMatch(/my-secret|s3cret/);
  });

  it('D59: older names answer by ref, type, selector, provider and id', () => {
    expect(code({ fields: { username: 'jane', memorable_word_2: 'x' } })).toEqual({
      kind: 'fields',
      values: { username: 'jane', memorable_word: 'x' },
    });
    expect(code({ mfa_option_id: 'sms' })).toEqual({ kind: 'choice', choiceId: 'mfa_1' });
    expect(code({ sso_provider: 'google' })).toEqual({ kind: 'choice', choiceId: 'sso_1' });
    expect(code({ sso_button_selector: '//button[1]' })).toEqual({ kind: 'choice', choiceId: 'sso_1' });
    expect(code({ sign_in_option_id: 'account_1' })).toEqual({ kind: 'choice', choiceId: 'account_1' });
    expect(code({ sign_in_option_id: 'mfa_1' })).toBe('invalid_submission');
  });

  it('D59: an older name that two choices share, or that the older shape cannot say, is 422', () => {
    expect(read({ mfa_option_id: 'email' })).toMatchObject({ code: 'invalid_submission', allowed: ['mfa_1', 'mfa_2', 'mfa_3'] });
    expect(code({ mfa_option_id: 'passkey' })).toBe('invalid_submission');
  });
});
