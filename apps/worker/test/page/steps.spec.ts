import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyPage } from '../../src/discovery/classify.js';
import { beforeSending, NOTHING_SENT, type PageContext, type PageKind, type Verdict } from '../../src/discovery/verdict.js';
import { AFTER_PASSWORD, NAMED, pageBefore, PageLab } from './fixture.js';

const box = (label: string, type: string, more = ''): string => `<p><label>${label} <input type="${type}" ${more}></label></p>`;
const tick = (label: string, more = ''): string => `<p><label><input type="checkbox" ${more}> ${label}</label></p>`;
const form = (inside: string, button: string): string => `<form method="post" action="/2">${inside}<button>${button}</button></form>`;
const login = (more = ''): string => form(box('User name', 'text') + box('Password', 'password') + more, 'Sign in');
const choicesOf = ({ choices }: Verdict): readonly string[] =>
  choices.map(({ type, mfaType, label }) => `${type}/${mfaType ?? ''}:${label}`);

/** Headings that only may mean that no machine is wanted, and what their pages are. */
const CHECKS: readonly (readonly [string, string, PageKind])[] = [
  ['en', '<h1>Security check</h1><p>Is your account safe?</p><button>Continue</button>', 'fork'],
  ['en', '<h1>Security check</h1><p>We sent a notification to your phone. Approve it to go on.</p>', 'external_wait'],
  [
    'en',
    '<h1>Security check</h1><p>Choose how to verify.</p><button>Text message to ••• 42</button><button>Call me</button>',
    'method_choice',
  ],
  ['de', '<h1>Sicherheitsüberprüfung</h1><form><button>Weiter</button></form>', 'fork'],
  ['fr', '<h1>Vérification de sécurité</h1><form><button>Continuer</button></form>', 'fork'],
  ['es', '<h1>Comprobación de seguridad</h1><form><button>Continuar</button></form>', 'fork'],
  ['ja', '<h1>セキュリティチェック</h1><form><button>次へ</button></form>', 'fork'],
  ['zh', '<h1>安全验证</h1><form><button>下一步</button></form>', 'fork'],
];

/** Once an act elsewhere was waited for. */
const AFTER_WAIT: PageContext = { ...AFTER_PASSWORD, sent: [...AFTER_PASSWORD.sent, 'external'] };

/** An account that is closed, whatever is typed: heading and way back. */
const LOCKED: readonly (readonly [string, string, string])[] = [
  ['en', 'Your account has been locked', 'Back to sign in'],
  ['en', 'Account suspended', 'Log in'],
  ['de', 'Ihr Konto wurde gesperrt', 'Zurück zur Anmeldung'],
  ['fr', 'Votre compte est bloqué', 'Retour à la connexion'],
  ['es', 'Su cuenta ha sido bloqueada', 'Volver a iniciar sesión'],
  ['pt', 'Sua conta foi bloqueada', 'Voltar ao login'],
  ['it', 'Il tuo account è stato bloccato', "Torna all'accesso"],
  ['nl', 'Uw account is geblokkeerd', 'Terug naar inloggen'],
  ['pl', 'Twoje konto zostało zablokowane', 'Powrót do logowania'],
  ['ru', 'Ваш аккаунт заблокирован', 'Вернуться ко входу'],
  ['ja', 'アカウントがロックされました', 'ログインに戻る'],
  ['zh', '您的账号已被锁定', '返回登录'],
  ['ko', '계정이 잠겼습니다', '로그인으로 돌아가기'],
];

/** What a website shows when an act elsewhere did not come: page, and what it still offers. */
const NOT_APPROVED: readonly (readonly [string, string, readonly string[]])[] = [
  ['nl', '<h1>Aanmelding geweigerd</h1><p>Het verzoek is geweigerd op je telefoon.</p>', []],
  ['de', '<h1>Anmeldung abgelehnt</h1><p>Die Anfrage wurde in der App abgelehnt.</p>', []],
  ['en', '<h1>Request denied</h1><p>You denied it on your phone.</p><a href="/login">Try again</a>', ['other/:Try again']],
  ['en', '<h1>Request timed out</h1><p>It has expired.</p><a href="/push">Send another request</a>', ['other/:Send another request']],
];

/** Where a code is made of more than digits: what the page says of it, attributes of its box. */
const LETTERED: readonly (readonly [string, string, string])[] = [
  ['en', 'Enter the 8-character code we sent you', ''],
  ['de', 'Geben Sie den achtstelligen Code aus Buchstaben und Zahlen ein', ''],
  ['fr', 'Saisissez le code de 8 caractères', ''],
  ['ja', '8文字のコードを入力してください', ''],
  ['a long one', 'Enter the code we sent you', 'maxlength="9"'],
];

/** What a page asks for that can wait: heading, label and type of the box, its button, and what puts it off. */
const CAN_WAIT: readonly (readonly [string, string, string, string, string, string])[] = [
  ['en', 'Add a phone number', 'Phone number', 'tel', 'Save', '<a href="/skip">Skip for now</a>'],
  ['en', 'Add a phone number', 'Phone number', 'tel', 'Add', '<a href="/skip">Remind me later</a>'],
  ['en', 'Add a recovery email', 'Recovery email', 'email', 'Continue', '<button>Remind me later</button>'],
  ['en', 'Welcome Kim', 'Mobile number', 'tel', 'Next', '<button>Not now</button>'],
  ['de', 'Telefonnummer hinzufügen', 'Handynummer', 'tel', 'Speichern', '<a href="/x">Später erinnern</a>'],
  ['fr', 'Ajouter un numéro', 'Téléphone', 'tel', 'Continuer', '<a href="/x">Plus tard</a>'],
  ['ja', '電話番号の追加', '電話番号', 'tel', '次へ', '<button>スキップ</button>'],
];

/** Boxes to tick beside name and password, and which of them are ticked. */
const TICKS: readonly (readonly [string, string, number])[] = [
  ['all that are required', tick('One', 'required') + tick('Two', 'required') + tick('Three'), 2],
  ['all that are marked in words', tick('I use this for work only *') + tick('Monitoring (required)') + tick('Send me news'), 2],
  ['all that speak of terms', tick('I agree to the Terms of Service') + tick('I have read the privacy policy') + tick('I am over 18'), 3],
  ['de', tick('Ich akzeptiere die AGB') + tick('Ich habe die Datenschutzerklärung gelesen') + tick('Ich bin über 18'), 3],
  ['no offer, however it is marked', tick('Remember me *') + tick('I agree to the terms'), 1],
];

/** Pages that greet, and let nobody on all the same. */
const SHUT: readonly (readonly [string, string, string])[] = [
  [
    'en',
    '<h1>Hello Kim</h1><p>You do not have a licence for this product. Ask your administrator.</p>',
    'You do not have a licence for this product.',
  ],
  ['de', '<h1>Hallo Kim</h1><p>Sie haben keinen Zugriff auf diese Anwendung.</p>', 'Sie haben keinen Zugriff auf diese Anwendung.'],
  ['fr', '<h1>Bonjour Kim</h1><p>Vous n’avez pas accès à cette application.</p>', 'Vous n’avez pas accès à cette application.'],
  ['ja', '<h1>ようこそ</h1><p>アクセス権がありません。</p>', 'アクセス権がありません。'],
];

describe('what stands between a password and the website', () => {
  let lab: PageLab;
  beforeAll(async () => {
    lab = await PageLab.open();
  });
  afterAll(async () => lab.close());
  afterEach(async () => lab.closeTabs());

  it.each(CHECKS)('D62: a check without a challenge is no captcha, in %s: %s', async (_language, html, kind) => {
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind, captcha: false });
  });

  it.each(CAN_WAIT)(
    'what can wait is asked for with a way around it, in %s: %s',
    async (_language, heading, label, type, button, later) => {
      const html = `<h1>${heading}</h1><form method="post" action="/2">${box(label, type)}<button>${button}</button>${later}</form>`;
      const { verdict } = await lab.look(html, AFTER_PASSWORD);
      expect(verdict).toMatchObject({ kind: 'question', fields: [{ type: 'text', label }], submit: { label: button } });
      expect(choicesOf(verdict)).toEqual([`other/:${later.replace(/<[^>]*>/g, '')}`]);
    },
  );

  it.each(TICKS)('beside a password: %s', async (_name, ticks, count) => {
    const { verdict } = await lab.look(`<h1>Sign in</h1>${login(ticks)}`);
    expect(verdict.agreement?.handles.length).toBe(count);
  });

  it('a box in words of no table beside a code that cannot be sent yet is left: it may keep the device', async () => {
    const html = `<h1>Enter the code</h1>${form(box('Code', 'text', 'autocomplete="one-time-code"') + tick('Gogoratu gailu hau'), 'Verify').replace('<button', '<button disabled')}`;
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind: 'code', agreement: null });
  });

  it.each(SHUT)('nobody is in where a greeting says that there is nothing for them, in %s: %s', async (_language, html, error) => {
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind: 'error', error, errorIsNew: true });
  });

  it('somebody is in where it says so of a part of what there is', async () => {
    const html = '<h1>Welcome Kim</h1><p>You have no access to Reports yet.</p><a href="/orders">Orders</a><a href="/files">Files</a>';
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind: 'logged_in', error: null });
  });

  it('D62: two ways of one app are two, told apart by what stands under them', async () => {
    const row = (name: string, told: string): string => `<li><button type="button"><p>${name}</p><p>${told}</p></button></li>`;
    const { verdict } = await lab.look(
      `<h2>Verify it's you with a security method</h2><p>Select from the following options</p><form><ul>${row('Okta Verify', 'Enter a code')}
       ${row('Okta Verify', 'Get a push notification')}${row('Phone', '+1 XXX-XXX-5309')}</ul></form>`,
      AFTER_PASSWORD,
    );
    expect(verdict.choices.map(({ mfaType, label, description }) => [mfaType, label, description])).toEqual([
      ['other', 'Okta Verify', 'Enter a code'],
      ['push', 'Okta Verify', 'Get a push notification'],
      ['sms', 'Phone', '+1 XXX-XXX-5309'],
    ]);
  });

  it('D60: a hidden answer on the page of the password that went alone is no password, where it is asked for', async () => {
    const { verdict } = await lab.look(
      `<h2>Verify with your Security Question</h2><form>${box('What is the food you least liked as a child?', 'password', 'name="answer" autocomplete="off"')}<input type="submit" value="Verify"></form>`,
      { ...AFTER_PASSWORD, before: pageBefore({ asked: ['password'], boxes: ['input password pw Password  '], form: 'login' }) },
    );
    expect(verdict.fields.map(({ type, label }) => [type, label])).toEqual([['text', 'What is the food you least liked as a child?']]);
  });

  it('D62: a passkey that is all a step asks for ends there, and the way back to the start is not taken', async () => {
    const { verdict } = await lab.look(
      `<h1>Acme</h1><div>web <a href="/restart" aria-label="Restart login"><i></i></a></div><form method="post"></form>
       <input type="button" value="Sign in with Passkey"><p>New user? <a href="/register">Register</a></p>`,
      AFTER_PASSWORD,
    );
    expect(verdict).toMatchObject({ kind: 'passkey', choices: [] });
  });

  it('D62: a code among other methods is offered by its name, not by its button', async () => {
    const row = (name: string, told: string): string => `<div><h3>${name}</h3><p>${told}</p><a href="#" role="button">Select</a></div>`;
    const rows = row('Enter a code', 'Acme Verify') + row('Get a push notification', 'Acme Verify') + row('Email', 'k***m@mail.example');
    const { verdict } = await lab.look(`<h1>Verify it’s you</h1><p>Select from the following options</p>${rows}`, AFTER_PASSWORD);
    expect(verdict.kind).toBe('method_choice');
    expect(choicesOf(verdict)).toEqual([
      'mfa_method/other:Enter a code',
      'mfa_method/push:Get a push notification',
      'mfa_method/email:Email',
    ]);
    const sending =
      '<h1>Verify it’s you</h1><form><label><input type="radio" name="m"> Text message</label><label><input type="radio" name="m"> Email</label><button>Get code</button></form>';
    expect(choicesOf((await lab.look(sending, AFTER_PASSWORD)).verdict)).toEqual(['mfa_method/sms:Text message', 'mfa_method/email:Email']);
  });

  it('a masked address at a provider is where a code goes, not the provider', async () => {
    const html = '<h1>Choose how to verify</h1><button>Text message to ••• 42</button><button>Email to k***@x.com</button>';
    expect(choicesOf((await lab.look(html, AFTER_PASSWORD)).verdict)).toEqual([
      'mfa_method/sms:Text message to ••• 42',
      'mfa_method/email:Email to k***@x.com',
    ]);
  });

  it('D60: the hint of a code is what the website says, without its labels and buttons', async () => {
    const html = `<h1>Check your texts</h1><p>We sent a code to +1 ••• 42</p><form>${box('Code', 'text', 'name="otp"')}<button type="button">Resend code</button><button>Verify</button></form>`;
    expect((await lab.look(html, AFTER_PASSWORD)).verdict.fields[0]?.hint).toBe('We sent a code to +1 ••• 42');
  });

  it('D43: a number and a memorable word after the name are a step of their own, and no password', async () => {
    const html = `<h1>Log on</h1>${form(box('Customer number', 'text') + box('Memorable word', 'password'), 'Log on')}`;
    const { verdict } = await lab.look(html, NAMED);
    expect(verdict).toMatchObject({ kind: 'question', submit: { label: 'Log on' } });
    expect(verdict.fields.map(({ type, ref }) => `${type}:${ref}`)).toEqual(['text:customer_number', 'text:memorable_word']);
  });

  it.each([
    ['identifier', 'Alias', 'identifier'],
    ['question', 'Workspace', 'text'],
  ])(
    'D43: the form from which something was sent is read the same when it comes back, whatever stands around it: %s',
    async (kind, label, type) => {
      const asking = form(box(label, 'text', 'name="who"'), 'Continue');
      const { snapshot, verdict } = await lab.look(`<h1>Sign in to your pages</h1>${asking}`);
      expect(verdict).toMatchObject({ kind, fields: [{ type }] });
      const context: PageContext = { sent: [verdict.fields[0]?.type ?? 'text'], before: beforeSending(snapshot, verdict) };
      const back = await lab.look(`<h1>${label} not found</h1>${asking}`, context);
      expect(back.verdict).toMatchObject({ kind, error: `${label} not found`, errorIsNew: true });
    },
  );

  it('D43: a question that is refused is asked once more, in whatever words', async () => {
    const asking = form(box('Zure lehen autoa', 'text', 'name="answer"'), 'Jarraitu');
    const { snapshot, verdict } = await lab.look(`<h1>Beste urrats bat</h1>${asking}`, AFTER_PASSWORD);
    expect(verdict.kind).toBe('question');
    const context: PageContext = { sent: ['identifier', 'password', 'text'], before: beforeSending(snapshot, verdict) };
    const back = await lab.look(`<h1>Beste urrats bat</h1><p role="alert">That is not the answer.</p>${asking}`, context);
    expect(back.verdict).toMatchObject({ kind: 'question', error: 'That is not the answer.', fields: [{ ref: 'zure_lehen_autoa' }] });
  });

  it.each([
    ['a link', '<a href="/elsewhere">Try again</a>', 'Try again'],
    ['a button of no form', '<button>Erneut versuchen</button>', 'Erneut versuchen'],
    [
      'no button of a form, which could send once more what was refused',
      '<form method="post"><button>Try again</button></form>',
      undefined,
    ],
  ])('D43: the way back from a refusal: %s', async (_name, way, label) => {
    const { verdict } = await lab.look(`<h1>Workspace not found</h1><p>We could not find that workspace.</p>${way}`, NAMED);
    expect(verdict.retry?.label).toBe(label);
    if (label !== undefined) expect(verdict).toMatchObject({ kind: 'error', errorIsNew: true });
  });

  it.each(LOCKED)('D43: an account that is closed is no reason to sign in again, in %s: %s', async (_language, heading, back) => {
    const { verdict } = await lab.look(`<h1>${heading}</h1><p>A1</p><a href="/login">${back}</a>`, AFTER_PASSWORD);
    expect(verdict).toMatchObject({ kind: 'error', errorIsNew: true, retry: null, choices: [] });
    expect(verdict.error).toContain(heading);
  });

  it.each(NOT_APPROVED)('D43: an act elsewhere that was refused or came too late, in %s: %s', async (_language, html, offered) => {
    const { verdict } = await lab.look(html, AFTER_WAIT);
    expect(verdict).toMatchObject({ kind: 'error', errorIsNew: true, externalAction: null });
    expect(choicesOf(verdict)).toEqual(offered);
  });

  it.each(LETTERED)('D60: a code of letters is not typed on a number pad, in %s: %s', async (_language, told, more) => {
    const html = `<h1>Code</h1><p>${told}</p>${form(box('Code', 'text', `name="code" ${more}`), 'Verify')}`;
    expect((await lab.look(html, AFTER_PASSWORD)).verdict.fields).toMatchObject([{ type: 'code', inputMode: 'text' }]);
  });

  it('D60: a code without a word about letters is typed on a number pad', async () => {
    const html = `<h1>Code</h1><p>Enter the code we sent you</p>${form(box('Code', 'text', 'name="code" maxlength="6"'), 'Verify')}`;
    expect((await lab.look(html, AFTER_PASSWORD)).verdict.fields).toMatchObject([{ type: 'code', inputMode: 'numeric' }]);
  });

  it('D62: a button for a passkey that is all there is to sign in with', async () => {
    const html = '<h1>Sign in</h1><button>Sign in with a passkey</button><p>New here? <a href="/join">Create account</a></p>';
    expect((await lab.look(html)).verdict).toMatchObject({ kind: 'passkey', choices: [] });
    const beside = `${html}<a href="/login">Sign in with your password</a>`;
    expect((await lab.look(beside)).verdict.kind).not.toBe('passkey');
  });

  it('D62: links that only show a picture of a provider are ways of their own, and none is pressed unasked', async () => {
    const html =
      '<h2>Please sign in</h2><a href="/login/steam"><img src="/signin_steam.png"></a> <a href="/login/twitch"><img src="/signin_twitch.png"></a>';
    const { verdict } = await lab.look(html);
    expect(verdict.choices.map(({ type, provider }) => [type, provider])).toEqual([
      ['sso_provider', 'Steam'],
      ['sso_provider', 'Twitch'],
    ]);
    expect(verdict.kind).toBe('method_choice');
  });

  it('D62: a provider whose name stands below "sign in with" is one', async () => {
    const button = '<button><span style="display:block">S’identifier avec</span><span style="display:block">FranceConnect</span></button>';
    const { verdict } = await lab.look(`<h1>Connexion</h1>${login()}<p>ou</p>${button}`);
    expect(verdict.choices.map(({ type, label, provider }) => [type, label, provider])).toEqual([
      ['sso_provider', 'S’identifier avec FranceConnect', 'FranceConnect'],
    ]);
  });

  it('D62: what else can be chosen in a group of methods is offered with them', async () => {
    const radio = (label: string): string => `<label><input type="radio" name="how"> ${label}</label>`;
    const html = `<h1>How do you want to get your code?</h1>${form(radio('Text message to •••• 21') + radio('Voice call to •••• 21') + radio('None of these'), 'Continue')}`;
    expect(choicesOf((await lab.look(html, AFTER_PASSWORD)).verdict)).toEqual([
      'mfa_method/sms:Text message to •••• 21',
      'mfa_method/call:Voice call to •••• 21',
      'mfa_method/other:None of these',
    ]);
  });

  it('buttons that are radio buttons are ticked, and another one sends them', async () => {
    const row = (value: string, name: string, to: string): string =>
      `<button type="button" role="radio" aria-checked="false" onclick="this.setAttribute('aria-checked', true)" value="${value}"><b>${name}</b><br><span>${to}</span></button>`;
    const { verdict } = await lab.look(
      `<h1>Choose a verification method</h1><div role="radiogroup">${row('sms', 'Text message', '+1 •••• 21')}${row('email', 'Email', 'r***@ex.io')}</div><button>Continue</button>`,
      AFTER_PASSWORD,
    );
    expect(verdict.choices.map(({ label, action }) => [label, action.kind])).toEqual([
      ['Text message', 'check'],
      ['Email', 'check'],
    ]);
    expect(verdict.submit?.label).toBe('Continue');
  });

  it('D60: a button that is a radio button has the name of its own label, the last one too', async () => {
    const row = (id: string, label: string): string =>
      `<div><button type="button" role="radio" aria-checked="false" id="${id}"><span>●</span></button><input type="radio" aria-hidden="true" tabindex="-1" style="position:absolute;pointer-events:none;opacity:0;margin:0"><label for="${id}">${label}</label></div>`;
    const html = `<form><p>Choose how to receive your code</p><div role="radiogroup">${row('a', 'Text message')}${row('b', 'Email')}${row('c', 'Authenticator app')}</div><button>Next</button></form>`;
    expect(choicesOf((await lab.look(html, AFTER_PASSWORD)).verdict)).toEqual([
      'mfa_method/sms:Text message',
      'mfa_method/email:Email',
      'mfa_method/totp:Authenticator app',
    ]);
  });

  it('D60: the name of a box has nothing of what its label does not show', async () => {
    const html = form(
      `<label>Name<input name="user"><span style="display:none">Give a name</span></label>${box('Password', 'password')}`,
      'Sign in',
    );
    expect((await lab.look(html)).verdict.fields.map(({ label }) => label)).toEqual(['Name', 'Password']);
  });

  it('a button that opens a menu is no way on', async () => {
    const html =
      '<h3>Rooms</h3><button type="button" aria-haspopup="true" aria-expanded="false" aria-label="Menu"></button><p>ada is online</p>';
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ choices: [] });
  });

  it.each(['Choose a branch', 'Select your role', 'Vyberte pobočku', 'Choisissez une agence', 'Wybierz oddział', '店舗を選択してください'])(
    'D62: links below a heading that asks to choose are offered, whatever is to be chosen: %s',
    async (heading) => {
      const html = `<h3>${heading}</h3><ul><li><a href="#1">Warsaw</a></li><li><a href="#2">Gdansk</a></li></ul>`;
      expect(choicesOf((await lab.look(html, AFTER_PASSWORD)).verdict)).toEqual(['account/:Warsaw', 'account/:Gdansk']);
    },
  );

  it('and below one that only speaks of use they are not', async () => {
    const html = '<h3>How to use the harbour</h3><ul><li><a href="#1">Warsaw</a></li><li><a href="#2">Gdansk</a></li></ul>';
    expect((await lab.look(html, AFTER_PASSWORD)).verdict.choices).toEqual([]);
  });

  it('the close button of a notice is no way', async () => {
    const notice = '<div role="alert"><span>Sign-in trouble: check your email</span><button aria-label="closeButton"></button></div>';
    const html = `${notice}<h1>Two-factor</h1><form><label>Code <input name="code" inputmode="numeric"></label><button>Verify</button></form>`;
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind: 'code', choices: [] });
  });

  it('D60: a refused code from an app is one still where the refusal stands in the place of the word about the app', async () => {
    const step = (told: string): string =>
      `<h1>Security</h1><form><label>Code <input name="otp"></label><p>${told}</p><button>OK</button></form>`;
    const first = await lab.look(step('From your authenticator app'), AFTER_PASSWORD);
    expect(first.verdict.fields).toMatchObject([{ type: 'totp_code' }]);
    const context: PageContext = { sent: ['identifier', 'password', 'totp_code'], before: beforeSending(first.snapshot, first.verdict) };
    expect((await lab.look(step('Wrong code'), context)).verdict.fields).toMatchObject([{ type: 'totp_code' }]);
  });

  it('a key to be scanned in an app is to be set up', async () => {
    const html =
      '<form><div class="title">Scan the code in your authenticator app to finish setting up 2FA</div><output>AFDXSBLTEZSVS32I</output><input placeholder="One-Time Password" type="text"><button disabled>Done</button></form>';
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind: 'totp_setup' });
  });

  const away = 'position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip:rect(0,0,0,0)';
  const options = '<option value=""></option><option value="a">Alpha</option><option value="b">Beta</option>';
  it.each([
    [
      'beside its button',
      `<label for="o">Organization</label><button type="button" id="o" role="combobox" aria-expanded="false"><span>Pick one</span></button><select name="org" aria-hidden="true" tabindex="-1" style="${away}">${options}</select>`,
    ],
    [
      'before its box',
      `<label for="s">Organization</label><select id="s" name="org" aria-hidden="true" style="${away}">${options}</select><span><span role="combobox" aria-haspopup="true" tabindex="0">Pick one</span></span>`,
    ],
    [
      'in a part that is hidden with its label',
      `<div><div aria-hidden="true" style="${away}"><label>Organization<select name="org" tabindex="-1">${options}</select></label></div><button type="button" aria-haspopup="listbox">Pick one</button></div>`,
    ],
    [
      'of which it takes no choice',
      `<div><label for="s">Organization</label><select id="s" name="org" style="${away}" onchange="this.value = this.dataset.own ?? ''">${options}</select><button type="button" aria-haspopup="listbox" onclick="menu.hidden = false">Pick one</button>
       <div role="listbox" id="menu" hidden><div role="option" onclick="s.value = s.dataset.own = 'a'">Alpha</div><div role="option" onclick="s.value = s.dataset.own = 'b'">Beta</div></div></div>`,
    ],
  ])('a list that a component keeps for forms is the one that it draws: %s', async (_name, list) => {
    const html = `<form method="post" action="/done"><label>User name <input name="user"></label><label>Password <input type="password" name="pw"></label>${list}<button>Sign in</button></form>`;
    const { page, raw, verdict } = await lab.look(html);
    expect(verdict.fields.map(({ label, hint }) => [label, hint])).toEqual([
      ['User name', null],
      ['Password', null],
      ['Organization', 'One of: Alpha, Beta'],
    ]);
    const given = ['ada', 'x1', 'Beta'];
    const fills = verdict.fields.map(({ handles }, place) => ({ handles, value: given[place] ?? '', oneTime: false }));
    await expect(page.fillAndSubmit(fills, verdict.submit?.handle ?? null)).resolves.toEqual({ kind: 'done' });
    await raw.waitForURL('**/done');
    expect(lab.posts.at(-1)?.values).toEqual({ user: 'ada', pw: 'x1', org: 'b' });
  });

  it('a list that lies unseen over what is drawn for it is a list', async () => {
    const html = `<h2>Choose your clinic</h2><form><div style="position:relative;width:200px;height:40px"><span>Pick one</span><select aria-label="Clinic" style="position:absolute;inset:0;opacity:0"><option value="" disabled selected>Pick one</option><option>Tokyo</option><option>Osaka</option></select></div><button>Next</button></form>`;
    const { verdict } = await lab.look(html, AFTER_PASSWORD);
    expect(JSON.stringify([verdict.choices.map(({ label }) => label), verdict.fields.map(({ hint }) => hint)])).toContain('Osaka');
  });

  it('D60: rows that are options themselves have nothing of one another', async () => {
    const rows = [
      ['Text message', '+1 ***-***-0199'],
      ['Authenticator app', 'Use a code from your app'],
      ['Backup code', 'One of your saved codes'],
    ].map(([name, detail]) => `<li role="option" tabindex="0"><strong>${name}</strong><div>${detail}</div></li>`);
    const { verdict } = await lab.look(`<h1>Verify your identity</h1><ul role="listbox">${rows.join('')}</ul>`, AFTER_PASSWORD);
    expect(verdict.choices.map(({ label, description, maskedDestination }) => [label, description, maskedDestination])).toEqual([
      ['Text message', '+1 ***-***-0199', '+1 ***-***-0199'],
      ['Authenticator app', 'Use a code from your app', null],
      ['Backup code', 'One of your saved codes', null],
    ]);
  });

  it.each([
    ['Finnish', '<h2>Evästeet</h2><p>Käytämme evästeitä.</p><button>Sopii minulle</button> <a href="/p">Lue lisää</a>', 'Sopii minulle'],
    ['playful', '<p>We bake cookies.</p><button>Yum, sounds good</button> <a href="/p">Recipe</a>', 'Yum, sounds good'],
    ['with two buttons', '<p>Cookies!</p><button>Yum</button><button>Bah</button>', 'Yum'],
  ])('a notice about cookies over the form, in words of no table: %s', async (_name, notice, label) => {
    const html = `<div style="position:fixed;inset:0;background:white;z-index:9">${notice}</div>${login()}`;
    expect((await lab.look(html)).verdict.dismiss?.label).toBe(label);
  });

  it.each([
    ['age', 'You must be 18 or older to enter.', ['I am over 18', 'Exit']],
    ['region', 'Switch to our German store?', ['Stay here', 'Go to German store']],
    ['app', 'Our app is faster!', ['Continue in browser', 'Get the app']],
  ])('D60: what a box over the form asks is asked of the person: %s', async (_name, told, buttons) => {
    const inside = `<div style="background:white;margin:80px"><p>${told}</p>${buttons.map((button) => `<button>${button}</button>`).join('')}</div>`;
    const html = `<div style="position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:9">${inside}</div>${login()}`;
    const { verdict } = await lab.look(html);
    expect(verdict).toMatchObject({ kind: 'fork', dismiss: null });
    expect(verdict.choices.map(({ label }) => label)).toEqual(buttons);
  });

  it('a box over the form that asks for something else is closed, whatever it is called', async () => {
    const inside =
      '<span style="cursor:pointer" class="x">×</span><h2>Join the club</h2><input type="email" placeholder="Your email"><button>Sign me up</button>';
    const over = `<div style="position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:9"><div style="background:white;margin:80px">${inside}</div></div>`;
    expect((await lab.look(`${over}${login()}`)).verdict.dismiss?.label).toBe('×');
    const first = over.replace('Join the club', 'Log in').replace('Sign me up', 'Continue');
    expect((await lab.look(`${first}<a href="/about">About</a>`)).verdict.dismiss).toBe(null);
  });

  it('a word in Latin letters is read among characters without spaces', async () => {
    const over = `<div style="position:fixed;inset:0;background:white;z-index:9"><p>当サイトではCookieを使用しています。</p><button>同意する</button></div>`;
    expect((await lab.look(`${over}${login()}`)).verdict.dismiss?.label).toBe('同意する');
  });

  it('D41: values are for the website that asked: users, wireless networks and vouchers of an application are none of its login', async () => {
    const forms = [
      `<h1>Users</h1>${form(box('Username', 'text') + box('Password', 'password'), 'Create user')}`,
      `<h1>Network</h1>${form(box('SSID', 'text') + box('Wi-Fi password', 'password'), 'Save')}`,
      `<h1>Cart</h1>${form(box('Coupon code', 'text', 'name="code"'), 'Apply')}`,
      `<h1>Library</h1>${form(box('Enter activation code', 'text', 'name="code"'), 'Redeem')}`,
      `<h1>Your profile</h1>${form(box('Name', 'text', 'value="Ada"') + box('Email', 'email', 'value="a@b.example"'), 'Save')}`,
    ];
    for (const html of forms) expect((await lab.look(html, AFTER_PASSWORD)).verdict.fields).toEqual([]);
  });

  it('D62: half hidden numbers are no second factors unless the page speaks of a code', async () => {
    const buttons = '<button>••1234</button><button>••9876</button>';
    const accounts = await lab.look(`<h1>Bank accounts</h1>${buttons}<button>Link another account</button>`, AFTER_PASSWORD);
    expect(accounts.verdict.choices.filter(({ type }) => type === 'mfa_method')).toEqual([]);
    const phones = await lab.look(`<h1>We will send you a code</h1>${buttons}`, AFTER_PASSWORD);
    expect(choicesOf(phones.verdict)).toEqual(['mfa_method/sms:••1234', 'mfa_method/sms:••9876']);
  });

  it('D61: a tab for a code to scan is no way in where there is one for a password', async () => {
    const tabs = '<span style="cursor:pointer">扫码登录</span> <span style="cursor:pointer">密码登录</span>';
    const html = `<title>登录</title><div>${tabs}</div><img width="200" height="200" alt="二维码"><p>请使用手机APP扫码登录</p>`;
    expect((await lab.look(html)).verdict.entry?.label).toBe('密码登录');
  });

  it.each([
    ['marked as an error', '<div class="error">Hmm, das passt so nicht zusammen</div>'],
    ['red', '<font color="red">Das war nix</font>'],
    ['plain', '<p>Nope, try harder</p>'],
  ])('D43: the only new words beside a form that has stayed are the answer to it: %s', async (_name, answer) => {
    const { page, raw, snapshot, verdict } = await lab.look(login('<div id="told"></div>'));
    const context: PageContext = { sent: ['identifier', 'password'], before: beforeSending(snapshot, verdict) };
    await raw.locator('#told').evaluate((element, html) => (element.innerHTML = html), answer);
    const { error, errorIsNew } = classifyPage(await page.observe(), context);
    expect([error, errorIsNew]).toEqual([answer.replace(/<[^>]+>/g, ''), true]);
  });

  it.each([
    [
      'that is locked, over the form again',
      `<p role="alert">Too many failed attempts. Your account is locked for 15 minutes.</p>${login()}`,
      true,
    ],
    ['that was refused', `<p role="alert">Wrong password. Your account stays open.</p>${login()}`, false],
  ])('D43: an account %s', async (_name, html, lockedOut) => {
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind: 'credentials', errorIsNew: true, lockedOut });
  });

  it.each([
    ['has trouble of its own', 'Connection to storage server failed.', true],
    ['refuses in such words', 'Authentication failed: the server error is 401.', false],
  ])('D43: a website that %s', async (_name, told, outage) => {
    const { verdict } = await lab.look(`<p role="alert">${told}</p>${login()}`, AFTER_PASSWORD);
    expect(verdict).toMatchObject({ kind: 'credentials', error: told, errorIsNew: true, outage });
  });

  it('D40: ways out of a wait for another device are offered', async () => {
    const ways = ['Use a code instead', 'I don’t have access to my phone'].map((text) => `<a href="/${text.length}">${text}</a>`).join(' ');
    const { verdict } = await lab.look(`<h1>Check your phone</h1><p>We sent a notification to your device.</p>${ways}`, AFTER_PASSWORD);
    expect(verdict.kind).toBe('external_wait');
    expect(choicesOf(verdict)).toEqual(['mfa_method/switch:Use a code instead', 'mfa_method/switch:I don’t have access to my phone']);
  });

  it.each([
    ['links', '<title>Sign in</title><h1>Who are you?</h1><a href="/s">Student</a> <a href="/t">Teacher</a>', ['Student', 'Teacher']],
    [
      'buttons',
      '<h1>Connexion</h1><p>Vous êtes :</p><button>Particulier</button><button>Professionnel</button>',
      ['Particulier', 'Professionnel'],
    ],
    ['an agreement', '<h1>Warning</h1><p>This system is restricted.</p><button>I agree</button>', ['I agree']],
    ['none of a page that is about nothing of the kind', '<h1>Tea</h1><button>Green</button><button>Black</button>', []],
  ])('D61: what a first page offers is asked of the person where nothing on it is known: %s', async (_name, html, offered) => {
    const { verdict } = await lab.look(html);
    expect(verdict.kind).toBe(offered.length > 0 ? 'fork' : 'unknown');
    expect(verdict.choices.map(({ label }) => label)).toEqual(offered);
  });

  it('D60: a bare yes tells what it answers', async () => {
    const radios = ['Yes', 'No, I need to change it'].map((text) => `<label><input type="radio" name="ok"> ${text}</label>`).join('');
    const { verdict } = await lab.look(form(`<h1>Is your email address still correct?</h1>${radios}`, 'Continue'), AFTER_PASSWORD);
    expect(verdict.choices.map(({ label, description }) => [label, description])).toEqual([
      ['Yes', 'Is your email address still correct?'],
      ['No, I need to change it', 'Is your email address still correct?'],
    ]);
  });

  const LIST = '<div style="cursor:pointer" tabindex="0" role="button" aria-haspopup="listbox">Erakundea</div><button>Aurrera</button>';
  it.each([
    ['in the fragment of the address', '/app', '#x', `<h1>Aukeratu</h1>${LIST}`, 'fork'],
    ['on another page, where a list is drawn', '/login', '', `<h1>Aukeratu</h1>${LIST.replace('Aurrera', 'Next')}`, 'fork'],
    ['at another route of the fragment', '/app', '#/home', '<h1>Etxea</h1><a href="/orders">Eskaerak</a>', 'logged_in'],
  ])('D43: a page that asks on is not called done for its address: %s', async (_name, from, fragment, html, kind) => {
    const tab = await lab.serve('/app', `<title>App</title>${html}`).visit(`/app${fragment}`);
    const context: PageContext = { sent: ['identifier', 'password'], before: pageBefore({ url: lab.url(from) }) };
    expect(classifyPage(await tab.page.observe(), context).kind).toBe(kind);
  });

  it.each([
    [
      'beside the password',
      `${box('User name', 'text')}${box('Password', 'password')}${box('Passcode', 'password')}`,
      NOTHING_SENT,
      ['identifier', 'password', 'code'],
    ],
    ['after it', box('Passcode', 'password'), AFTER_PASSWORD, ['code']],
    ['in groups', '<p>Enter the code</p><input maxlength="3" size="3"> – <input maxlength="3" size="3">', AFTER_PASSWORD, ['code']],
    ['called a PIN from an e-mail', box('PIN aus der E-Mail', 'text'), AFTER_PASSWORD, ['code']],
  ])('D44: a code that is used once is no password to be kept: %s', async (_name, boxes, context, types) => {
    const { verdict } = await lab.look(`<h1>Enter the code</h1>${form(boxes, 'Log on')}`, context);
    expect(verdict.fields.map(({ type }) => type)).toEqual(types);
  });

  it('D60: a code whose box is itself not seen, since the page draws what is typed', async () => {
    const drawn = Array.from({ length: 6 }, () => '<div style="display:inline-block;width:40px;height:50px;border:1px solid"></div>').join(
      '',
    );
    const hidden = '<input name="code" maxlength="6" style="opacity:0;position:absolute;left:0;top:0;width:280px;height:50px">';
    const html = `<h1>Enter code</h1><p>Sent to your e-mail</p><form method="post"><div style="position:relative">${drawn}${hidden}</div></form>`;
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind: 'code', fields: [{ type: 'code', ref: 'code' }] });
    const trap = `${login()}<input name="email" style="opacity:0;position:absolute;width:200px;height:20px">`;
    expect((await lab.look(trap)).verdict.fields).toHaveLength(2);
  });

  it.each([
    ['a number', 'Tap 47 in your app.', '47'],
    ['letters and digits', 'Make sure that your app shows K7-QX.', 'K7-QX'],
  ])('D40: what is to be compared on the other device is told: %s', async (_name, told, code) => {
    const { verdict } = await lab.look(`<h1>Approve on your phone</h1><p>${told}</p>`, AFTER_PASSWORD);
    expect(verdict.kind).toBe('external_wait');
    expect(verdict.externalAction?.message).toContain(code);
  });

  it('a notice about cookies that comes in a frame of its own', async () => {
    lab.serve('/consent', '<p>We value your privacy.</p><button>Accept all</button>');
    const frame =
      '<iframe title="SP Consent Message" src="/consent" style="position:fixed;inset:0;width:100%;height:100%;z-index:9"></iframe>';
    expect((await lab.look(`${frame}${login()}`)).verdict.dismiss?.label).toBe('Accept all');
  });

  it('D61: a way in inside a menu that is not open', async () => {
    const menu =
      '<button aria-label="Menu" aria-expanded="false">☰</button><nav hidden><a href="/login">Log in</a><a href="/about">About</a></nav>';
    expect((await lab.look(`<header>${menu}</header><h1>Tea and coffee</h1>`)).verdict.entry?.rules).toEqual(['entry/menu']);
  });

  it('D43: there is no way back from where nobody is let on', async () => {
    const html = '<h1>Sign-in blocked</h1><p>It looked unusual.</p><button>Try again</button><button>Back</button>';
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind: 'error', retry: null });
  });
});
