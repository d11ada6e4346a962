import { isInEdge } from '../evidence.js';
import { maskedDestination } from '../fields/masked.js';
import { isJust, lengthOf, says } from '../lexicon/words.js';
import { anySays, asksForText, leavesSite, type PageView } from '../page-view.js';
import { shapeOf } from '../snapshot.js';
import type { ChoiceFinding } from '../verdict.js';
import { isBesideWork } from '../work.js';
import { ASIDE_OF_NAMED, choice, distinct, isAfterProof, isAside, isMarkable } from './choice.js';
import { asksWhoseLogin } from './institutions.js';
import { type Offer, offersOf } from './offers.js';
import { ssoProvider } from './sso.js';

const ADDRESS = /[\p{L}\p{N}._%+*•-]+@[\p{L}\p{N}*•-]+\.[\p{L}\p{N}*•.-]+/u;

/** Accounts, profiles, organizations or workspaces to pick from. */
export function accountChoices(view: PageView): ChoiceFinding[] {
  const isOfAccounts = (['chooseAccount', 'chooseOrganization'] as const).some(
    (concept) => says(concept, view.headings) || says(concept, view.told),
  );
  const isAsked = isAfterProof(view) && !asksForText(view);
  // Shops have a list of theirs among much else.
  const isOfBranches = isAsked && view.snapshot.headings.length <= 2 && says('chooseBranch', view.headings);
  const isChooser = isOfAccounts || isOfBranches || (isAsked && says('pick', view.headings) && isAllListed(view));
  if (!anySays(view, 'chooseAccount') && offersOf(view).some((offer) => isPhone(view, offer))) return [];
  const first = isAfterProof(view) ? null : view.selects.filter((list) => asksWhoseLogin(view, list));
  const found = distinct(
    offersOf(view).flatMap((offer) => {
      const control = offer.of.control;
      if (first !== null && offer.action.kind === 'select')
        return first.includes(offer.of) ? [choice(view, offer, 'account', ['account/whose_login'])] : [];
      if (says('anotherAccount', offer.words)) return [choice(view, offer, 'account', ['account/another'])];
      const hasAddress = ADDRESS.test(offer.text);
      if (isAside(offer, hasAddress ? ASIDE_OF_NAMED : undefined) || /^(nav|header|footer)$/.test(control.landmark)) return [];
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
