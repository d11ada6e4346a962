import { describe, expect, it } from '@jest/globals';
import type { ChoiceFinding, FieldFinding, PageKind, PressTarget, Verdict } from '../discovery/verdict.js';
import { decide, type Facts } from './decide.js';
import { formSignature, judge, newError } from './judge.js';
import { memoryOf } from './memory.js';
import { choiceKey, namePage, offerOf } from './offer.js';

/** Of a form that is none of those below. */
const OTHER = JSON.stringify(['other', [], []]);
const target: PressTarget = { handle: 'h', selector: '#s', xpath: '//a', frameUrl: 'https://site.test/', label: 'Sign in', rules: [] };
const field = (type: FieldFinding['type'], changes: Partial<FieldFinding> = {}): FieldFinding => ({
  type,
  ref: { identifier: 'username', password: 'password', code: 'code', totp_code: 'code', totp_secret: 'totp_secret', text: 'word' }[type],
  label: type,
  hint: null,
  inputMode: 'text',
  required: true,
  handles: ['h'],
  selector: `#${type}`,
  frameUrl: 'https://site.test/',
  editable: true,
  filled: false,
  rules: [],
  ...changes,
});
const choice = (type: ChoiceFinding['type'], label: string, mfaType: ChoiceFinding['mfaType'] = null): ChoiceFinding => ({
  type,
  label,
  description: null,
  mfaType,
  maskedDestination: null,
  provider: null,
  action: { kind: 'press', handle: label },
  selector: `#${label}`,
  xpath: '//b',
  frameUrl: 'https://site.test/',
  rules: [],
});
const page = (kind: PageKind, changes: Partial<Verdict> = {}): Verdict => ({
  kind,
  rules: [],
  fields: [],
  choices: [],
  submit: target,
  error: null,
  errorIsNew: false,
  lockedOut: false,
  refusal: false,
  outage: false,
  expired: false,
  agreement: null,
  externalAction: null,
  entry: null,
  retry: null,
  dismiss: null,
  captcha: false,
  success: [],
  slight: false,
  labels: [],
  ...changes,
});
const signIn = page('credentials', { fields: [field('identifier'), field('password')] });
const facts = (verdict: Verdict, changes: Partial<Facts> = {}): Facts => {
  const memory = changes.memory ?? memoryOf({});
  return {
    verdict,
    page: namePage(memory.names, verdict),
    url: 'https://site.test/login',
    isLooping: false,
    memory,
    answer: null,
    knows: () => false,
    mayBeAt: (url) => url.startsWith('https://site.test/'),
    alone: false,
    picks: [],
    isOwn: () => false,
    maxSteps: 25,
    newError: null,
    revisited: null,
    shownToAll: null,
    loginStands: null,
    waitingUnder: null,
    ...changes,
  };
};
const outcome = (verdict: Verdict, changes: Partial<Facts> = {}): string => {
  const decision = decide(facts(verdict, changes));
  return decision.kind === 'fail' ? decision.code : decision.kind;
};

describe('decide', () => {
  it('asks for what is not known, in one pause with the choices beside it', () => {
    expect(decide(facts({ ...signIn, choices: [choice('sso_provider', 'Google')] }))).toEqual({ kind: 'ask', places: [0, 1] });
    expect(decide(facts(signIn, { knows: ({ type }) => type === 'identifier' }))).toEqual({ kind: 'ask', places: [1] });
  });

  it('D60: known values are sent without asking; boxes that cannot be edited are left alone', () => {
    expect(decide(facts(signIn, { knows: () => true }))).toEqual({ kind: 'fill', places: [0, 1] });
    expect(
      decide(
        facts(page('password', { fields: [field('identifier', { editable: false }), field('password')] }), {
          knows: ({ type }) => type === 'password',
        }),
      ),
    ).toEqual({ kind: 'fill', places: [1] });
  });

  it('D41: what the website has gone on with is not sent once more unasked, whatever it wants now', () => {
    const memory = memoryOf({ sent: ['identifier', 'password'], accepted: ['username', 'password'] });
    const knowsAll = { knows: () => true, memory };
    expect(decide(facts(signIn, knowsAll))).toEqual({ kind: 'ask', places: [0, 1] });
    expect(decide(facts(page('password', { fields: [field('password')] }), knowsAll))).toEqual({ kind: 'ask', places: [0] });
    expect(outcome(signIn, { ...knowsAll, alone: true })).toBe('stuck_in_loop');
    // A code made anew is something new, and so is a password that has not been sent yet after a name that has.
    expect(outcome(page('code', { fields: [field('password'), field('totp_code')] }), knowsAll)).toBe('fill');
    expect(outcome(signIn, { knows: () => true, memory: memoryOf({ sent: ['identifier'], accepted: ['username'] }) })).toBe('fill');
  });

  it('D61: leaves no allowed place: neither where it reads, nor where it types or presses', () => {
    expect(outcome(signIn, { url: 'https://evil.test/' })).toBe('domain_not_allowed');
    expect(outcome({ ...signIn, fields: [field('identifier', { frameUrl: 'https://evil.test/' })] }, { knows: () => true })).toBe(
      'domain_not_allowed',
    );
    expect(outcome(page('landing', { entry: { ...target, frameUrl: 'https://evil.test/' } }))).toBe('domain_not_allowed');
    expect(outcome(page('logged_in'), { url: 'https://evil.test/' })).toBe('domain_not_allowed');
  });

  it('D43: a page that the browser itself shows in the place of the website is none of another domain', () => {
    expect(outcome(page('unknown'), { url: 'chrome-error://chromewebdata/' })).toBe('network_error');
    expect(outcome(page('unknown'), { url: 'chrome-error://chromewebdata/', isLooping: true })).toBe('stuck_in_loop');
    expect(outcome(signIn, { isLooping: true })).toBe('ask');
  });

  it('D43: a question to which "yes" is no answer is a loop', () => {
    const stay = page('stay_signed_in');
    expect(outcome(stay, { memory: memoryOf({ yeses: 2 }) })).toBe('press');
    expect(outcome(stay, { memory: memoryOf({ yeses: 3 }) })).toBe('stuck_in_loop');
    // Of a flow that began before these were counted.
    expect(memoryOf({ steps: 4 }).yeses).toBe(0);
  });

  it('D44: without a person the only choice that is theirs is taken', () => {
    const accounts = page('account_picker', { choices: [choice('account', 'Ada'), choice('account', 'Use another account')] });
    const isOwn = ({ label }: ChoiceFinding): boolean => label === 'Ada';
    expect(decide(facts(accounts, { alone: true, isOwn }))).toEqual({ kind: 'choose', place: 0 });
    expect(outcome(accounts, { alone: true, isOwn: () => true })).toBe('external_action_required');
    expect(outcome(accounts, { isOwn })).toBe('ask');
  });

  it('D43: a closed account ends the flow, whatever form stands there', () => {
    const memory = memoryOf({
      before: { url: '', documentId: '', alerts: [], plain: [], asked: [], boxes: [], places: [], form: null, error: null },
      last: { signature: OTHER, fields: [{ type: 'password', ref: 'password' }] },
    });
    const locked = { ...signIn, error: 'Your account is locked', errorIsNew: true, lockedOut: true };
    expect(judge(memory, locked, false).end).toBe('website_error');
    expect(judge(memory, { ...locked, lockedOut: false }, false).end).toBeUndefined();
  });

  it('D43, D44: a website that has trouble of its own has not refused the credentials', () => {
    const memory = memoryOf({
      before: { url: '', documentId: '', alerts: [], plain: [], asked: [], boxes: [], places: [], form: null, error: null },
      last: { signature: OTHER, fields: [{ type: 'password', ref: 'password' }] },
      rejections: { sign_in: 2, code: 0, other: 0 },
    });
    const broken = { ...signIn, error: 'Connection to the server failed', errorIsNew: true, outage: true };
    expect([judge(memory, broken, false).end, judge(memory, { ...broken, outage: false }, false).end]).toEqual([
      'website_error',
      'credentials_invalid',
    ]);
    expect([outcome(broken, { alone: true }), outcome(broken, {})]).toEqual(['website_error', 'ask']);
  });

  it('D43, D60: what came too late was not refused: it is asked for again without a reproach, three times at most', () => {
    const before = { url: '', documentId: '', alerts: [], plain: [], asked: [], boxes: [], places: [], form: null, error: null };
    const last = { signature: OTHER, fields: [{ type: 'password', ref: 'password' }] };
    const late = { ...signIn, error: 'Your session has expired.', errorIsNew: true, expired: true };
    const { memory, end } = judge(memoryOf({ before, last }), late, false);
    expect([memory.rejected, memory.rejections.sign_in, memory.inDoubt, end]).toEqual([[], 0, ['password'], undefined]);
    expect(judge(memoryOf({ before, last, renewals: 2 }), late, false).end).toBe('session_expired');
  });

  it('D43: a form that has made way before anything was sent is looked for once more', () => {
    const asked = memoryOf({ names: { fields: [{ id: 'f1', type: 'password', ref: 'password' }], choices: [] } });
    expect(decide(facts(page('unknown'), { memory: asked }))).toEqual({ kind: 'revisit', why: 'expired' });
    expect(outcome(page('unknown'), { memory: memoryOf({}) })).toBe('login_form_not_found');
    expect(outcome(page('unknown'), { memory: asked, revisited: 'expired' })).toBe('session_expired');
    expect(outcome(page('error', { error: 'Bad gateway' }), { memory: asked, revisited: 'expired' })).toBe('website_error');
    expect(outcome(page('unknown'), { memory: { ...asked, renewals: 3 } })).toBe('login_form_not_found');
  });

  it('D61: presses a way in twice at most', () => {
    const landing = page('landing', { entry: target });
    expect(outcome(landing, { memory: memoryOf({ entries: 1 }) })).toBe('press');
    expect(outcome(landing, { memory: memoryOf({ entries: 2 }) })).toBe('login_form_not_found');
  });

  it('D42, D43: after a proof a page that nothing is known of is left for the login, which tells by itself whether it is done', () => {
    const unknown = page('unknown');
    expect(outcome(unknown, { memory: memoryOf({ sent: ['identifier'] }) })).toBe('navigation_confused');
    const proven = memoryOf({ sent: ['identifier', 'password'] });
    expect(outcome(unknown, { memory: proven })).toBe('revisit');
    expect(outcome(unknown, { memory: proven, newError: 'No berth is free.' })).toBe('website_error');
    const atStart = { memory: proven, revisited: 'unknown' as const };
    expect(outcome(page('logged_in'), atStart)).toBe('succeed');
    expect(outcome(page('logged_in'), { ...atStart, url: 'https://elsewhere.test/' })).toBe('navigation_confused');
    for (const still of [unknown, signIn, page('landing', { entry: target })]) expect(outcome(still, atStart)).toBe('navigation_confused');
  });

  it('D42, D43: what could be shown to everybody is no end before it is known that it is not, or that the login asks no more', () => {
    const memory = memoryOf({ sent: ['identifier', 'password'] });
    const inferred = page('logged_in', { success: ['success/new_menus', 'success/greeting'] });
    expect(outcome(inferred, { memory })).toBe('compare');
    expect(outcome(inferred, { memory, shownToAll: false })).toBe('succeed');
    expect(decide(facts(inferred, { memory, shownToAll: true }))).toEqual({ kind: 'revisit', why: 'shown_to_all' });
    const slight = page('logged_in', { success: ['success/left_login'], slight: true });
    expect(decide(facts(slight, { memory, shownToAll: false }))).toEqual({ kind: 'compare', as: 'self' });
    expect(outcome(slight, { memory, shownToAll: false, loginStands: false })).toBe('succeed');
    expect(outcome(inferred, { memory, revisited: 'shown_to_all' })).toBe('succeed');
    const front = page('logged_in', { success: ['success/account_links'], entry: target });
    expect(outcome(front, { memory, revisited: 'shown_to_all' })).toBe('press');
    expect(outcome(front, { memory: memoryOf({ ...memory, entries: 2 }), revisited: 'shown_to_all' })).toBe('succeed');
    // Where the last login ended may be the front page too.
    const home = page('logged_in', { success: ['success/home'], entry: target });
    expect(outcome(home, {})).toBe('compare');
    expect(outcome(home, { shownToAll: false })).toBe('succeed');
    expect(outcome(home, { shownToAll: true })).toBe('press');
    for (const rule of ['success/sign_out', 'success/folded_sign_out', 'success/called_by_name'])
      expect(outcome(page('logged_in', { success: ['success/new_menus', rule] }), { memory })).toBe('succeed');
    // A profile that was signed in already.
    expect(outcome(inferred, { memory: memoryOf({}) })).toBe('succeed');
  });

  it('D62: a lone second-factor method is taken, a lone SSO button is asked, a way out is never pressed unasked', () => {
    const lone = page('method_choice', { choices: [choice('mfa_method', 'Text', 'sms')] });
    expect(outcome(lone, { memory: memoryOf({ sent: ['identifier', 'password'] }) })).toBe('choose');
    // Before anything is sent it is a way to sign in.
    expect(outcome(lone)).toBe('ask');
    expect(outcome(page('method_choice', { choices: [choice('sso_provider', 'Google')] }))).toBe('ask');
    expect(outcome(page('method_choice', { choices: [choice('mfa_method', 'Other', 'switch')] }))).toBe('ask');
  });

  it.each<[PageKind, string]>([
    ['captcha', 'captcha_blocked'],
    ['passkey', 'unsupported_auth_method'],
    ['password_change', 'unsupported_auth_method'],
    ['http_auth', 'unsupported_auth_method'],
    ['unknown', 'login_form_not_found'],
    ['error', 'website_error'],
    ['logged_in', 'succeed'],
    ['stay_signed_in', 'press'],
    ['external_wait', 'wait'],
  ])('D42, D62: a %s page ends or goes on as %s', (kind, expected) => {
    expect(outcome(page(kind))).toBe(expected);
  });

  it.each<[PageKind, RegExp]>([
    ['password_change', /another password/],
    ['passkey', /passkey/],
    ['http_auth', /HTTP authentication/],
  ])('D42: why a way to sign in is not supported is said of a %s page', (kind, says) => {
    expect(decide(facts(page(kind)))).toMatchObject({ code: 'unsupported_auth_method', message: expect.stringMatching(says) });
  });

  it('D43: a way around a refusal is asked and taken; without a person the refusal is the end', () => {
    const barred = page('error', { choices: [choice('other', 'Yes, it was me')], error: 'Blocked', errorIsNew: true });
    expect(outcome(barred)).toBe('ask');
    expect(outcome(barred, { answer: { kind: 'choice', choiceId: 'option_1' } })).toBe('choose');
    expect(outcome(barred, { alone: true })).toBe('website_error');
    const fork = page('fork', { choices: [choice('other', 'Agree')] });
    expect(outcome(fork)).toBe('ask');
    expect(outcome(fork, { alone: true })).toBe('external_action_required');
    // A connection from before anybody was asked which of several ways in is theirs goes on as it did.
    const several = { ...fork, rules: ['kind/several_entries'], entry: target };
    expect([outcome(several, {}), outcome(several, { alone: true })]).toEqual(['ask', 'press']);
  });

  it('D43: a text that comes while a push is waited for is its refusal', () => {
    expect(outcome(page('external_wait'), { waitingUnder: '', newError: 'You denied it.' })).toBe('website_error');
    expect(
      outcome(page('external_wait', { choices: [choice('mfa_method', 'Text', 'sms')] }), { waitingUnder: '', newError: 'You denied it.' }),
    ).toBe('ask');
    expect(outcome(page('external_wait'), { waitingUnder: 'Waiting 20 s', newError: 'Waiting 19 s' })).toBe('wait');
  });

  it('D44: without a person every question is an end, unless it was answered the same way before', () => {
    const alone = { alone: true };
    expect(outcome(signIn, alone)).toBe('credentials_invalid');
    expect(outcome(page('code', { fields: [field('code')] }), alone)).toBe('mfa_required');
    expect(outcome(page('external_wait', { externalAction: { kind: 'push', message: 'x', number: null } }), alone)).toBe('mfa_required');
    const accounts = [choice('account', 'Jane'), choice('account', 'Joint')];
    expect(outcome(page('account_picker', { choices: accounts }), alone)).toBe('external_action_required');
    expect(
      decide(
        facts(page('account_picker', { choices: accounts }), {
          ...alone,
          picks: [{ type: 'account', key: choiceKey(accounts[1] as ChoiceFinding) }],
        }),
      ),
    ).toEqual({ kind: 'choose', place: 1 });
  });

  it('D43: goes back from a page that only tells of a refusal, once after each', () => {
    const told = page('error', { error: 'Wrong password', errorIsNew: true, retry: target });
    const news = { newError: 'Wrong password', memory: memoryOf({ rejected: ['password'] }) };
    expect(decide(facts(told, news))).toEqual({ kind: 'press', target, why: 'retry' });
    expect(outcome(told, { ...news, memory: memoryOf({ rejected: ['password'], told: 'Wrong password' }) })).toBe('website_error');
    expect(outcome(told, { ...news, memory: memoryOf({}) })).toBe('website_error');
    expect(outcome({ ...told, retry: null }, news)).toBe('website_error');
    expect(outcome({ ...told, choices: [choice('other', 'Yes, it was me')] }, news)).toBe('ask');
  });

  it('D43: a refusal on a page that asks for nothing is told where the login asks again', () => {
    const memory = memoryOf({ sent: ['identifier', 'password'], before: { url: '', documentId: '', alerts: [], form: 'login' } });
    const refused = page('error', { error: 'Wrong password', errorIsNew: true, refusal: true });
    expect(decide(facts(refused, { memory }))).toEqual({ kind: 'revisit', why: 'refused' });
    expect(outcome({ ...refused, lockedOut: true }, { memory })).toBe('website_error');
    expect(outcome({ ...refused, outage: true }, { memory })).toBe('website_error');
    expect(outcome({ ...refused, refusal: false }, { memory })).toBe('website_error');
    expect(outcome(refused, { memory: memoryOf({ ...memory, before: { url: '', documentId: '', alerts: [], form: 'code' } }) })).toBe(
      'website_error',
    );
    expect(outcome(page('sign_up'), { memory })).toBe('revisit');
    expect(outcome(page('sign_up'))).toBe('login_form_not_found');
    for (const still of [refused, page('logged_in'), page('sign_up')])
      expect(outcome(still, { memory, revisited: 'refused' })).toBe('website_error');
  });

  it('D43: stops after the last step allowed', () => {
    expect(outcome(signIn, { knows: () => true, memory: memoryOf({ steps: 25 }) })).toBe('max_steps_exceeded');
  });

  it('an answer that no longer fits the page is asked anew', () => {
    expect(outcome(signIn, { answer: { kind: 'fields', values: { code: '1' } } })).toBe('ask');
    expect(decide(facts(signIn, { answer: { kind: 'fields', values: { username: 'a', password: 'b' } } }))).toEqual({
      kind: 'fill',
      places: [0, 1],
    });
  });
});

describe('judge', () => {
  const sent = (changes: object = {}) =>
    memoryOf({
      before: { url: 'https://site.test/login', documentId: 'd', alerts: [] },
      last: {
        signature: formSignature(signIn),
        fields: [
          { type: 'identifier', ref: 'username' },
          { type: 'password', ref: 'password' },
        ],
      },
      ...changes,
    });
  const refused = { ...signIn, error: 'Wrong password', errorIsNew: true };

  it('D43: a new text and the same boxes is a rejection; the third of a kind is the end', () => {
    const first = judge(sent(), refused, false);
    expect(first).toMatchObject({ memory: { rejections: { sign_in: 1 }, rejected: ['username', 'password'], last: null } });
    expect(judge(sent({ rejections: { sign_in: 2, code: 0, other: 0 } }), refused, false).end).toBe('credentials_invalid');
    expect(judge(sent({ rejections: { sign_in: 0, code: 2, other: 0 } }), refused, false).end).toBeUndefined();
  });

  it('D43: what was refused before a password that was taken is forgotten, unless a name or a password is asked for again', () => {
    const twice = sent({ rejections: { sign_in: 2, code: 0, other: 1 } });
    const next = page('question', { fields: [field('text')] });
    expect(judge(twice, next, false).memory.rejections).toEqual({ sign_in: 0, code: 0, other: 1 });
    const name = page('identifier', { fields: [field('identifier')] });
    expect(judge(twice, name, false).memory.rejections).toEqual({ sign_in: 2, code: 0, other: 1 });
  });

  it('D43: the same form for the third time without a word is a loop', () => {
    expect(judge(sent(), signIn, false)).toMatchObject({ memory: { silent: 1 } });
    expect(judge(sent({ silent: 1 }), signIn, false).end).toBe('stuck_in_loop');
  });

  it('D43: the form with the password for the third time, by way of other pages that say nothing, is a loop', () => {
    const name = page('identifier', { fields: [field('identifier')] });
    const once = judge(sent(), name, false);
    expect(once.end).toBeUndefined();
    const { last } = sent();
    const twice = judge({ ...once.memory, last }, name, false);
    expect(twice.end).toBeUndefined();
    expect(judge(twice.memory, signIn, false).end).toBe('stuck_in_loop');
    expect(judge(once.memory, signIn, false).end).toBeUndefined();
  });

  it('D43: a text that comes once the form was taken for silent is a rejection, counted once', () => {
    const silent = judge(sent(), signIn, false).memory;
    const told = judge(silent, refused, false).memory;
    expect(told).toMatchObject({ silent: 0, rejections: { sign_in: 1 }, rejected: ['username', 'password'] });
    expect(judge(told, refused, false).memory).toMatchObject({ rejections: { sign_in: 1 } });
  });

  it('D43, D58: a refusal that has not gone when the website has answered is its answer again', () => {
    const told = {
      url: 'https://site.test/login',
      documentId: 'd',
      alerts: ['Wrong password'],
      error: 'Wrong password',
      asked: ['username', 'password'],
    };
    const standing = { ...refused, errorIsNew: false };
    const again = sent({ before: told, rejections: { sign_in: 1, code: 0, other: 0 } });
    expect(judge(again, standing, false)).toMatchObject({ memory: { rejections: { sign_in: 2 }, silent: 0 } });
    expect(newError(standing, again)).toBe('Wrong password');
    expect(judge(sent(), standing, false)).toMatchObject({ memory: { rejections: { sign_in: 0 }, silent: 1 } });
    const resumed = judge(again, standing, true).memory;
    expect(resumed).toMatchObject({ inDoubt: ['username', 'password'], rejections: { sign_in: 1 } });
    expect(newError(standing, resumed)).toBeNull();
    // A toast of the refusal before, over the next step.
    const nextStep = page('code', { fields: [field('code')], error: 'Wrong password' });
    expect(newError(nextStep, again)).toBeNull();
    expect(judge(again, nextStep, false).memory).toMatchObject({ rejections: { sign_in: 0 }, accepted: ['username', 'password'] });
  });

  it('D41: after a worker died, the form that stands there is asked about again, without a reproach and without counting', () => {
    expect(judge(sent(), signIn, true)).toMatchObject({ memory: { inDoubt: ['username', 'password'], rejected: [], silent: 0 } });
  });

  it('D43: a code page after the password is progress', () => {
    expect(judge(sent({ silent: 1, rejected: ['password'] }), page('code', { fields: [field('code')] }), false)).toMatchObject({
      memory: { silent: 0, rejected: [], last: null },
    });
  });

  it('D43, D60: a refused code does not take back the name and password with which the website had gone on', () => {
    const withCode = page('credentials', { fields: [...signIn.fields, field('code')] });
    const went = judge(sent(), withCode, false).memory;
    expect(went).toMatchObject({ rejected: [], accepted: ['username', 'password'] });
    const last = { signature: formSignature(withCode), fields: withCode.fields.map(({ type, ref }) => ({ type, ref })) };
    const refusedCode = { ...withCode, error: 'Not right', errorIsNew: true };
    const told = judge({ ...went, last }, refusedCode, false);
    expect(told.memory).toMatchObject({ rejected: ['code'], rejections: { sign_in: 0, code: 1 } });
    expect(judge({ ...went, last }, withCode, false).memory.rejected).toEqual(['code']);
    expect(judge(sent({ last }), refusedCode, false).memory.rejected).toEqual(['username', 'password', 'code']);
    expect(judge({ ...went, last }, refused, false).memory.rejected).toEqual(['username', 'password', 'code']);
  });

  it('D62: a challenge beside a refused form is what blocks it', () => {
    expect(judge(sent(), { ...refused, captcha: true }, false).end).toBe('captcha_blocked');
  });
});

describe('offerOf', () => {
  it('tells with the last field that is asked what sending the fields agrees to', () => {
    const fields = [field('identifier'), field('password', { hint: 'Eight letters.' })];
    const verdict = page('credentials', { fields, agreement: { said: 'I agree to the terms', handles: ['box'], ifLocked: false } });
    const hints = (places: readonly number[]): unknown[] =>
      offerOf(verdict, namePage(memoryOf({}).names, verdict), places, [], (text) => text).fields.map(({ hint }) => hint);
    expect(hints([0, 1])).toEqual([undefined, 'Eight letters. I agree to the terms']);
    expect(hints([0])).toEqual(['I agree to the terms']);
  });
});
