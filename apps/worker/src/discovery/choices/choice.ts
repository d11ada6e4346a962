import { maskedDestination } from '../fields/masked.js';
import { type Concept, isJust, says, words } from '../lexicon/words.js';
import type { PageView } from '../page-view.js';
import { type ChoiceFinding, type ChoiceType, isProven, type RuleId } from '../verdict.js';
import type { Offer } from './offers.js';

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

/** Never a choice of the login: leave, go back, get help, send again. */
const ASIDE: readonly Concept[] = ['resend', 'forgot', 'show', 'signOut', 'signUp', 'guest'];

/** The same of what has an address: words of these may be a name. */
export const ASIDE_OF_NAMED: readonly Concept[] = ASIDE.filter((concept) => concept !== 'guest' && concept !== 'show');

const LONGEST = 160;

/** The address of the website, as a link to its front page. */
const isOwnHost = (text: string, href: string): boolean => URL.canParse(href) && new URL(href).host === text.trim();

/** What stands in the way of nobody, whatever else the page is about. */
const BESIDE: readonly Concept[] = ['back', 'help', 'close'];

/** One of several to be marked: its word is a name ("Support", of a team). */
export const isMarkable = ({ of: { control }, action }: Offer): boolean => action.kind !== 'press' || /^(radio|option)$/.test(control.role);

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

/** What is asked for now is a second factor. */
export const isAfterProof = ({ context: { sent } }: PageView): boolean => isProven(sent);
