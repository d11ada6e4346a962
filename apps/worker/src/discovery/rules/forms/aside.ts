import { isTextBox } from '../../evidence.js';
import type { Segment } from '../../forms/segments.js';
import { says } from '../../lexicon/words.js';
import { boxes, counts, isCoupon, isIdentifier, passwords, sendIs, sendSays } from './facts.js';
import type { FormRule } from './form-rule.js';

const FEWEST_SETTINGS = 6;

/**
 * More lists and boxes to tick than come with a change of a password, and no name as in a form to sign up: the settings of an application,
 * a password among them.
 */
export const isSettings = (segment: Segment): boolean =>
  !boxes(segment).some(isIdentifier) &&
  [...boxes(segment), ...segment.ticks].filter(({ control, meaning }) => control.visible && meaning === null && !isTextBox(control))
    .length >= FEWEST_SETTINGS;

/** What a machine is told about its networks and servers: the same in every language. */
const DEVICE = /[ _-](ssid|wi_?fi|wi fi|wlan|wpa\d?|smtp|imap|pppoe|snmp|proxy|webhook|nas)[ _-]/;

/** Forms that have nothing to do with who is there. */
export const ASIDE_FORMS: readonly FormRule[] = [
  {
    id: 'form/search/box',
    kind: 'search',
    weight: 8,
    test: (s) => counts(s, 'search') > 0 && passwords(s).length === 0 && boxes(s).length <= 2,
  },
  {
    id: 'form/search/code',
    kind: 'search',
    weight: 4,
    test: (s) => /search|suche|buscar|recherche/.test(s.code) && passwords(s).length === 0,
  },
  { id: 'form/search/button', kind: 'search', weight: 3, test: (s) => passwords(s).length === 0 && sendIs(s, 'search') },
  { id: 'form/newsletter/button', kind: 'newsletter', weight: 5, test: (s) => passwords(s).length === 0 && sendSays(s, 'subscribe') },
  {
    id: 'form/newsletter/text',
    kind: 'newsletter',
    weight: 4,
    test: (s) =>
      passwords(s).length === 0 &&
      (says('newsletter', s.heading) ||
        boxes(s).some(({ evidence }) => says('newsletter', evidence.placeholder) || says('newsletter', evidence.label))),
  },
  {
    id: 'form/newsletter/code',
    kind: 'newsletter',
    weight: 5,
    test: (s) => passwords(s).length === 0 && /newsletter|subscri|mailing|mc_embed|mailchimp|klaviyo/.test(s.code),
  },
  {
    id: 'form/newsletter/email_signup',
    kind: 'newsletter',
    weight: 2,
    test: (s) => counts(s, 'email') === 1 && boxes(s).length === 1 && sendSays(s, 'signUp'),
  },
  {
    id: 'form/newsletter/footer',
    kind: 'newsletter',
    weight: 4,
    test: (s) => passwords(s).length === 0 && boxes(s).length > 0 && boxes(s).every(({ control }) => control.landmark === 'footer'),
  },
  { id: 'form/other/payment', kind: 'other', weight: 8, test: (s) => counts(s, 'payment') >= 2 },
  { id: 'form/other/address', kind: 'other', weight: 5, test: (s) => counts(s, 'address') >= 2 && passwords(s).length === 0 },
  {
    id: 'form/other/message',
    kind: 'other',
    weight: 9,
    test: (s) => boxes(s).some(({ control }) => control.tag === 'textarea') && passwords(s).length === 0,
  },
  { id: 'form/other/coupon', kind: 'other', weight: 12, test: (s) => passwords(s).length === 0 && isCoupon(s) },
  {
    id: 'form/other/device',
    kind: 'other',
    weight: 12,
    test: (s) => boxes(s).some(({ evidence: { label, code } }) => DEVICE.test(label.spaced) || DEVICE.test(` ${code} `)),
  },
  { id: 'form/other/settings', kind: 'other', weight: 6, test: (s) => passwords(s).length > 0 && isSettings(s) },
  { id: 'form/other/many', kind: 'other', weight: 4, test: (s) => boxes(s).length >= 6 && counts(s, 'code') < 4 },
];
