import { isInEdge, isTextBox, isUsable } from '../../evidence.js';
import { isCharacter } from '../../fields/characters.js';
import { askableBoxes } from '../../fields/lists.js';
import type { Meant } from '../../forms/meanings.js';
import type { Segment } from '../../forms/segments.js';
import { type Concept, isJust, says, type Words } from '../../lexicon/words.js';
import { boxes, counts, isCoupon, isIdentifier, LOGIN_CODE, passwords, senders, sendIs, sendSays, SIGNUP_CODE } from './facts.js';
import type { FormRule, Surroundings } from './form-rule.js';

/** Buttons beside a step, and those of other things than steps. */
const NO_STEP: readonly Concept[] = [
  'show',
  'forgot',
  'resend',
  'back',
  'help',
  'close',
  'guest',
  'later',
  'deny',
  'no',
  'search',
  'subscribe',
];
const isAtWork = (text: Words): boolean => isJust('work', text) && !isJust('submit', text);
const GOES_ON: readonly Concept[] = ['next', 'verify', 'signIn'];
const typed = (segment: Segment): readonly Meant[] => segment.boxes.filter(({ control }) => isTextBox(control) && isUsable(control));

/** All that a step asks for, the characters of one secret once. A list alone is a choice between its options. */
function asked(segment: Segment): readonly Meant[] {
  const boxes = askableBoxes({ segment });
  const [first] = boxes.filter(isCharacter);
  const found = boxes.filter((box) => box === first || !isCharacter(box));
  return found.length === 1 && found[0]?.control.tag === 'select' ? [] : found;
}

/** Several boxes that all hold something already are what somebody has saved there. */
const isEdited = (segment: Segment): boolean => asked(segment).length >= 2 && asked(segment).every(({ control }) => control.filled);

/**
 * A few boxes of no meaning to a login, outside the edges of the page, and one button that sends them. `anyhow`: what is asked can wait, so
 * that the button may say what it does, as "Add".
 */
function isStep(segment: Segment, anyhow = false): boolean {
  const goers = senders(segment).filter(
    ({ evidence: { text } }) => !NO_STEP.some((concept) => isJust(concept, text)) && (anyhow || !isAtWork(text)),
  );
  const enders = goers.filter(({ evidence: { text } }) => [...GOES_ON, 'submit' as const].some((concept) => says(concept, text)));
  return (
    asked(segment).length >= 1 &&
    asked(segment).length <= 4 &&
    asked(segment).every(({ control }) => !isInEdge(control)) &&
    (goers.length === 1 || enders.length === 1) &&
    passwords(segment).length === 0 &&
    counts(segment, 'code', 'search', 'captcha', 'totp_secret') === 0 &&
    !isCoupon(segment) &&
    !isEdited(segment)
  );
}

/** What stands alone and may be the name once more, for a website that begins anew. */
const isLoneName = (segment: Segment): boolean => asked(segment).length === 1 && typed(segment).some(isIdentifier);
const isNumber = (segment: Segment): boolean =>
  typed(segment).every(({ scores, evidence: { label } }) => scores.email === undefined && !says('username', label));

/** One box for whose part of the website it is, and no name yet. A box without words of its own is named by the heading. */
const asksForTenant = (segment: Segment, { headings }: Surroundings): boolean =>
  asked(segment).length === 1 &&
  !boxes(segment).some(isIdentifier) &&
  asked(segment).every(({ evidence: { label, aria, placeholder, neighbour, name } }) => {
    const isNamed = label.squeezed !== '' || aria.squeezed !== '';
    return [label, aria, placeholder, neighbour, name, ...(isNamed ? [] : [headings])].some((told) => says('tenant', told));
  });

/** Goes on, and does not make an account. */
const leadsToSignIn = (segment: Segment, { headings, title, path }: Surroundings): boolean =>
  ![segment.heading, headings, title].some((told) => says('signUp', told)) &&
  !SIGNUP_CODE.test(path) &&
  (LOGIN_CODE.test(path) ||
    sendIs(segment, 'next') ||
    sendSays(segment, 'signIn') ||
    [segment.heading, headings, title].some((told) => says('signIn', told)));

/** Forms in words of no table, on the way in. */
export const QUESTION_FORMS: readonly FormRule[] = [
  {
    id: 'form/question/words',
    kind: 'question',
    weight: 8,
    test: (s, page) => page.given !== 'nothing' && isStep(s) && counts(s, 'question') > 0,
  },
  // Once something has been sent, a form in words of no table is a step of the way in.
  {
    id: 'form/question/step',
    kind: 'question',
    weight: 4,
    test: (s, page) => page.given !== 'nothing' && isStep(s) && (!isLoneName(s) || (page.given === 'proof' && isNumber(s))),
  },
  {
    id: 'form/question/goes_on',
    kind: 'question',
    weight: 1,
    test: (s, page) => page.given !== 'nothing' && isStep(s) && (sendIs(s, 'accept') || GOES_ON.some((concept) => sendSays(s, concept))),
  },
  // Before anybody is asked who they are, only these words are known to be a step of the way in.
  {
    id: 'form/question/tenant',
    kind: 'question',
    weight: 20,
    test: (s, page) => page.given === 'nothing' && page.onlyForm && isStep(s) && asksForTenant(s, page) && leadsToSignIn(s, page),
  },
  // Whoever begins anew cannot put off saying who they are.
  {
    id: 'form/question/can_wait',
    kind: 'question',
    weight: 14,
    test: (s, page) => page.given === 'proof' && page.canWait && isStep(s, true),
  },
  {
    id: 'form/question/other_name',
    kind: 'question',
    weight: 20,
    test: (s, page) => page.given === 'name' && page.moved && isStep(s) && counts(s, 'question') > 0 && isNumber(s),
  },
  // The words of signing in stand above each of its steps.
  {
    id: 'form/question/no_name',
    kind: 'question',
    weight: 12,
    test: (s, page) =>
      isStep(s) && ((page.given === 'proof' && !isLoneName(s)) || (page.given === 'name' && page.moved && !boxes(s).some(isIdentifier))),
  },
];
