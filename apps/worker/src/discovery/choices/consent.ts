import { isJust, says } from '../lexicon/words.js';
import { declinesAndLeaves, isSignOut } from '../outcome/sign-out.js';
import type { PageView } from '../page-view.js';
import type { ChoiceFinding } from '../verdict.js';
import { offersUseBeside } from '../work.js';
import { agreeing, agreementsOf } from './agreements.js';
import { choice, distinct } from './choice.js';
import { offersOf } from './offers.js';

/** "Allow" and "deny" of a consent screen. */
export function consentChoices(view: PageView): ChoiceFinding[] {
  const offers = offersOf(view).filter(({ action, of }) => action.kind === 'press' && !/^(nav|header|footer)$/.test(of.control.landmark));
  const allow = offers.filter(({ words: said }) => isJust('allow', said));
  const deny = offers.filter(
    ({ words: said }) => (isJust('deny', said) && !isJust('allow', said)) || declinesAndLeaves(said) || says('without', said),
  );
  if (allow.length === 0) return [];
  // Whether messages may be sent is asked so too, of whoever is in.
  const isIn =
    view.forms.some(({ segment }) => segment.buttons.some((button) => button.control.visible && isSignOut(button))) ||
    offersUseBeside(view, new Set(offers.map(({ of }) => of.control.handle)));
  const later = deny.length > 0 || isIn ? [] : offers.filter(({ words: said }) => isJust('later', said));
  return distinct([
    ...allow.slice(0, 1).map((offer) => agreeing(choice(view, offer, 'other', ['consent/allow']), agreementsOf(view))),
    ...[...deny, ...later].slice(0, 1).map((offer) => choice(view, offer, 'other', ['consent/deny'])),
  ]);
}
