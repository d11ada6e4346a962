/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyPage } from '../../src/discovery/classify.js';
import { beforeSending, type PageContext, type Verdict } from '../../src/discovery/verdict.js';
import { AFTER_PASSWORD, NAMED, PageLab } from './fixture.js';

const box = (label: string, type: string, more = ''): string => `<p><label>${label} <input type="${type}" ${more}></label></p>`;
const list = (label: string, options: string, more = ''): string => `<p><label>${label} <select ${more}>${options}</select></label></p>`;
const blank = (text: string, ...names: readonly string[]): string =>
  `<option value="">${text}</option>${names.map((name, place) => `<option value="${place + 1}">${name}</option>`).join('')}`;
const form = (inside: string, button = 'Continue'): string => `<form method="post" action="/2">${inside}<button>${button}</button></form>`;
const name = box('User name', 'text');
const login = (more: string): string => `<h1>Sign in</h1>${form(name + box('Password', 'password') + more, 'Sign in')}`;
const letters = (count: number, given: readonly number[]): string =>
  Array.from(
    { length: count },
    (_, at) => `<label>${at + 1}<input type="password" maxlength="1" size="1" ${given.includes(at + 1) ? '' : 'disabled'}></label>`,
  ).join('');

/** What stands beside a name and a password, and what is asked for it. */
const LISTS: readonly (readonly [string, string, readonly string[]])[] = [
  ['a tenant that is to be chosen', list('Mandant', blank('Bitte wählen', 'Nord', 'Süd')), ['Mandant: One of: Nord, Süd']],
  [
    'a role without a value for none',
    list('Role', '<option>Choose your role<option>Student<option>Teacher'),
    ['Role: One of: Student, Teacher'],
  ],
  ['a database that must be chosen', list('Database', blank('Main', 'Archive'), 'required'), ['Database: One of: Archive']],
  ['a list without a label', `<select>${blank('— Domain —', 'CORP', 'LAB')}</select>`, ['Domain: One of: CORP, LAB']],
  ['a day', box('Date of birth', 'date'), ['Date of birth: YYYY-MM-DD']],
  ['a domain that is set', list('Domain', '<option>CORP<option>LOCAL'), ['Domain: One of: CORP, LOCAL. Without an answer: CORP']],
  [
    'an account that needs no domain',
    list('Realm', blank('Local account', 'LDAP')),
    ['Realm: One of: LDAP. Without an answer: Local account'],
  ],
  ['the language of the page', list('Language', blank('Choose', 'English', 'Deutsch', 'Français')), []],
  ['how long it is remembered', list('Remember me for', blank('Choose', '1 hour', '8 hours')), []],
  ['the code of a country', list('Country', blank('Choose', '+49 Germany', '+33 France')), []],
];

/** The first page of websites whose customers have a part of their own: heading, label, button. */
const TENANTS: readonly (readonly [string, string, string, string])[] = [
  ['en', 'Sign in to your workspace', 'Workspace URL', 'Continue'],
  ['en', 'Log in', 'Company domain', 'Next'],
  ['en', 'Log in', 'Store name', 'Log in'],
  ['en', 'Sign in', 'Company code', 'Next'],
  ['de', 'Händlerbereich', 'Shopname', 'Weiter'],
  ['de', 'Anmelden', 'Mandant', 'Weiter'],
  ['fr', 'Connexion', "Nom de l'entreprise", 'Continuer'],
  ['es', 'Iniciar sesión', 'Nombre de la empresa', 'Continuar'],
  ['pt', 'Entrar na sua conta', 'Nome da empresa', 'Continuar'],
  ['it', 'Accedi', 'Nome azienda', 'Continua'],
  ['nl', 'Inloggen', 'Bedrijfsnaam', 'Doorgaan'],
  ['pl', 'Zaloguj się', 'Nazwa firmy', 'Dalej'],
  ['ru', 'Вход', 'Название компании', 'Продолжить'],
  ['ja', 'ログイン', '会社コード', '次へ'],
  ['zh', '登录', '企业代码', '下一步'],
  ['ko', '로그인', '회사 코드', '다음'],
];

/** The page on which a website asks whose login it is to go on to: heading, what the list says while nothing is chosen, button. */
const WHOSE_LOGINS: readonly (readonly [string, string, string, string])[] = [
  ['en', 'Select your institution', 'Choose…', 'Continue'],
  ['en', 'Where are you from?', '', 'Continue'],
  ['en', 'Select your Home Organisation', 'Select the organisation you are affiliated with ...', 'Select'],
  ['en', 'Sign in: select your identity provider', 'Choose…', 'Continue'],
  ['de', 'Auswahl der Heimateinrichtung', 'Wählen Sie die Einrichtung, der Sie angehören ...', 'Auswählen'],
  ['fr', 'Choisissez votre établissement', 'Sélectionnez…', 'Continuer'],
  ['es', 'Seleccione su institución', 'Seleccione…', 'Continuar'],
  ['pt', 'Selecione sua instituição', 'Selecione…', 'Continuar'],
  ['it', 'Seleziona la tua organizzazione', 'Scegli…', 'Continua'],
  ['nl', 'Kies je instelling', 'Maak een keuze', 'Doorgaan'],
  ['pl', 'Wybierz swoją instytucję', 'Wybierz…', 'Dalej'],
  ['ru', 'Выберите свою организацию', 'Выберите…', 'Продолжить'],
  ['ja', '所属機関の選択', '選択してください', '次へ'],
  ['zh', '选择您的学校', '请选择', '下一步'],
  ['ko', '소속 기관 선택', '선택하세요', '다음'],
];

/** A first page with a list that is about something else. */
const OTHER_LISTS: readonly (readonly [string, string])[] = [
  ['countries', `<h1>Where are you from?</h1>${form(list('', blank('Select', 'France', 'Germany', 'United States')))}`],
  [
    'countries in another language',
    `<h1>Woher kommen Sie?</h1>${form(list('', blank('Bitte wählen', 'Frankreich', 'Österreich')), 'Weiter')}`,
  ],
  ['languages', `<h1>Select your school language</h1>${form(list('', blank('Choose', 'English', 'Deutsch', 'Français')), 'Go')}`],
  ['what is searched', `<h1>Find your school</h1>${form(list('State', blank('Any', 'Ohio', 'Texas')), 'Search')}`],
  [
    'beside a way in',
    `<header><a href="/login">Log in</a></header><h1>Books for all</h1><p>Select your school to see its list.</p>${form(list('School', blank('Choose', 'Leeds', 'York')), 'Show')}`,
  ],
];

/** A page that asks for the like and is no way in. */
const NO_TENANTS: readonly (readonly [string, string])[] = [
  ['a search for a domain', `<h1>Find your domain</h1>${form(box('Domain name', 'text'), 'Search')}`],
  ['a trial that begins with the company', `<h1>Start your free trial</h1>${form(box('Company name', 'text'), 'Create account')}`],
  ['an enquiry', `<h1>Contact sales</h1>${form(box('Company', 'text') + box('Message', 'text') + box('Work email', 'email'), 'Send')}`],
];

/** What a page asks after the name or the password, as `label <how it is answered>: hint`. */
const ASKED: readonly (readonly [string, string, readonly string[], PageContext])[] = [
  ['a day', form(box('Date of birth', 'date')), ['Date of birth <date>: YYYY-MM-DD'], AFTER_PASSWORD],
  ['a month', form(box('Expiry', 'month')), ['Expiry <month>: YYYY-MM'], AFTER_PASSWORD],
  [
    'a birthday of three lists',
    form(['Day', 'Month', 'Year'].map((part) => list('', blank(part, '1', '2'))).join('')),
    ['Day <option>: One of: 1, 2', 'Month <option>: One of: 1, 2', 'Year <option>: One of: 1, 2'],
    AFTER_PASSWORD,
  ],
  [
    'one of several questions',
    form(list('Question', '<option>First pet?<option>First car?') + box('Answer', 'text')),
    ['Question <option>: One of: First pet?, First car?', 'Answer'],
    AFTER_PASSWORD,
  ],
  [
    'a question above a box that hides the answer',
    form('<p>What was the name of your first pet?</p><input name="a" type="password">'),
    ['What was the name of your first pet?'],
    AFTER_PASSWORD,
  ],
  [
    'a question in words of no table',
    form('<p>Vad hette din första lärare?</p><input name="a" type="password">'),
    ['Vad hette din första lärare?'],
    AFTER_PASSWORD,
  ],
  ['a longer text', form('<textarea placeholder="Reason for access"></textarea>'), ['Reason for access'], AFTER_PASSWORD],
  [
    'characters of a password, the others shut',
    form(`<p>Enter the 2nd, 5th and 7th characters of your password.</p>${letters(8, [2, 5, 7])}`),
    ['Enter the 2nd, 5th and 7th characters of your password. <characters>: 2, 5, 7'],
    NAMED,
  ],
  [
    'characters of a word, named by their places',
    form(
      `<p>Three characters of your memorable word</p>${['2nd', '5th', '7th'].map((place) => `<label>${place}<input maxlength="1"></label>`).join('')}`,
    ),
    ['Three characters of your memorable word <characters>: 2nd, 5th, 7th'],
    NAMED,
  ],
  [
    'characters of a word, chosen',
    form(['2nd', '5th'].map((place) => list(place, blank('', 'a', 'b'))).join('')),
    ['2nd <option>: One of: a, b', '5th <option>: One of: a, b'],
    NAMED,
  ],
];

describe('D60: what is no box to type into is asked for all the same', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  it.each(LISTS)('beside name and password: %s', async (_name, html, asked) => {
    const { verdict } = await lab.look(login(html));
    expect(verdict.kind).toBe('credentials');
    const texts = verdict.fields.filter(({ type }) => type === 'text');
    expect(texts.map(({ label, hint }) => `${label}: ${hint ?? ''}`)).toEqual(asked);
    expect(texts.every(({ required, hint }) => required !== hint?.includes('Without an answer'))).toBe(true);
  });

  it.each(ASKED)('as a step of its own: %s', async (_name, html, asked, context) => {
    const { verdict } = await lab.look(`<h1>One more step</h1>${html}`, context);
    expect(verdict).toMatchObject({ kind: 'question', submit: { label: 'Continue' } });
    expect(verdict.fields.map(told)).toEqual(asked);
    expect(verdict.fields.every(({ type, required }) => type === 'text' && required)).toBe(true);
  });

  it.each(TENANTS)('D60: a first page that asks for whom it is, in %s: %s: %s', async (_language, heading, label, button) => {
    const html = `<h1>${heading}</h1><form method="post" action="/2">${box(label, 'text', 'name="f1"')}<button>${button}</button></form>`;
    const { verdict } = await lab.look(html);
    expect(verdict).toMatchObject({ kind: 'question', submit: { label: button } });
    expect(verdict.fields).toMatchObject([{ type: 'text', label, required: true }]);
  });

  it.each([
    ['zh', '手机号', '验证码', '获取验证码', '登录'],
    ['en', 'Phone number', 'Verification code', 'Get code', 'Log in'],
    ['de', 'Handynummer', 'Code', 'Code senden', 'Anmelden'],
    ['ko', '휴대폰 번호', '인증번호', '인증번호 받기', '로그인'],
  ])('D60: a code that is sent on request is asked for once it was requested, in %s', async (_language, phone, code, request, send) => {
    const filled = (more: string): string =>
      `<form method="post">${box(phone, 'tel', `name="ph" ${more}`)}${box(code, 'text', 'name="code"')}<button type="button">${request}</button><button>${send}</button></form>`;
    const { snapshot, verdict } = await lab.look(filled(''));
    expect(verdict).toMatchObject({ kind: 'identifier', submit: { label: request }, fields: [{ type: 'identifier', label: phone }] });
    const sent: PageContext = { sent: ['identifier'], before: beforeSending(snapshot, verdict) };
    const next = await lab.look(filled('value="13800138000"'), sent);
    expect(next.verdict).toMatchObject({ kind: 'code', submit: { label: send }, fields: [{ type: 'code', label: code }] });
    expect(next.verdict.fields).toHaveLength(1);
    const refused = await lab.look(`<p role="alert">Invalid phone number.</p>${filled('value="1"')}`, sent);
    expect(refused.verdict).toMatchObject({ kind: 'identifier', submit: { label: request }, errorIsNew: true });
  });

  it.each([
    ['text', box('Booking reference', 'text', 'name="ref"')],
    ['code', box('OTP (leave empty if not enabled)', 'text', 'name="otp"')],
  ])('D60: what may stay empty beside name and password is asked for with them, and needs no answer: %s', async (type, more) => {
    const { verdict } = await lab.look(login(more));
    expect(verdict.fields.map((field) => [field.type, field.required])).toEqual([
      ['identifier', true],
      ['password', true],
      [type, false],
    ]);
  });

  it('the groups of a code are filled one after the other, whatever stands between them', async () => {
    const html = `<h1>Enter the code</h1>${form('<input name="a" maxlength="3" size="3"> – <input name="b" maxlength="3" size="3">', 'Verify')}`;
    const { page, verdict } = await lab.look(html, AFTER_PASSWORD);
    const fills = verdict.fields.map(({ handles }) => ({ handles, value: 'AB1-2CD', oneTime: true }));
    expect(await page.fillAndSubmit(fills, verdict.submit?.handle ?? null)).toEqual({ kind: 'done' });
    await page.waitForQuiet({ quietMs: 100, maxMs: 5_000 });
    expect(lab.posts.at(-1)?.values).toEqual({ a: 'AB1', b: '2CD' });
  });

  it('what is sent waits for the answer of a check that its page makes by itself', async () => {
    const script = `<script>setTimeout(() => { document.querySelector('[name=cf-turnstile-response]').value = 'proven'; }, 700)</script>`;
    const html = login('<input type="hidden" name="cf-turnstile-response" value="">').replace(
      'User name <input',
      'User name <input name="user"',
    );
    const { page, verdict } = await lab.look(html + script);
    const fills = verdict.fields.map(({ handles }) => ({ handles, value: 'ada', oneTime: false }));
    expect(await page.fillAndSubmit(fills, verdict.submit?.handle ?? null)).toEqual({ kind: 'done' });
    await page.waitForQuiet({ quietMs: 100, maxMs: 5_000 });
    expect(lab.posts.at(-1)?.values).toMatchObject({ user: 'ada', 'cf-turnstile-response': 'proven' });
  });

  it('D60: a first page that asks for whom it is in its heading alone', async () => {
    const html = `<h2>Enter your company domain</h2><form method="post"><input name="dom" placeholder="yourcompany"> .site.example <button>Continue</button></form>`;
    expect((await lab.look(html)).verdict).toMatchObject({ kind: 'question', fields: [{ type: 'text', label: 'yourcompany' }] });
  });

  it.each([
    ['en', 'Company ID', 'User name'],
    ['ja', '企業コード', '社員番号'],
  ])('D60: for whom it is beside name and password is asked for too, in %s', async (_language, company, who) => {
    const rows = [
      [company, 'text', 'co'],
      [who, 'text', 'emp'],
      ['Password', 'password', 'pw'],
    ].map(([label, type, key]) => `<tr><th>${label}</th><td><input type="${type}" name="${key}"></td></tr>`);
    const { verdict } = await lab.look(`<form method="post"><table>${rows.join('')}</table><button>Log in</button></form>`);
    expect(verdict.fields.map(({ type, label, required }) => [type, label, required])).toEqual([
      ['text', company, true],
      ['identifier', who, true],
      ['password', 'Password', true],
    ]);
  });

  it.each(WHOSE_LOGINS)(
    'D60: whose login it is to go on to is chosen from a list, in %s: %s',
    async (language, heading, prompt, button) => {
      const none = prompt === '' ? '' : `<option value="-">${prompt}</option>`;
      const names = '<optgroup label="A"><option value="f">Freital</option></optgroup><option value="p">Pirna</option>';
      const html = `<h1>${heading}</h1>${form(`<select name="idp">${none}${names}</select>`, button)}`;
      const { page, verdict } = await lab.look(`<!doctype html><html lang="${language}"><meta charset="utf-8"><body>${html}</body></html>`);
      expect(verdict).toMatchObject({
        kind: 'account_picker',
        choices: [
          { type: 'account', label: 'Freital' },
          { type: 'account', label: 'Pirna' },
        ],
        submit: { label: button },
      });
      const [, second] = verdict.choices;
      expect(second && (await page.act(second.action, verdict.submit?.handle ?? null))).toEqual({ kind: 'done' });
      await page.waitForQuiet({ quietMs: 100, maxMs: 5_000 });
      expect(lab.posts.at(-1)?.values).toEqual({ idp: 'p' });
    },
  );

  it('D60: whose login it is to go on to is chosen from a list that says so itself', async () => {
    const html = `<h1>Welcome</h1>${form(list('Institution', blank('Please choose', 'Leeds', 'York')))}`;
    expect((await lab.look(html)).verdict.choices.map(({ type, label }) => `${type}: ${label}`)).toEqual([
      'account: Leeds',
      'account: York',
    ]);
  });

  it.each(OTHER_LISTS)('a list on a first page that does not ask whose login it is: %s', async (_name, html) => {
    expect((await lab.look(html)).verdict).toMatchObject({ fields: [], choices: [] });
  });

  it.each([
    ['nothing that sounds like a refusal', '<p>Choose how to go on.</p>', null],
    [
      'that somebody is in elsewhere',
      '<p role="alert">You are already signed in on another device.</p>',
      'You are already signed in on another device.',
    ],
  ])('D58: an answer that ends another session or this login is sent, below %s', async (_name, told, error) => {
    const answer = (value: string, label: string): string =>
      `<p><label><input type="radio" name="how" value="${value}"> ${label}</label></p>`;
    const html = `<h2>Active session</h2>${told}${form(answer('end', 'End the other session') + answer('stop', 'Cancel this login'))}`;
    const { page, verdict } = await lab.look(html, AFTER_PASSWORD);
    expect(verdict).toMatchObject({ error, choices: [{ label: 'End the other session' }, { label: 'Cancel this login' }] });
    const [first] = verdict.choices;
    expect(first && (await page.act(first.action, verdict.submit?.handle ?? null))).toEqual({ kind: 'done' });
    await page.waitForQuiet({ quietMs: 100, maxMs: 5_000 });
    expect(lab.posts.at(-1)?.values).toEqual({ how: 'end' });
  });

  it('D44: the answer to a question is none of the password, also when it was refused', async () => {
    const asking = '<h1>Security check</h1>';
    const html = form('<p>What was the name of your first pet?</p><input name="a" type="password">');
    const { snapshot, verdict } = await lab.look(asking + html, AFTER_PASSWORD);
    const context: PageContext = { sent: ['identifier', 'password', 'text'], before: beforeSending(snapshot, verdict) };
    const again = await lab.look(`${asking}<div class="error">That answer is incorrect.</div>${html}`, context);
    expect(again.verdict).toMatchObject({ kind: 'question', error: 'That answer is incorrect.', fields: [{ type: 'text' }] });
    expect(again.verdict.fields.map(({ ref }) => ref)).toEqual(verdict.fields.map(({ ref }) => ref));
  });

  it('a greeting above a box that hides what is typed asks for nothing but the password', async () => {
    const html = `<h1>Sign in</h1>${form('<p>Welcome back, Ada.</p><input name="p" type="password">')}`;
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind: 'password', fields: [{ type: 'password' }] });
  });

  it.each(NO_TENANTS)('a first page that asks for a name like that and is no way in: %s', async (_name, html) => {
    expect((await lab.look(html)).verdict).toMatchObject({ fields: [] });
  });

  it.each([
    ['shown', 'text'],
    ['hidden', 'password'],
  ])('the boxes of a whole code are one code, %s as they are typed', async (_name, type) => {
    const boxes = [1, 2, 3, 4, 5, 6].map((at) => `<input type="${type}" aria-label="Digit ${at}" maxlength="1" inputmode="numeric">`);
    const { verdict } = await lab.look(`<h1>Enter your code</h1>${form(boxes.join(''), 'Verify')}`, AFTER_PASSWORD);
    expect(verdict).toMatchObject({ kind: 'code', fields: [{ type: 'code', ref: 'code' }] });
  });

  it('D60: a label that is written twice, once to keep a gap open, is told once', async () => {
    const named = (name: string, type: string): string =>
      `<label for="${type}"><div class="notch"><div aria-hidden="true">${name}</div></div><div aria-hidden="true" id="l-${type}">${name}</div><input id="${type}" type="${type}" aria-labelledby="l-${type}"></label>`;
    const { verdict } = await lab.look(form(`${named('Email', 'email')}${named('Password', 'password')}`, 'Sign in'));
    expect(verdict.fields.map(({ label }) => label)).toEqual(['Email', 'Password']);
  });

  it('the boxes of a whole code are one code also where the first could hold all of it, as one that is pasted', async () => {
    const boxes = [6, 1, 1, 1, 1, 1].map(
      (most, at) =>
        `<input type="text" aria-label="Please enter OTP character ${at + 1}" autocomplete="one-time-code" inputmode="numeric" maxlength="${most}">`,
    );
    const { verdict } = await lab.look(`<h1>Verify</h1>${form(boxes.join(''), 'Confirm')}`, AFTER_PASSWORD);
    expect(verdict).toMatchObject({ kind: 'code', fields: [{ type: 'code', ref: 'code' }] });
  });

  it('a list that was asked for is asked for again with the form that comes back with it set', async () => {
    const html = login(list('Tenant', blank('Please choose', 'North', 'South')));
    const { page, raw, snapshot, verdict } = await lab.look(html);
    const context: PageContext = { sent: ['identifier', 'password', 'text'], before: beforeSending(snapshot, verdict) };
    await raw.locator('select').selectOption('South');
    const again = classifyPage(await page.observe(), context);
    expect(again.fields.map(({ ref }) => ref)).toEqual(['username', 'password', 'tenant']);
  });

  it('lists and days are set the way a person sets them, with all else that is typed', async () => {
    const html = login(
      `${list('Tenant', blank('Please choose', 'North', 'South'), 'name="tenant"')}${box('Birthday', 'date', 'name="day"')}`,
    );
    const { page, verdict } = await lab.look(html.replace('User name <input', 'User name <input name="user"'));
    const values = ['ada', 'open sesame', 'South', '1815-12-10'];
    const fills = verdict.fields.map(({ handles }, place) => ({ handles, value: values[place] as string, oneTime: false }));
    expect(await page.fillAndSubmit(fills, verdict.submit?.handle ?? null)).toEqual({ kind: 'done' });
    await page.waitForQuiet({ quietMs: 100, maxMs: 5_000 });
    expect(lab.posts.at(-1)?.values).toMatchObject({ user: 'ada', tenant: '2', day: '1815-12-10' });
  });
});

function told({ label, accepts, hint }: Verdict['fields'][number]): string {
  return `${label}${accepts === undefined ? '' : ` <${accepts.kind}>`}${hint === null ? '' : `: ${hint}`}`;
}
