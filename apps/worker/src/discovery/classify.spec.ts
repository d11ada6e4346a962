import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { classifyPage } from './classify.js';
import { isJust, says, words } from './lexicon/words.js';
import { maskedDestination } from './fields/masked.js';
import type { ControlSnapshot, PageSnapshot } from './snapshot.js';
import { NOTHING_SENT } from './verdict.js';

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom('Password', 'Sign in', 'E-Mail', 'Code', 'ログイン', 'Войти', '••• 42', 'Continue with Google'),
);
const control = fc.record({
  handle: fc.string({ maxLength: 8 }),
  selector: text,
  xpath: text,
  frame: fc.constant(''),
  tag: fc.constantFrom('input', 'select', 'textarea', 'button', 'a', 'other'),
  type: fc.constantFrom('text', 'password', 'email', 'tel', 'submit', 'radio', 'checkbox', ''),
  role: fc.constantFrom('', 'button', 'textbox', 'tab'),
  autocomplete: fc.constantFrom('', 'username', 'one-time-code', 'new-password'),
  name: text,
  id: text,
  classes: text,
  label: text,
  aria: text,
  description: text,
  placeholder: text,
  title: text,
  neighbour: text,
  text,
  lines: text,
  row: text,
  legend: text,
  icon: text,
  href: text,
  form: fc.constantFrom('form a', 'form b', 'group c'),
  landmark: fc.constantFrom('', 'dialog', 'footer', 'header'),
  overlay: text,
  box: fc.constant({ x: 0, y: 0, width: 50, height: 20 }),
  visible: fc.boolean(),
  unreachable: fc.constantFrom(null, 'covered', 'aria_hidden'),
  disabled: fc.boolean(),
  readOnly: fc.boolean(),
  required: fc.boolean(),
  checked: fc.boolean(),
  filled: fc.boolean(),
  invalid: fc.boolean(),
  maxLength: fc.constantFrom(null, 1, 6),
  inputMode: fc.constantFrom('', 'numeric'),
  pattern: fc.constant(''),
  options: fc.array(fc.record({ text, value: text, disabled: fc.boolean(), selected: fc.boolean(), group: text }), { maxLength: 3 }),
}) as fc.Arbitrary<ControlSnapshot>;
const page = fc.record({
  url: fc.webUrl(),
  documentId: fc.constant('1'),
  title: text,
  language: fc.constant('en'),
  popup: fc.boolean(),
  httpStatus: fc.constantFrom(null, 200, 404, 500),
  readyState: fc.constant('complete'),
  frames: fc.constant([]),
  forms: fc.constant([]),
  controls: fc.uniqueArray(control, { maxLength: 12, selector: ({ handle }) => handle }),
  headings: fc.array(text, { maxLength: 3 }),
  numbers: fc.constant([]),
  alerts: fc.array(
    fc.record({ frame: fc.constant(''), text, source: fc.constantFrom('alert', 'status', 'marked', 'invalid', 'red', 'dialog') }),
    { maxLength: 3 },
  ),
  text,
  modalText: fc.constant(''),
  folded: fc.array(fc.record({ text, href: text }), { maxLength: 2 }),
}) as fc.Arbitrary<PageSnapshot>;

describe('classifyPage', () => {
  it('never throws, asks only usable boxes, and gives every field a ref of its own (D60)', () => {
    fc.assert(
      fc.property(page, (snapshot) => {
        const verdict = classifyPage(snapshot, NOTHING_SENT);
        expect(new Set(verdict.fields.map(({ ref }) => ref)).size).toBe(verdict.fields.length);
        const usable = new Set(
          snapshot.controls.filter(({ visible, unreachable }) => visible && unreachable === null).map(({ handle }) => handle),
        );
        for (const { handles } of verdict.fields) for (const handle of handles) expect(usable.has(handle)).toBe(true);
        expect(verdict).toEqual(classifyPage(snapshot, NOTHING_SENT));
      }),
      { numRuns: 200 },
    );
  });
});

describe('words', () => {
  it.each([
    ['signIn', 'Log In!'],
    ['signIn', 'Zaloguj się'],
    ['password', 'Mot de passe *'],
    ['wrong', 'Nieprawidłowe hasło'],
    ['code', '認証コードを入力'],
  ] as const)('%s is said by %s', (concept, said) => {
    expect(says(concept, words(said))).toBe(true);
  });

  it('a word that only holds a term does not say it, and nothing says nothing', () => {
    expect([says('pin', words('Shopping')), says('code', words('Encoder')), isJust('close', words(''))]).toEqual([false, false, false]);
  });

  it.each([
    ['We texted +1 ••• ••• 42.', '+1 ••• ••• 42'],
    ['Sent to j***@mail.example today', 'j***@mail.example'],
    ['We sent a link to j***@example.com.', 'j***@example.com'],
    ['Nothing here', null],
    ['*'.repeat(5_000), null],
    ['Text message to (•••) •••-4417', '(•••) •••-4417'],
  ])('D60: masked destination of %s', (said, masked) => {
    expect(maskedDestination(said)).toBe(masked);
  });
});
