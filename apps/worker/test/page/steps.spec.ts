import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { beforeSending, type PageContext, type PageKind, type Verdict } from '../../src/discovery/verdict.js';
import { AFTER_PASSWORD, NAMED, PageLab } from './fixture.js';

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

/** What a page asks for that can wait: heading, label and type of the box, its button, and what puts it off. */
const CAN_WAIT: readonly (readonly [string, string, string, string, string, string])[] = [
  ['en', 'Add a phone number', 'Phone number', 'tel', 'Save', '<a href="/skip">Skip for now</a>'],
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

  it.each(SHUT)('nobody is in where a greeting says that there is nothing for them, in %s: %s', async (_language, html, error) => {
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind: 'error', error, errorIsNew: true });
  });

  it('somebody is in where it says so of a part of what there is', async () => {
    const html = '<h1>Welcome Kim</h1><p>You have no access to Reports yet.</p><a href="/orders">Orders</a><a href="/files">Files</a>';
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind: 'logged_in', error: null });
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

  it('D43: there is no way back from where nobody is let on', async () => {
    const html = '<h1>Sign-in blocked</h1><p>It looked unusual.</p><button>Try again</button><button>Back</button>';
    expect((await lab.look(html, AFTER_PASSWORD)).verdict).toMatchObject({ kind: 'error', retry: null });
  });
});
