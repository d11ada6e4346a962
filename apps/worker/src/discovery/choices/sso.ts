import { maskedDestination } from '../fields/masked.js';
import { type Concept, lengthOf, says, words } from '../lexicon/words.js';
import { bestForm, type PageView } from '../page-view.js';
import type { ChoiceFinding, RuleId } from '../verdict.js';
import { choice, distinct, isAfterProof, isAside } from './choice.js';
import { type Offer, offersOf } from './offers.js';
import { providerIn, providerNamed } from './providers.js';

const OAUTH = /oauth|openid|saml|sso|\/auth|login|sign_?in|connect|social|provider|federat|idp/i;

/** Buttons that hand the login to an identity provider. */
export function ssoChoices(view: PageView): ChoiceFinding[] {
  const isSignInPage = says('signIn', view.headings) || says('signIn', words(view.snapshot.title));
  return distinct(
    offersOf(view).flatMap((offer) => {
      if (isAside(offer) || offer.action.kind !== 'press' || offer.text.length > 80) return [];
      const found = isLogo(offer) ? null : ssoProvider(offer, isSignInPage);
      return found &&
        !isOwnName(view, found.provider) &&
        !(found.rule === 'sso/continue_with' && isAfterProof(view) && bestForm(view, 'login') === null)
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
