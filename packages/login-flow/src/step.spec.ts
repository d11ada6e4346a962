import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { FlowStep, LoginStateEvent } from '@berth/schema';
import fc from 'fast-check';
import { anyEvent, choice, field } from '../test/samples.js';
import { firstState, FlowState } from './state.js';
import { type FlowEvent, step } from './step.js';
import { followers, isPause } from './transitions.js';
import { stateView } from './view.js';

function counter(): () => string {
  let n = 0;
  return () => `i${(n += 1)}`;
}

/** All states from the first on, as events come in. */
function run(events: readonly FlowEvent[]): readonly FlowState[] {
  const mint = counter();
  const states: FlowState[] = [firstState];
  for (const event of events) states.push(step(states.at(-1) as FlowState, event, mint));
  return states;
}

const sequences = fc.array(anyEvent, { maxLength: 30 });
const pairs = (states: readonly FlowState[]): [FlowState, FlowState][] =>
  states.slice(1).map((next, index) => [states[index] as FlowState, next]);

describe('step', () => {
  it('D40: a terminal state never changes again, whatever comes', () => {
    fc.assert(
      fc.property(sequences, (events) => {
        for (const [previous, next] of pairs(run(events))) if (previous.status !== 'IN_PROGRESS') expect(next).toBe(previous);
      }),
    );
  });

  it('D40: COMPLETED appears exactly with SUCCESS, and every other end keeps the step reached', () => {
    fc.assert(
      fc.property(sequences, (events) => {
        for (const [previous, next] of pairs(run(events))) {
          expect(next.step === 'COMPLETED').toBe(next.status === 'SUCCESS');
          if (['FAILED', 'EXPIRED', 'CANCELED'].includes(next.status)) expect(next.step).toBe(previous.step);
        }
      }),
    );
  });

  it('D40: a step only ever follows one that the table allows', () => {
    fc.assert(
      fc.property(sequences, (events) => {
        for (const [previous, next] of pairs(run(events))) {
          if (next !== previous && next.status === 'IN_PROGRESS') expect(followers[previous.step]).toContain(next.step);
        }
      }),
    );
  });

  it('D58: every view obeys the presence rules', () => {
    fc.assert(
      fc.property(sequences, (events) => {
        for (const state of run(events)) {
          const view = stateView(state);
          const paused = state.status === 'IN_PROGRESS' && isPause(state.step);
          const actionable = view.fields !== undefined || view.choices !== undefined;
          if (!paused)
            for (const key of [
              'interaction_id',
              'fields',
              'choices',
              'discovered_fields',
              'mfa_options',
              'pending_sso_buttons',
              'sign_in_options',
              'external_action_message',
            ])
              expect(view).not.toHaveProperty(key);
          if (paused && state.step === 'AWAITING_INPUT') expect(actionable).toBe(true);
          expect(view.interaction_id !== undefined).toBe(paused && actionable);
          expect(view.external_action_message !== undefined).toBe(paused && state.step === 'AWAITING_EXTERNAL_ACTION');
          expect(view.error_code !== undefined).toBe(state.status === 'FAILED');
          expect(view.error_message !== undefined).toBe(state.status === 'FAILED');
          expect(view.post_login_url !== undefined).toBe(state.status === 'SUCCESS');
          expect((view.website_error ?? '').length).toBeLessThanOrEqual(500);
          LoginStateEvent.parse({
            event: 'managed_auth_state',
            timestamp: '2026-01-01T00:00:00.000Z',
            flow_status: state.status,
            flow_step: state.step,
            ...view,
          });
          expect(FlowState.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
        }
      }),
    );
  });

  it('D60: an interaction id belongs to one set of ids, types and reasons, and to one entry', () => {
    fc.assert(
      fc.property(sequences, (events) => {
        const asked = new Map<string, string>();
        const left = new Set<string>();
        for (const [previous, next] of pairs(run(events))) {
          if (previous.interactionId !== undefined && previous.interactionId !== next.interactionId) left.add(previous.interactionId);
          if (next.interactionId === undefined) continue;
          expect(left).not.toContain(next.interactionId);
          const now = JSON.stringify([
            next.step,
            next.fields.map(({ id, type, reason }) => [id, type, reason]),
            next.choices.map(({ id, type }) => [id, type]),
          ]);
          expect(asked.get(next.interactionId) ?? now).toBe(now);
          asked.set(next.interactionId, now);
        }
      }),
    );
  });

  it('D60: text-only updates within a pause keep the interaction id', () => {
    const [, first, second] = run([
      { kind: 'ask', offer: { fields: [field()], choices: [] } },
      { kind: 'ask', offer: { fields: [field({ label: 'Your email', hint: 'new' })], choices: [] } },
    ]);
    expect(second?.interactionId).toBe(first?.interactionId);
    expect(second?.fields[0]?.label).toBe('Your email');
  });

  it('a pause in which nothing has changed is the same state, so nothing is written or told', () => {
    const event: FlowEvent = { kind: 'ask', offer: { fields: [field()], choices: [choice()] }, websiteError: 'No.' };
    const [, first, second] = run([event, event]);
    expect(second).toBe(first);
  });

  it('D60: the same question asked again after a submit has a new interaction id', () => {
    const offer = { fields: [field()], choices: [] };
    const [, first, , second] = run([{ kind: 'ask', offer }, { kind: 'submit' }, { kind: 'ask', offer }]);
    expect(first?.interactionId).toBeDefined();
    expect(second?.interactionId).not.toBe(first?.interactionId);
  });

  it('D58: website_error is gone with the next accepted submit', () => {
    const [, rejected, submitted] = run([
      { kind: 'ask', offer: { fields: [field({ reason: 'rejected' })], choices: [] }, websiteError: 'Wrong password' },
      { kind: 'submit' },
    ]);
    expect(rejected?.websiteError).toBe('Wrong password');
    expect(submitted?.websiteError).toBeUndefined();
  });

  it('D58: a pure wait has no interaction id, one with a way out has', () => {
    const [, pure, offering] = run([
      { kind: 'wait', message: 'Approve on your phone', offer: { fields: [], choices: [] } },
      { kind: 'wait', message: 'Approve on your phone', offer: { fields: [], choices: [choice({ mfa_type: 'switch' })] } },
    ]);
    expect(pure?.interactionId).toBeUndefined();
    expect(offering?.interactionId).toBeDefined();
  });

  it('D58: asking for nothing is a fault of the caller', () => {
    expect(() => step(firstState, { kind: 'ask', offer: { fields: [], choices: [] } }, counter())).toThrow(TypeError);
  });
});

describe('the chart in README.md', () => {
  it('D40: shows exactly the transitions of the table', () => {
    const readme = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../README.md'), 'utf8');
    const drawn = [...readme.matchAll(/^\s*([A-Z_]+) --> ([A-Z_]+)\s*$/gm)].map(([, from, to]) => `${from} ${to}`);
    const table = FlowStep.options.flatMap((from) => followers[from].map((to) => `${from} ${to}`));
    expect(drawn.sort()).toEqual(table.sort());
  });
});
