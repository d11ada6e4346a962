import { maskedDestination } from '../fields/masked.js';
import { isJust, lengthOf, says, type Words, words } from '../lexicon/words.js';
import { anySays, asksForText, leavesSite, type PageView } from '../page-view.js';
import { METHOD_RULES, type MethodRule } from '../rules/method-rules.js';
import { shapeOf } from '../snapshot.js';
import type { ChoiceFinding, MfaType, RuleId } from '../verdict.js';
import { hasOwnMenus } from '../work.js';
import { choice, distinct, isAfterProof, isAside } from './choice.js';
import { type Offer, offersOf } from './offers.js';

const MASKED: RuleId = 'method/masked_destination';

export function methodOf(offer: Offer): { type: MfaType; rule: RuleId } | null {
  const ruleFor = (said: Words): MethodRule | undefined =>
    METHOD_RULES.find(
      ({ concepts, but = [] }) => concepts.some((concept) => says(concept, said)) && !but.some((concept) => says(concept, said)),
    );
  const found = ruleFor(offer.words) ?? ruleFor(offer.all);
  if (found) return { type: found.type, rule: found.id };
  const masked = maskedDestination(offer.text);
  return masked ? { type: masked.includes('@') ? 'email' : 'sms', rule: MASKED } : null;
}

/** Ways to prove oneself before anything has been proven are ways to sign in; after that they are second factors. */
function methodType(view: PageView, methods: readonly MfaType[]): 'auth_method' | 'mfa_method' {
  if (isAfterProof(view)) return 'mfa_method';
  return view.context.sent.includes('identifier') || methods.includes('password') || methods.includes('passkey')
    ? 'auth_method'
    : 'mfa_method';
}

/** Ways to prove oneself that the page offers. A way out to others is always an `mfa_method` of type `switch` (D62), and comes last. */
export function methodChoices(view: PageView, isChooser: boolean): ChoiceFinding[] {
  const found = offeredMethods(view, isChooser);
  const type = methodType(
    view,
    found.flatMap(({ mfaType }) => (mfaType === null ? [] : [mfaType])),
  );
  const [switches, real] = [found.filter(({ mfaType }) => mfaType === 'switch'), found.filter(({ mfaType }) => mfaType !== 'switch')];
  return [...real.map((method) => ({ ...method, type })), ...switches];
}

function offeredMethods(view: PageView, isChooser: boolean): ChoiceFinding[] {
  const offers = offersOf(view).filter(
    (offer) => !isAside(offer) && !(isJust('next', offer.words) && offer.action.kind === 'press') && !leavesSite(view, offer.of.control),
  );
  const isBesideAnother = asksForText(view) || !isAfterProof(view) || hasOwnMenus(view);
  // "We need to call you", above the numbers for it.
  const rings = anySays(view, 'call') && !anySays(view, 'sms', 'code', 'codeSent');
  const found = offers.flatMap((offer) => {
    const named = methodOf(offer);
    const method =
      (named?.rule === MASKED && rings ? { ...named, type: 'call' as const } : named) ??
      (isChooser && isPasswordWay(offer) ? { type: 'password' as const, rule: 'method/password_named' } : null);
    // On a code page a bare "Email" link leads elsewhere; an offer says what it would do.
    const isBareLink =
      !isChooser && isBesideAnother && lengthOf(offer.words) < 8 && offer.action.kind === 'press' && offer.of.control.tag === 'a';
    return method === null || isBareLink
      ? []
      : [{ offer, finding: choice(view, offer, 'mfa_method', [method.rule], { mfaType: method.type }) }];
  });
  // Where these alone make no list, a word for a code makes none: applications speak of tokens too.
  const real = found.filter(({ finding: { mfaType } }) => mfaType !== 'switch').length;
  const sends = isAfterProof(view) && offers.some(({ words: said }) => isJust('sendCode', said));
  const isList = !asksForText(view) && real >= (isChooser || sends ? 1 : 2);
  const codes = isList ? offers.filter((offer) => methodOf(offer) === null && isCodeMethod(offer, offers)) : [];
  const named = codes.map((offer) => ({ offer, finding: choice(view, offer, 'mfa_method', ['method/code'], { mfaType: 'other' }) }));
  const others = offers.filter(
    (offer) =>
      !found.some(({ offer: method }) => method === offer) &&
      methodOf(offer) === null &&
      ((isChooser && found.some(({ offer: method }) => isListedWith(offer, method))) ||
        isAmongMethods(
          offer,
          found.map(({ offer: method }) => method),
        )),
  );
  const beside = others.map((offer) => ({ offer, finding: choice(view, offer, 'mfa_method', ['method/in_group'], { mfaType: 'other' }) }));
  const order = ({ offer }: { readonly offer: Offer }): number => offers.indexOf(offer);
  return distinct([...found, ...named, ...beside].sort((a, b) => order(a) - order(b)).map(({ finding }) => finding));
}

/** "Password", or "Username and password", among the ways of a page that asks for one. */
const isPasswordWay = ({ words: said, action }: Offer): boolean =>
  action.kind === 'press' && lengthOf(said) <= 40 && says('password', said) && !says('changePassword', said) && !says('newPassword', said);

/** One of the items of the list, or of the buttons, that a page which asks for a method has them in. */
const isListedWith = (offer: Offer, method: Offer): boolean =>
  offer.action.kind === 'press' &&
  (/\/li\b/.test(shapeOf(offer.of.control)) || offer.of.control.tag !== 'a') &&
  shapeOf(offer.of.control) === shapeOf(method.of.control);

/** "None of these" in one group of radio buttons, or in one list, with methods: one of what can be chosen there. */
function isAmongMethods(offer: Offer, methods: readonly Offer[]): boolean {
  const groupOf = ({ action, of: { control } }: Offer): string | null =>
    ({ press: null, check: `${control.form} ${control.name}`, select: action.handle })[action.kind];
  const group = groupOf(offer);
  return group !== null && methods.filter((method) => groupOf(method) === group).length >= 2;
}

/** "Enter a code", or "Send code", among other methods: whichever code that is. What sends a list, or a code again, is none. */
const isCodeMethod = ({ words: name, description, action, of }: Offer, offers: readonly Offer[]): boolean => {
  // Of two ways of one app only what stands under its name tells which it is.
  const said = description === null || says('code', name) ? name : words(description);
  return (
    says('code', said) &&
    lengthOf(said) <= 40 &&
    (isJust('sendCode', said) || !(['submit', 'next', 'verify', 'resend', 'scanCode'] as const).some((concept) => says(concept, said))) &&
    !(action.kind === 'press' && offers.some((other) => other.action.kind !== 'press' && other.of.control.form === of.control.form))
  );
};
