import { agreeing, agreementsOf } from './agreements.js';
import { asksWhoseLogin } from './institutions.js';
import { isJust, lengthOf, says, words, type Concept, type Words } from '../lexicon/words.js';
import { maskedDestination } from '../fields/masked.js';
import { offersOf, type Offer } from './offers.js';
import { isInEdge } from '../evidence.js';
import { anySays, asksForText, isBesideWork, leavesSite, type PageView } from '../page-view.js';
import { providerIn, providerNamed } from './providers.js';
import { METHOD_RULES, type MethodRule } from '../rules/method-rules.js';
import { declinesAndLeaves } from '../outcome/sign-out.js';
import { shapeOf } from '../snapshot.js';
import type { ChoiceFinding, ChoiceType, FieldFinding, MfaType, RuleId } from '../verdict.js';

/** Never a choice of the login: leave, go back, get help, send again. */
const ASIDE: readonly Concept[] = ['resend', 'forgot', 'show', 'signOut', 'signUp', 'guest'];
/** The same of what has an address: words of these may be a name. */
const ASIDE_OF_NAMED: readonly Concept[] = ASIDE.filter((concept) => concept !== 'guest' && concept !== 'show');
const LONGEST = 160;
const LONGEST_TAB = 30;

/** The address of the website, as a link to its front page. */
const isOwnHost = (text: string, href: string): boolean => URL.canParse(href) && new URL(href).host === text.trim();

/** What stands in the way of nobody, whatever else the page is about. */
const BESIDE: readonly Concept[] = ['back', 'help', 'close'];
/** One of several to be marked: its word is a name ("Support", of a team). */
const isMarkable = ({ of: { control }, action }: Offer): boolean => action.kind !== 'press' || /^(radio|option)$/.test(control.role);

/** Also aside is the tab that is open already: pressing it leads nowhere. */
export function isAside(offer: Offer, aside: readonly Concept[] = ASIDE): boolean {
  const { words: label, of, text } = offer;
  return (
    text.length > LONGEST ||
    isOwnHost(text, of.control.href) ||
    (!isMarkable(offer) && BESIDE.some((concept) => isJust(concept, label))) ||
    aside.some((concept) => says(concept, label)) ||
    /^(nav|footer)$/.test(of.control.landmark) ||
    /^(mailto|tel):?/.test(of.control.href) ||
    (of.control.role === 'tab' && of.control.checked)
  );
}

export function choice(
  view: PageView,
  offer: Offer,
  type: ChoiceType,
  rules: readonly RuleId[],
  more: Partial<Pick<ChoiceFinding, 'mfaType' | 'provider'>> = {},
): ChoiceFinding {
  const { control } = offer.of;
  return {
    type,
    label: offer.label,
    description: offer.description,
    mfaType: more.mfaType ?? null,
    provider: more.provider ?? null,
    maskedDestination: type === 'mfa_method' || type === 'auth_method' ? maskedDestination(offer.text) : null,
    action: offer.action,
    selector: control.selector,
    xpath: control.xpath,
    frameUrl: view.frameUrl(control.frame),
    rules,
  };
}

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

const FIRST_FACTORS: readonly string[] = ['password', 'code', 'totp_code', 'sso', 'external'];

/** Something was proven already: what is asked for now is a second factor. */
export const isAfterProof = ({ context: { sent } }: PageView): boolean => sent.some((kind) => FIRST_FACTORS.includes(kind));

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
  const isBesideAnother = asksForText(view) || !isAfterProof(view);
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

const OAUTH = /oauth|openid|saml|sso|\/auth|login|sign_?in|connect|social|provider|federat|idp/i;

/** Buttons that hand the login to an identity provider. */
export function ssoChoices(view: PageView): ChoiceFinding[] {
  const isSignInPage = says('signIn', view.headings) || says('signIn', words(view.snapshot.title));
  return distinct(
    offersOf(view).flatMap((offer) => {
      if (isAside(offer) || offer.action.kind !== 'press' || offer.text.length > 80) return [];
      const found = isLogo(offer) ? null : ssoProvider(offer, isSignInPage);
      return found && !isOwnName(view, found.provider) && !(found.rule === 'sso/continue_with' && isAfterProof(view))
        ? [choice(view, offer, 'sso_provider', [found.rule], { provider: found.provider })]
        : [];
    }),
  );
}

/** A link in the head of the page that is a name and no more. */
const isLogo = ({ label, of: { control } }: Offer): boolean =>
  control.landmark === 'header' && control.tag === 'a' && control.text !== '' && providerNamed(label) !== null;

/** The website is the provider itself, by its host or the name in its title. */
function isOwnName({ snapshot: { url, title } }: PageView, provider: string): boolean {
  const hosts = URL.canParse(url) ? new URL(url).hostname.split('.').slice(0, -1) : [];
  return [...hosts, ...title.split(/\s[|–—·:-]\s/u)].some((name) => words(name).squeezed === words(provider).squeezed);
}

/** Of a way that is the website's own, or a factor of the person's. */
const NO_PROVIDERS: readonly Concept[] = [
  'passkey',
  'securityKey',
  'authenticator',
  'backupCode',
  'password',
  'emailCode',
  'phone',
  'code',
  'magicLink',
  'sms',
  'withPassword',
  'username',
];

export function ssoProvider(
  { label, words: said, of: { control } }: Offer,
  isSignInPage = false,
): { provider: string; rule: RuleId } | null {
  // "Email to j***@x.com" leads to a mailbox.
  if (maskedDestination(label) !== null) return null;
  if (says('continueWith', said) || says('signIn', said)) {
    const known = providerIn(label, true);
    if (known) return { provider: known, rule: 'sso/continue_with_known' };
  }
  const alone =
    providerNamed(label) ??
    providerNamed(control.title) ??
    (label.length <= 2 || label === control.icon ? providerIn(control.icon, false) : null);
  // A link to a provider's own site is a social profile; one to the site's own authentication path is a login.
  const leaves = control.href !== '' && !OAUTH.test(control.href);
  if (alone && !leaves) return { provider: alone, rule: 'sso/provider_name' };
  if (NO_PROVIDERS.some((concept) => says(concept, said))) return null;
  if (says('sso', said) && lengthOf(said) <= 40) return { provider: 'SSO', rule: 'sso/single_sign_on' };
  const rest =
    /^(?:continue|sign ?[io]n|log ?[io]n|login|signin|connect|weiter|anmelden|einloggen|se connecter|connexion|continuer|continuar|entrar|iniciar sesi[oó]n|accedi|continua|inloggen|doorgaan|kontynuuj|zaloguj si[eę]|войти|продолжить) (?:with|using|via|through|mit|über|avec|con|com|met|przez|z|через|с) (.{2,30})$/iu.exec(
      label,
    )?.[1];
  // "Continue with X" says what it does, wherever its link goes first; "Connect with X" to another site is a social profile.
  return rest && (!leaves || (!/^connect/i.test(label) && isSignInPage)) ? { provider: rest, rule: 'sso/continue_with' } : null;
}

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
  if (view.context.sent.some((kind) => kind === 'identifier' || FIRST_FACTORS.includes(kind))) return [];
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

const ADDRESS = /[\p{L}\p{N}._%+*•-]+@[\p{L}\p{N}*•-]+\.[\p{L}\p{N}*•.-]+/u;

/** Accounts, profiles, organizations or workspaces to pick from. */
export function accountChoices(view: PageView): ChoiceFinding[] {
  const isOfAccounts = (['chooseAccount', 'chooseOrganization'] as const).some(
    (concept) => says(concept, view.headings) || says(concept, view.told),
  );
  // "Choose a branch", whatever is to be chosen.
  const isChooser = isOfAccounts || (isAfterProof(view) && !asksForText(view) && says('pick', view.headings) && isAllListed(view));
  if (!anySays(view, 'chooseAccount') && offersOf(view).some((offer) => isPhone(view, offer))) return [];
  const first = isAfterProof(view) ? null : view.selects.filter((list) => asksWhoseLogin(view, list));
  const found = distinct(
    offersOf(view).flatMap((offer) => {
      const control = offer.of.control;
      if (first !== null && offer.action.kind === 'select')
        return first.includes(offer.of) ? [choice(view, offer, 'account', ['account/whose_login'])] : [];
      if (says('anotherAccount', offer.words)) return [choice(view, offer, 'account', ['account/another'])];
      const hasAddress = ADDRESS.test(offer.text);
      if (isAside(offer, hasAddress ? ASIDE_OF_NAMED : ASIDE) || /^(nav|header|footer)$/.test(control.landmark)) return [];
      if (hasAddress && offer.action.kind !== 'select') return [choice(view, offer, 'account', ['account/address'])];
      if (says('chooseAccount', offer.words) && lengthOf(offer.words) > 10)
        return [choice(view, offer, 'account', ['account/continue_as'])];
      // "Work or school account" is a kind of account where one is to be chosen.
      const provider = ssoProvider(offer);
      const isElsewhere = provider !== null && !(provider.rule === 'sso/single_sign_on' && says('chooseAccount', view.headings));
      if (!isChooser || (!isMarkable(offer) && isPlainStep(offer)) || isElsewhere) return [];
      return [choice(view, offer, 'account', ['account/in_chooser'])];
    }),
  );
  // A link beside a list of radio buttons is none of them.
  const marked = found.filter(({ action }) => action.kind === 'check');
  return marked.length < 2 ? found : found.filter(({ action, rules }) => action.kind === 'check' || !rules.includes('account/in_chooser'));
}

const MOST_APART = 1;

/** Next to all that the page has to press is one list: an application that asks to choose something first has its own work around that. */
function isAllListed(view: PageView): boolean {
  const offers = offersOf(view).filter((offer) => !isAside(offer) && !isPlainStep(offer) && !leavesSite(view, offer.of.control));
  const isListed = (offer: Offer): boolean =>
    offer.action.kind !== 'press' ||
    offers.some((other) => other !== offer && shapeOf(other.of.control) === shapeOf(offer.of.control) && !isInEdge(offer.of.control));
  return offers.some(isListed) && offers.filter((offer) => !isListed(offer)).length <= MOST_APART && !isBesideWork(view);
}

/** A number that is half hidden, where the page is about a phone: where a call or a message goes, and no account. */
const isPhone = ({ headings }: PageView, { text }: Offer): boolean =>
  maskedDestination(text) !== null && (['phone', 'call', 'sms'] as const).some((concept) => says(concept, headings));

function isPlainStep({ words: said }: Offer): boolean {
  return (
    (['next', 'submit', 'signIn', 'verify', 'select', 'accept', 'search', 'remember', 'allow', 'deny', 'account', 'work'] as const).some(
      (concept) => isJust(concept, said),
    ) ||
    says('terms', said) ||
    says('cookies', said) ||
    says('help', said)
  );
}

/** "Allow" and "deny" of a consent screen. */
export function consentChoices(view: PageView): ChoiceFinding[] {
  const offers = offersOf(view).filter(({ action, of }) => action.kind === 'press' && !/^(nav|header|footer)$/.test(of.control.landmark));
  const allow = offers.filter(({ words: said }) => isJust('allow', said));
  const deny = offers.filter(({ words: said }) => (isJust('deny', said) && !isJust('allow', said)) || declinesAndLeaves(said));
  if (allow.length === 0) return [];
  const later = deny.length > 0 ? [] : offers.filter(({ words: said }) => isJust('later', said));
  return distinct([
    ...allow.slice(0, 1).map((offer) => agreeing(choice(view, offer, 'other', ['consent/allow']), agreementsOf(view))),
    ...[...deny, ...later].slice(0, 1).map((offer) => choice(view, offer, 'other', ['consent/deny'])),
  ]);
}

/** The same offer twice (an icon link beside its text link) is one. */
export function distinct(choices: readonly ChoiceFinding[]): ChoiceFinding[] {
  const seen = new Set<string>();
  return choices.filter(({ type, label, mfaType, maskedDestination: masked, description }) => {
    // Two accounts of one name, or two ways of one app, differ by what stands under it.
    const told = type === 'account' || type === 'mfa_method' ? (description ?? '') : '';
    const key = `${type} ${words(label).squeezed} ${mfaType ?? ''} ${masked ?? ''} ${told}`;
    return !seen.has(key) && Boolean(seen.add(key));
  });
}
