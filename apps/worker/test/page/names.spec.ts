import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { beforeSending, type Verdict } from '../../src/discovery/verdict.js';
import { AFTER_PASSWORD, PageLab } from './fixture.js';

const WRONG = 'Incorrect user name or password';
const BOXES = ['<input name="a">', '<input name="b" type="password">'] as const;
const form = (inside: string): string => `<h1>Sign in</h1><form method="post">${inside}<button>Sign in</button></form>`;
const captioned = (name: string, remark: string): string => {
  const said = remark === '' ? '' : remark.replace('>', `>${WRONG}`);
  return form(`<div>${name}</div>${said}<div>${BOXES[0]}</div><div>Password</div>${said}<div>${BOXES[1]}</div>`);
};

/** What comes between a caption and its box with a refusal. */
const REMARKS: readonly (readonly [string, string])[] = [
  ['red', '<div style="color: red"></div>'],
  ['of a class that says so', '<div class="field-error"></div>'],
  ['of an id that says so', '<div id="x-invalid"></div>'],
  ['announced', '<div role="alert"></div>'],
  ['announced when it suits', '<div aria-live="polite"></div>'],
];

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['お客様番号（10桁）', '例：4001234567'],
  ['Customer number', 'e.g. 4001234567'],
  ['Kundennummer', 'z. B. 4001234567'],
  ['Número de cliente', 'p. ej. 4001234567'],
  ['Numéro de client', 'Ex : 4001234567'],
  ['Codice cliente', 'es. 4001234567'],
  ['Numer klienta', 'np. 4001234567'],
  ['Klantnummer', 'bijv. 4001234567'],
  ['Номер клиента', 'например, 4001234567'],
  ['고객 번호', '예: 4001234567'],
  ['客户编号', '例如 4001234567'],
  ['Member ID', 'XXXX-XXXX'],
  ['Member ID', '___-___'],
  ['Member number', '0000 0000'],
];

/** What boxes of one parent are told with, one or none each. */
const HINTS: readonly (readonly [string, string, readonly (string | null)[]])[] = [
  [
    'bound to one of them',
    '<p>Number</p><input name="a" aria-describedby="h"><small id="h">13 digits</small><p>Password</p><input type="password">',
    ['13 digits', null],
  ],
  [
    'behind one of them',
    '<label for="a">Number</label><input id="a"><small>13 digits</small><label for="b">Password</label><input id="b" type="password">',
    ['13 digits', null],
  ],
  [
    'before the last of them',
    '<label for="a">Number</label><input id="a"><label for="b">Password</label><small>8 signs</small><input id="b" type="password">',
    [null, '8 signs'],
  ],
  [
    'behind each of them',
    '<input placeholder="Number"><small>13 digits</small><input placeholder="Password" type="password"><small>8 signs</small>',
    ['13 digits', '8 signs'],
  ],
  [
    'the label of another',
    '<input placeholder="Number"><input placeholder="Password" type="password"><label class="help" for="t">Keep me signed in</label><input id="t" type="checkbox">',
    [null, null],
  ],
  [
    'around the label of another',
    '<input placeholder="Number"><input placeholder="Password" type="password"><div class="help"><label for="t">Keep me signed in</label></div><input id="t" type="checkbox">',
    [null, null],
  ],
];

/** Forms whose refused boxes are called as they were: `%` stands for the remark. */
const KEPT: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'it stands in the caption',
    form(`<p>E-mail % </p>${BOXES[0]}<p>Password</p>${BOXES[1]}`).replace('%', '<span class="error">%</span>'),
    ['E-mail', 'Password'],
  ],
  [
    'it stands in the label',
    form(`<label>E-mail <i style="color: red">%</i>${BOXES[0]}</label><label>Password ${BOXES[1]}</label>`),
    ['E-mail', 'Password'],
  ],
  [
    'it is a label of its own',
    form(`<label for="a">E-mail</label><input id="a"><label class="error" for="a">%</label><label>Password ${BOXES[1]}</label>`),
    ['E-mail', 'Password'],
  ],
  [
    'it stands above boxes without captions',
    form(`<div style="color: #c00">%</div><p>${BOXES[0]}</p><p>${BOXES[1]}</p>`),
    ['Username', 'Password'],
  ],
];

describe('what a field is called', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  const called = ({ fields }: Verdict): unknown[] => fields.map(({ ref, label, selector }) => [ref, label, selector]);

  it.each(REMARKS)('D43: a remark between caption and box does not name it: %s', async (_name, remark) => {
    const { snapshot, verdict } = await lab.look(captioned('Member', ''));
    expect(verdict.fields.map(({ ref, label }) => [ref, label])).toEqual([
      ['username', 'Member'],
      ['password', 'Password'],
    ]);
    const refused = await lab.look(captioned('Member', remark), {
      sent: ['identifier', 'password'],
      before: beforeSending(snapshot, verdict),
    });
    expect(refused.verdict).toMatchObject({ kind: 'credentials', error: WRONG });
    expect(refused.verdict.fields.map(({ ref, label }) => [ref, label])).toEqual([
      ['username', 'Member'],
      ['password', 'Password'],
    ]);
  });

  it.each(KEPT)('D43: a box keeps its name when it is refused: %s', async (_name, html, labels) => {
    const before = await lab.look(html.replace('%', ''));
    const after = await lab.look(html.replace('%', WRONG));
    expect(called(after.verdict)).toEqual(called(before.verdict));
    expect(after.verdict.fields.map(({ label }) => label)).toEqual(labels);
  });

  it.each([
    ['id', 'Masukkan kode yang dikirim ke 0812****77', 'Kode salah'],
    ['ar', 'أدخل رمز التحقق المرسل إلى الجوال ******512', 'رمز التحقق غير صحيح'],
  ])('D43: a code that is refused above its box keeps the name it has from what is told there, in %s', async (_language, told, wrong) => {
    const page = (error: string): string =>
      `<h2>OTP</h2><p>${told}</p><p style="color: red">${error}</p><form method="post"><input name="code"><button>OK</button></form>`;
    const before = await lab.look(page(''), AFTER_PASSWORD);
    const after = await lab.look(page(wrong), AFTER_PASSWORD);
    expect(after.verdict.error).toBe(wrong);
    expect(called(after.verdict)).toEqual(called(before.verdict));
    expect(after.verdict.fields).toMatchObject([{ type: 'code', label: told }]);
  });

  it.each([
    ['a label around its box', '<label><slot></slot><input></label>'],
    ['a label for its box', '<label for="i"><b><slot name="none"></slot><slot></slot></b></label><input id="i">'],
    ['a text before its box', '<div><slot></slot></div><input>'],
  ])('D60: a web component is called by what it is given to show: %s', async (_name, inside) => {
    const { verdict } = await lab.look(
      `${form('<text-box>E-mailadres</text-box><text-box data-type="password"><span>Wachtwoord</span></text-box>')}<script>
      customElements.define('text-box', class extends HTMLElement { connectedCallback() {
        this.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(inside)};
        this.shadowRoot.querySelector('input').type = this.dataset.type ?? 'text';
      } });</script>`,
    );
    expect(verdict.fields.map(({ type, label }) => [type, label])).toEqual([
      ['identifier', 'E-mailadres'],
      ['password', 'Wachtwoord'],
    ]);
  });

  it.each([
    ['in a caption', (mark: string) => `<p>Numéro fiscal ${mark}</p>${BOXES[0]}`, 'Numéro fiscal'],
    ['in a label', (mark: string) => `<label for="a">Numéro fiscal ${mark}</label><input id="a">`, 'Numéro fiscal'],
    ['before a question', (mark: string) => `<p>Votre numéro ? ${mark}</p>${BOXES[0]}`, 'Votre numéro ?'],
  ])('D60: a mark that tells more is no part of a name: %s', async (_name, html, label) => {
    for (const mark of ['<i title="13 chiffres">?</i>', '<button type="button">?</button>', '<abbr title="13 chiffres">(?)</abbr>']) {
      const { verdict } = await lab.look(form(`${html(mark)}<label>Mot de passe ${BOXES[1]}</label>`));
      expect(verdict.fields.map((field) => field.label)).toEqual([label, 'Mot de passe']);
    }
  });

  it.each(HINTS)('D60: a box has no hint of another box beside it: %s', async (_name, inside, hints) => {
    const { verdict } = await lab.look(form(inside));
    expect(verdict.fields.map(({ type, hint }) => [type, hint])).toEqual([
      ['identifier', hints[0]],
      ['password', hints[1]],
    ]);
  });

  it.each(EXAMPLES)('D60: an example in the box is its hint, and the caption beside it its name: %s', async (caption, example) => {
    const { verdict } = await lab.look(
      form(`<dl><dt>${caption}</dt><dd><input name="a" placeholder="${example}"></dd></dl><label>Password ${BOXES[1]}</label>`),
    );
    expect(verdict.fields[0]).toMatchObject({ type: 'identifier', label: caption, hint: example });
  });

  it.each(['Exchange user', 'Esempi', 'XY account', 'npm user', '例外番号'])(
    'D60: a placeholder that only begins like an example names its box: %s',
    async (placeholder) => {
      const { verdict } = await lab.look(form(`<p>Members</p><input name="user" placeholder="${placeholder}">${BOXES[1]}`));
      expect(verdict.fields[0]).toMatchObject({ label: placeholder, hint: null });
    },
  );

  it.each([
    ['fr', 'Saisissez le code de sécurité envoyé à l•••@exemple.fr', 'XXXX-XXXX'],
    ['en', 'Enter the security code we sent to •••• 42', '123-456'],
  ])(
    'D60: a box that shows the shape of a code is asked for it, and where it was sent is its hint, in %s',
    async (_language, told, shape) => {
      const { verdict } = await lab.look(
        `<h1>Almost there</h1><p>${told}</p><form method="post"><input name="c" placeholder="${shape}" maxlength="9"><button>OK</button></form>`,
        AFTER_PASSWORD,
      );
      expect(verdict).toMatchObject({ kind: 'code', fields: [{ type: 'code', ref: 'code', hint: told }] });
    },
  );

  it('a caption that its website draws in red names the box on its line', async () => {
    const row = (caption: string, box: string): string => `<tr><td><font color="#cc0000">${caption}</font></td><td>${box}</td></tr>`;
    const { verdict } = await lab.look(form(`<table>${row('Member', BOXES[0])}${row('Secret', BOXES[1])}</table>`));
    expect(verdict.fields.map(({ label }) => label)).toEqual(['Member', 'Secret']);
  });
});
