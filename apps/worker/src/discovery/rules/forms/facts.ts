import { isNamed, isUsable } from '../../evidence.js';
import type { Meant } from '../../forms/meanings.js';
import type { Segment } from '../../forms/segments.js';
import { type Concept, isJust, lengthOf, says, type Words } from '../../lexicon/words.js';
import type { Meaning } from '../field-rules.js';
import type { Surroundings } from './form-rule.js';

/** What a person sees of the form to fill. */
export const boxes = (segment: Segment): readonly Meant[] => segment.boxes.filter(({ control }) => control.visible);
export const counts = (segment: Segment, ...meanings: Meaning[]): number =>
  boxes(segment).filter(({ meaning }) => meaning !== null && meanings.includes(meaning)).length;
export const passwords = (segment: Segment): readonly Meant[] =>
  boxes(segment).filter(
    ({ control, meaning }) =>
      (control.type === 'password' && meaning !== 'code' && meaning !== 'question') || meaning === 'password' || meaning === 'new_password',
  );

/** Two hidden boxes of which the second is called a PIN, a token or another password: no repetition of the first. */
export const hasTwoSecrets = (segment: Segment): boolean => {
  const [first, second, ...others] = passwords(segment);
  if (first === undefined || second === undefined || others.length > 0) return false;
  const { label, aria, placeholder, neighbour } = second.evidence;
  const names = [label, aria, placeholder, neighbour];
  const isPin = ({ evidence }: Meant): boolean => isNamed(evidence, 'pin');
  const isOther = (isPin(second) && !isPin(first)) || names.some((told) => says('secondPassword', told));
  if (names.some((told) => says('confirmPassword', told) || says('repeated', told))) return false;
  return isOther && [first, second].every(({ meaning, control }) => meaning !== 'new_password' && control.autocomplete !== 'new-password');
};

/**
 * One password that nothing but `autocomplete` calls new: what many a login says to keep browsers from filling it in. It signs in where the
 * form or its page says so, or a way in led to it, and nothing about it speaks of joining.
 */
export function isGuarded(segment: Segment, { title, headings, path, text, onlyForm, entered }: Surroundings): boolean {
  const [box, ...others] = passwords(segment);
  if (box === undefined || others.length > 0 || box.control.autocomplete !== 'new-password') return false;
  if (isNamed(box.evidence, 'newPassword') || isNamed(box.evidence, 'confirmPassword')) return false;
  const said = [segment.heading, headings];
  const joins = [...said, title].some((one) => says('signUp', one)) || sendSays(segment, 'signUp') || SIGNUP_CODE.test(path);
  const names = boxes(segment).filter(isIdentifier).length;
  if (joins || names === 0 || names + 1 < boxes(segment).length || tickSays(segment, 'terms')) return false;
  const signsIn =
    said.some((one) => says('signIn', one)) || sendSays(segment, 'signIn') || sendIs(segment, 'enter') || LOGIN_CODE.test(path);
  // A trial may say nothing of joining either, under a heading of its own.
  const isSilent = (entered || said.every(({ squeezed }) => squeezed === '')) && onlyForm && !says('signIn', text) && !says('signUp', text);
  return signsIn || isSilent || tickSays(segment, 'remember') || segment.buttons.some(({ evidence }) => says('forgot', evidence.text));
}

/** Of a date in three boxes, by their names in code. */
const isDatePart = ({ meaning, evidence: { code } }: Meant): boolean =>
  meaning === 'person' && /(^|[ _-])(dd?|day|mm?|mo|month|y|yy|yyyy|year)($|[ _-])/.test(code);
/** Boxes that ask for nothing of their own: day, month and year are one date. */
export const countRepeats = (segment: Segment): number => Math.max(0, boxes(segment).filter(isDatePart).length - 1);

/** On a page that is about signing in nothing is asked of a person but a date, as of birth: it is a proof there. */
export const provesByDate = (segment: Segment, { onlyForm, headings }: Surroundings): boolean =>
  counts(segment, 'person') === countRepeats(segment) + 1 &&
  countRepeats(segment) > 0 &&
  onlyForm &&
  says('signIn', headings) &&
  !says('signUp', headings);

export const hasAutocomplete = (segment: Segment, token: string): boolean =>
  boxes(segment).some(({ control }) => control.autocomplete.split(/\s+/).includes(token));

/** Buttons that could send this form: not the links around it. */
export const senders = (segment: Segment): readonly Meant[] =>
  segment.buttons.filter(({ control }) => control.tag !== 'a' && isUsable(control));
export const sendSays = (segment: Segment, concept: Concept): boolean =>
  senders(segment).some(({ evidence: { text } }) => lengthOf(text) <= 40 && says(concept, text));
export const sendIs = (segment: Segment, concept: Concept): boolean =>
  senders(segment).some(({ evidence: { text } }) => isJust(concept, text));
export const tickSays = (segment: Segment, concept: Concept): boolean =>
  segment.ticks.some(({ evidence }) => says(concept, evidence.label) || says(concept, evidence.neighbour) || says(concept, evidence.aria));
/** What is redeemed, and proves nothing. */
export const isCoupon = (segment: Segment): boolean =>
  sendSays(segment, 'coupon') || boxes(segment).some(({ evidence }) => isNamed(evidence, 'coupon'));
/** What a box is called first. */
const nameOf = ({ evidence: { label, aria, placeholder, neighbour } }: Meant): Words =>
  [label, aria, placeholder].find(({ squeezed }) => squeezed !== '') ?? neighbour;
const isCalled = (segment: Segment, concept: Concept): boolean =>
  boxes(segment).some((box) => lengthOf(nameOf(box)) <= 30 && says(concept, nameOf(box)));
/** Where an account is kept and its number, in boxes of their own: who has it, as some banks ask it. */
export const asksForBankAccount = (segment: Segment): boolean =>
  boxes(segment).length >= 2 && boxes(segment).length <= 4 && isCalled(segment, 'branch') && isCalled(segment, 'bankAccount');
export const isIdentifier = ({ meaning }: Meant): boolean => meaning === 'username' || meaning === 'email' || meaning === 'phone';
/** Names, ids, classes and paths of forms, as `code` of a segment has them. */
export const LOGIN_CODE = /log_?[io]n|log_?on|sign_?(in|on)|auth(?!or)|session|sso|anmeld|connexion|acceso|entrar/;
export const SIGNUP_CODE = /sign_?up|regist(?!ered)|create_?(an_?)?(account|user)|join|enrol|new_?(user|account|customer)/;
