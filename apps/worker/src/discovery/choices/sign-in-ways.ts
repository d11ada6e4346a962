import { type Concept, isJust, lengthOf, says } from '../lexicon/words.js';
import { anySays, type PageView } from '../page-view.js';
import { shapeOf } from '../snapshot.js';
import type { ChoiceFinding, ChoiceType, FieldFinding, MfaType, RuleId } from '../verdict.js';
import { choice, distinct, isAfterProof, isAside } from './choice.js';
import { offersOf } from './offers.js';
import { ssoProvider } from './sso.js';

const LONGEST_TAB = 30;

/** The same in most languages. */
const QR = /\bqr\b|二维码|二維碼|扫码/iu;

const NO_WAYS: readonly Concept[] = ['help', 'forgot', 'signUp', 'changePassword', 'newPassword'];

/** What stands in one list with a way to sign in by a provider, and says that it signs in too. */
export function waysBesideProviders(view: PageView, sso: readonly ChoiceFinding[]): ChoiceFinding[] {
  const handles = new Set(sso.flatMap(({ action }) => (action.kind === 'press' ? [action.handle] : [])));
  const offers = offersOf(view).filter((offer) => !isAside(offer) && offer.action.kind === 'press');
  const shapes = new Set(offers.filter(({ of }) => handles.has(of.control.handle)).map(({ of }) => shapeOf(of.control)));
  return distinct(
    offers
      .filter(
        (offer) =>
          !handles.has(offer.of.control.handle) && shapes.has(shapeOf(offer.of.control)) && lengthOf(offer.words) <= LONGEST_TAB * 2,
      )
      .filter(({ words: said }) => says('signIn', said) || says('password', said) || says('username', said))
      .filter(({ label, words: said }) => !/[?？]\s*$/u.test(label) && !NO_WAYS.some((concept) => says(concept, said)))
      .map((offer) => choice(view, offer, 'sign_in_method', ['way/beside'])),
  );
}

/** Ways to sign in beside a form: passkey, link by e-mail, password instead, phone instead of e-mail. */
export function signInChoices(view: PageView, asked: readonly Pick<FieldFinding, 'type' | 'inputMode'>[]): ChoiceFinding[] {
  const asks = (wanted: FieldFinding['type']): boolean => asked.some(({ type }) => type === wanted);
  const [hasIdentifier, hasPassword] = [asks('identifier'), asks('password')];
  // Where a number is asked for, a code goes there.
  const codeGoesBy = asked.some(({ inputMode }) => inputMode === 'tel') ? 'sms' : 'email';
  return distinct(
    offersOf(view).flatMap((offer) => {
      if (isAside(offer) || offer.action.kind === 'select' || offer.text.length > 80 || ssoProvider(offer)) return [];
      const said = offer.words;
      const ways: readonly [boolean, ChoiceType, MfaType | null, RuleId][] = [
        [says('passkey', said) || says('securityKey', said), 'auth_method', 'passkey', 'way/passkey'],
        [says('scanCode', said) || QR.test(offer.label), 'auth_method', 'other', 'way/scan_code'],
        [says('magicLink', said), 'auth_method', 'email', 'way/magic_link'],
        // Where a password is asked for this way is open already, whatever its tab looks like.
        [says('withPassword', said) && !hasPassword, 'auth_method', 'password', 'way/password'],
        [says('sms', said) && says('code', said), 'auth_method', 'sms', 'way/sms'],
        [
          says('code', said) && (says('emailCode', said) || says('signIn', said) || says('continueWith', said)),
          'auth_method',
          says('emailCode', said) ? 'email' : codeGoesBy,
          'way/code',
        ],
        [says('anotherWay', said), 'mfa_method', 'switch', 'way/another'],
        [
          (says('email', said) || says('phone', said) || says('username', said)) && says('continueWith', said) && !says('help', said),
          hasIdentifier ? 'identifier_method' : 'sign_in_method',
          null,
          'way/identifier',
        ],
        [
          hasIdentifier &&
            offer.of.control.role === 'tab' &&
            !offer.of.control.checked &&
            lengthOf(said) <= LONGEST_TAB &&
            (says('email', said) || says('phone', said) || says('username', said)),
          'identifier_method',
          null,
          'way/tab',
        ],
      ];
      const way = ways.find(([holds]) => holds);
      return way ? [choice(view, offer, way[1], [way[3]], { mfaType: way[2] })] : [];
    }),
  );
}

const IDENTIFIERS = ['email', 'phone', 'username'] as const satisfies readonly Concept[];

const PROOFS = [
  'password',
  'code',
  'magicLink',
  'passkey',
  'securityKey',
  'sms',
  'call',
  'push',
  'authenticator',
] as const satisfies readonly Concept[];

/** Kinds of name to sign in with, on a page that asks which before it asks for one. One kind alone is no question. */
export function identifierChoices(view: PageView): ChoiceFinding[] {
  if (view.context.sent.includes('identifier') || isAfterProof(view)) return [];
  const kinds = new Set<Concept>();
  const found = offersOf(view).flatMap((offer) => {
    const said = offer.words;
    const kind = IDENTIFIERS.find((concept) => says(concept, said));
    if (
      !kind ||
      isAside(offer) ||
      ssoProvider(offer) ||
      isJust('signIn', said) ||
      lengthOf(said) > 40 ||
      PROOFS.some((concept) => says(concept, said))
    )
      return [];
    if (!says('continueWith', said) && !(isJust(kind, said) && anySays(view, 'chooseMethod'))) return [];
    kinds.add(kind);
    return [choice(view, offer, 'identifier_method', [`identifier_method/${kind}`])];
  });
  return kinds.size >= 2 ? distinct(found) : [];
}
