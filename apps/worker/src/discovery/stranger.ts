import { isInEdge, isPressable } from './evidence.js';
import { isJust, words } from './lexicon/words.js';
import { type ControlSnapshot, type PageSnapshot, routeOf } from './snapshot.js';
import { offerMark, type PageKind, type RuleId, type Verdict } from './verdict.js';
import { ASIDE } from './work.js';

/** What no page shows to somebody who is not signed in. */
const DECISIVE: ReadonlySet<RuleId> = new Set(['success/sign_out', 'success/folded_sign_out', 'success/called_by_name']);

/** What speaks for a signed-in page could stand on one that is shown to everybody. */
export const isInferred = (success: readonly RuleId[]): boolean => !success.some((rule) => DECISIVE.has(rule));

/** Pages that are still about who is there. */
const ASKING: ReadonlySet<PageKind> = new Set(['identifier', 'password', 'credentials', 'method_choice', 'landing']);

/** Whether a start address, looked at anew, asks for a login. */
export const isLoginAt = ({ kind }: Verdict): boolean => ASKING.has(kind);

const FEWEST_MENUS = 3;

/**
 * Whether somebody who has sent nothing is shown the same page under this address: then nothing on it tells of a login. It is the same by
 * its menus, if it has some, since what stands between them changes by itself; else by all there is to press.
 */
export function isShownToAll(page: PageSnapshot, toStranger: PageSnapshot): boolean {
  if (routeOf(page.url) !== routeOf(toStranger.url)) return false;
  const menus = marksOf(page, isInEdge);
  if (menus.size >= FEWEST_MENUS) return isSame(menus, marksOf(toStranger, isInEdge));
  return isSame(marksOf(page, isOwn), marksOf(toStranger, isOwn));
}

/** What a message brings along, and what stands on every page, is left aside. */
const isOwn = (control: ControlSnapshot): boolean =>
  control.landmark !== 'footer' && !ASIDE.some((concept) => isJust(concept, words(control.text || control.aria)));

/** Counters in a menu make it no other. */
const marksOf = ({ controls }: PageSnapshot, belongs: (control: ControlSnapshot) => boolean): ReadonlySet<string> =>
  new Set(
    controls
      .filter((control) => isPressable(control) && control.visible && belongs(control))
      .map((control) => offerMark(control).replace(/\d+/g, '')),
  );

const isSame = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  some.size > 0 && some.size === others.size && [...some].every((mark) => others.has(mark));
