import { isNamed, isPressable, isTextBox, isUsable } from '../evidence.js';
import { isExample } from '../fields/examples.js';
import { type Concept, says, type Words, words } from '../lexicon/words.js';
import { type PageSnapshot, placeOf } from '../snapshot.js';
import { isMarked, type PageBefore, type PageContext } from '../verdict.js';
import type { Meant } from './meanings.js';

const CODES: readonly Concept[] = ['code', 'oneTimeCode', 'pin', 'codeSent', 'sms'];

/**
 * What a box that stands alone asks for once the password is sent. A plain one on another page, or another one on the same, is never the
 * password again: with the words of one it asks for a passcode, and without words of its own for the code that is told of above it. The box
 * from which the password went is that password, refused: some websites show what is typed; the one from which a code went is that code.
 * What is hidden as it is typed and called by another name is another secret, as a memorable word.
 */
export function afterPassword(members: readonly Meant[], snapshot: PageSnapshot, context: PageContext): readonly Meant[] {
  const boxes = members.filter(isInStep);
  const [box] = boxes;
  if (!context.sent.includes('password') || boxes.length !== 1 || box === undefined) return members;
  const meaning = secondMeaning(box, snapshot, context);
  if (meaning === null) return members;
  const second: Meant = {
    ...box,
    meaning,
    points: Math.max(box.points, 5),
    rules: [...(box.scores[meaning]?.rules ?? []), `${meaning}/second_step`],
  };
  return members.map((one) => (one === box ? second : one));
}

const TOKEN = / (pass ?code|token|otp|tan|2fa|mfa) /;

/** Of two hidden boxes of one form the later one that is called by a code: no password to be kept. */
export function besidePassword(members: readonly Meant[]): readonly Meant[] {
  const hidden = members.filter(({ control }) => control.type === 'password' && isUsable(control));
  const isToken = ({ evidence }: Meant): boolean =>
    [evidence.label, evidence.aria, evidence.placeholder].some(({ spaced }) => TOKEN.test(spaced)) && !isNamed(evidence, 'newPassword');
  const tokens = hidden.filter((box, place) => place > 0 && isToken(box) && box.control.form === hidden[0]?.control.form);
  if (hidden.length !== 2 || tokens.length !== 1) return members;
  return members.map((one) => (tokens.includes(one) ? { ...one, meaning: 'code', rules: ['code/beside_password'] } : one));
}

/**
 * After the name, on another page: a hidden box beside others that is called by a secret other than the password. What is given there is
 * no password to be kept.
 */
export function afterName(members: readonly Meant[], snapshot: PageSnapshot, { sent, before }: PageContext): readonly Meant[] {
  const hasMoved = before !== null && placeOf(before.url) !== placeOf(snapshot.url);
  const isStep = hasMoved && sent.includes('identifier') && !sent.includes('password') && members.filter(isInStep).length > 1;
  return isStep ? members.map((one) => (isInStep(one) && isAnotherSecret(one) ? asQuestion(one) : one)) : members;
}

/** After the name: another box whose words are those of a code as well ("Login code"). Whoever has given a name is not asked for it so. */
export function codeAfterName(members: readonly Meant[], context: PageContext): readonly Meant[] {
  const { sent, before } = context;
  if (before === null || !sent.includes('identifier') || isWhole(members, before)) return members;
  const isCode = (box: Meant): boolean =>
    isInStep(box) &&
    box.meaning === 'username' &&
    (before.asked.includes('code') || !isMarked(box.control, before.boxes)) &&
    box.rules.every((rule) => /\/(label|aria|placeholder|neighbour)$/.test(rule)) &&
    (box.scores.code?.points ?? 0) >= box.points;
  return members.map((box) => (isCode(box) ? { ...box, meaning: 'code', rules: box.scores.code?.rules ?? [] } : box));
}

/** Name and password went together, and both boxes are back, by whatever names. */
const isWhole = (members: readonly Meant[], { asked }: PageBefore): boolean =>
  asked.includes('username') && asked.includes('password') && members.some((box) => isInStep(box) && box.control.type === 'password');

/**
 * After the name, or a code: a hidden box that stands alone and is to be filled by nobody's memory ("new-password", which some components set
 * by themselves), on a page that is about signing in and not about an account to be made. It is the password.
 */
export function alonePassword(members: readonly Meant[], { headings, title }: PageSnapshot, context: PageContext): readonly Meant[] {
  const [box, ...others] = members.filter(isInStep);
  if (context.before === null || box === undefined || others.length > 0 || box.control.autocomplete !== 'new-password') return members;
  if (context.sent.includes('password') && !isBack(box, context)) return members;
  const about = [...headings, title].map(words);
  const saysAny = (said: readonly Words[], ...concepts: readonly Concept[]): boolean =>
    said.some((one) => concepts.some((concept) => says(concept, one)));
  const offers = members.filter(({ control }) => isPressable(control) && isUsable(control));
  const buttons = offers.filter(({ control }) => control.tag !== 'a');
  const textsOf = (some: readonly Meant[]): readonly Words[] => some.map(({ evidence: { text } }) => text);
  const isMade =
    isNamed(box.evidence, 'newPassword') ||
    isNamed(box.evidence, 'confirmPassword') ||
    saysAny(about, 'signUp', 'newPassword', 'mustChange', 'changePassword', 'resetPassword') ||
    saysAny(textsOf(buttons), 'signUp', 'newPassword', 'changePassword');
  const isOwn = saysAny(about, 'signIn', 'greeting', 'password') || saysAny(textsOf(offers), 'forgot');
  if (isMade || !isOwn) return members;
  const own: Meant = { ...box, control: { ...box.control, autocomplete: '' }, meaning: 'password', rules: ['password/alone'] };
  return members.map((one) => (one === box ? own : one));
}

const isAnotherSecret = ({ control, scores, evidence }: Meant): boolean =>
  control.type === 'password' &&
  !/-password/.test(control.autocomplete) &&
  scores.question !== undefined &&
  !PASSWORDS.some((concept) => isNamed(evidence, concept));

const asQuestion = (box: Meant): Meant => ({
  ...box,
  meaning: 'question',
  rules: [...(box.scores.question?.rules ?? []), 'question/second_step'],
});

function secondMeaning(box: Meant, snapshot: PageSnapshot, context: PageContext): 'code' | 'question' | null {
  if (isBack(box, context)) return null;
  if (asksForCode(box, snapshot, context)) return 'code';
  return asksForAnotherSecret(box, snapshot, context) ? 'question' : null;
}

/** What hides what is typed, and went as the password: that password, refused, whatever it is called. */
const isBack = ({ control }: Meant, { before }: PageContext): boolean =>
  control.type === 'password' &&
  before?.form === 'login' &&
  before.asked.includes('password') &&
  isMarked(control, before.boxes) &&
  !isRenamed(control, before);

/** One box for whatever is asked: it has only a caption, another one than before, and that is of a code. */
function isRenamed({ label, aria, placeholder, neighbour }: Meant['control'], { plain }: PageBefore): boolean {
  const said = words(neighbour);
  const isCode = says('oneTimeCode', said) || (CODES.some((code) => says(code, said)) && !says('password', said));
  return `${label}${aria}${placeholder}` === '' && !plain.includes(neighbour) && isCode;
}

const isInStep = ({ control, meaning }: Meant): boolean =>
  isTextBox(control) && isUsable(control) && meaning !== 'search' && !/^(header|nav|footer)$/.test(control.landmark);

function asksForAnotherSecret({ control }: Meant, { url }: PageSnapshot, { before }: PageContext): boolean {
  if (control.type !== 'password' || /-password/.test(control.autocomplete) || before === null) return false;
  const own = words(`${control.label} ${control.aria} ${control.placeholder}`.trim() || questionAbove(control));
  const isNamed = own.squeezed !== '' && !PASSWORDS.some((concept) => says(concept, own));
  // The box from which the password went alone, back on its page, is the same one, unless it asks something now.
  const asksNow = !isMarked(control, before.boxes) && QUESTION.test(`${control.label} ${control.aria}`);
  return isNamed && (placeOf(before.url) !== placeOf(url) || asksNow || before.asked.some((ref) => ref !== 'password'));
}

/** What stands above a box without words of its own, where it asks something: a greeting names no box. */
const questionAbove = ({ neighbour }: Meant['control']): string =>
  /[?？؟]\s*$/u.test(neighbour) || says('question', words(neighbour)) ? neighbour : '';

const QUESTION = /[?？؟]\s*$/u;
const PASSWORDS: readonly Concept[] = ['password', 'pin', 'newPassword', 'confirmPassword'];

function asksForCode({ control, evidence, meaning, rules }: Meant, { headings, url }: PageSnapshot, { before }: PageContext): boolean {
  const speaksOfCode = (text: Parameters<typeof says>[1]): boolean => CODES.some((concept) => says(concept, text));
  const own = words(`${control.label} ${control.aria} ${control.placeholder} ${control.neighbour}`);
  if (control.type === 'password') {
    const isToken =
      TOKEN.test(own.spaced) || says('oneTimeCode', own) || (speaksOfCode(own) && !says('password', own) && !says('pin', own));
    return isToken && !/current-password/.test(control.autocomplete);
  }
  if (meaning === 'password')
    return (
      speaksOfCode(own) ||
      before === null ||
      placeOf(before.url) !== placeOf(url) ||
      before.form === 'code' ||
      !isMarked(control, before.boxes)
    );
  const isNamed = rules.some((rule) => !/\/(neighbour|shape|description)$/.test(rule));
  const isWordless = `${control.label}${control.aria}` === '' && (control.placeholder === '' || isExample(control.placeholder));
  return !isNamed && isWordless && (speaksOfCode(evidence.neighbour) || speaksOfCode(words(headings.join(' '))));
}
