import { isNamed } from '../../evidence.js';
import type { Meant } from '../../forms/meanings.js';
import { boxes, counts, hasAutocomplete, isIdentifier, passwords, sendSays } from './facts.js';
import type { FormRule } from './form-rule.js';

/** A box whose own words or name say that it takes a code, or that stands alone after a password: not its shape, nor what stands near. */
const saysCode = ({ meaning, rules, evidence }: Meant): boolean =>
  meaning === 'code' &&
  !isNamed(evidence, 'coupon') &&
  rules.some((rule) => /^code\/(autocomplete|label|aria|name|placeholder|split|second_step)$/.test(rule));

/** Forms that take a one-time code. */
export const CODE_FORMS: readonly FormRule[] = [
  {
    id: 'form/code/box',
    kind: 'code',
    weight: 6,
    test: (s) =>
      counts(s, 'code') > 0 &&
      passwords(s).length === 0 &&
      counts(s, 'person', 'address', 'payment') === 0 &&
      boxes(s).filter(isIdentifier).length === 0,
  },
  // A step that asks for a code is part of signing in: the words of signing in around it say nothing against it.
  {
    id: 'form/code/only',
    kind: 'code',
    weight: 14,
    test: (s) =>
      boxes(s).some(saysCode) &&
      passwords(s).length === 0 &&
      counts(s, 'person') <= 1 &&
      counts(s, 'address', 'payment') === 0 &&
      !boxes(s).some(isIdentifier),
  },
  { id: 'form/code/verify', kind: 'code', weight: 2, test: (s) => counts(s, 'code') > 0 && sendSays(s, 'verify') },
  { id: 'form/code/one_time', kind: 'code', weight: 4, test: (s) => hasAutocomplete(s, 'one-time-code') && passwords(s).length === 0 },
];
