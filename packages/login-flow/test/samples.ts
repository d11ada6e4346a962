import fc from 'fast-check';
import { CanonicalMfaMethod, ChoiceType, FieldType, FlowErrorCode } from '@berth/schema';
import type { FlowEvent, Offer, OfferedChoice, OfferedField } from '../src/index.js';

export const field = (changes: Partial<OfferedField> = {}): OfferedField => ({
  id: 'username',
  ref: 'username',
  type: 'identifier',
  reason: 'missing',
  label: 'Email',
  ...changes,
});
export const choice = (changes: Partial<OfferedChoice> = {}): OfferedChoice => ({
  id: 'mfa_1',
  type: 'mfa_method',
  label: 'Text message',
  mfa_type: 'sms',
  ...changes,
});

const short = fc.stringMatching(/^[a-z]{1,6}$/);
const fields = fc.record({
  id: short,
  ref: short,
  type: fc.constantFrom(...FieldType.options),
  reason: fc.constantFrom('missing' as const, 'rejected' as const),
  label: short,
  observed_selector: short,
});
const choices = fc.record({
  id: short,
  type: fc.constantFrom(...ChoiceType.options),
  label: short,
  mfa_type: fc.option(fc.constantFrom(...CanonicalMfaMethod.options)),
  xpath: short,
  provider: short,
});

/** Offers with distinct ids, empty ones included. */
export const anyOffer: fc.Arbitrary<Offer> = fc.record({
  fields: fc.uniqueArray(fields, { maxLength: 3, selector: ({ id }) => id }),
  choices: fc.uniqueArray(choices, { maxLength: 3, selector: ({ id }) => id }),
});
const actionable = anyOffer.filter((offer) => offer.fields.length + offer.choices.length > 0);
const text = fc.option(fc.string({ maxLength: 600 }), { nil: undefined });

export const anyEvent: fc.Arbitrary<FlowEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<FlowEvent>({ kind: 'discover' }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('ask' as const), offer: actionable, websiteError: text }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), message: fc.string(), offer: anyOffer, websiteError: text }) },
  { weight: 5, arbitrary: fc.constant<FlowEvent>({ kind: 'submit' }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('succeed' as const), postLoginUrl: fc.webUrl() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fail' as const),
      code: fc.constantFrom(...FlowErrorCode.options),
      message: fc.string(),
      websiteError: text,
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<FlowEvent>({ kind: 'expire' }, { kind: 'cancel' }) },
);
