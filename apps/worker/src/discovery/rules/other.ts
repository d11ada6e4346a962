import type { FieldRule } from './field-rules.js';

/** Boxes that no login asks for: they tell other forms apart and keep decoys from being filled. */
export const OTHER_RULES: readonly FieldRule[] = [
  {
    meaning: 'person',
    autocomplete: ['name', 'given-name', 'family-name', 'additional-name', 'bday', 'bday-day', 'bday-month', 'bday-year', 'sex', 'honorific-prefix', 'nickname'],
    concepts: ['person'],
    name: /(first|last|full|middle|given|family|sur|real|display|your|f|l)_?name|surname|birth|dob|gender|vorname|nachname|prenom|apellido|cognome/,
  },
  {
    meaning: 'address',
    autocomplete: ['street-address', 'address-line1', 'address-line2', 'address-level1', 'address-level2', 'postal-code', 'country', 'country-name', 'organization', 'shipping', 'billing', 'url'],
    concepts: ['address'],
    name: /street|address(?!es)(?<!email_address)(?<!mail_address)(?<!emailaddress)|city|(^|[ _-])zip|post_?(al)?_?code|country|state|province|company|organi[sz]ation|website|message|comment|subject/,
    weights: { name: 3 },
  },
  {
    meaning: 'payment',
    autocomplete: ['cc-number', 'cc-name', 'cc-exp', 'cc-exp-month', 'cc-exp-year', 'cc-csc', 'cc-given-name', 'cc-family-name', 'transaction-amount'],
    concepts: ['payment'],
    name: /card_?(number|num|no|holder|code)|cc_?(num|name|exp|csc)|cvv|cvc|(^|[ _-])csc|expir|coupon|promo|gift|voucher|amount|iban|routing/,
    weights: { label: 6, name: 5 },
  },
  {
    meaning: 'search',
    type: ['search'],
    concepts: ['search'],
    name: /search|query|keyword|(^|[ _-])q([ _-]|$)|(^|[ _-])s( |$)|suche|buscar|recherche|busca|szukaj|find|term(?!s)/,
    shape: ({ control }) => control.role === 'searchbox' || control.role === 'combobox',
    weights: { type: 5, shape: 2 },
  },
];
