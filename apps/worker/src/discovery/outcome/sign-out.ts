import { pathOf } from '../forms/forms.js';
import type { Meant } from '../forms/meanings.js';
import { type Concept, isJust, lengthOf, says, type Words } from '../lexicon/words.js';
import { shapeOf } from '../snapshot.js';

/** Of a query the page reader keeps only what says one of these (`partingWords`). A word of its own: not in "catalog_outdoor" or "design_office". */
const LEAVES =
  /(^|[^a-z])(do|user|web|app|admin|session|member|customer|account|ajax|btn|idp|cas|saml|oidc)?(log_?out|sign_?out|log_?off|sign_?off|abmelden|deconnexion|cerrar_?sesion|uitloggen|wyloguj)(btn|button|link|form|url|action|user|page|icon|item)?($|[^a-z])/;
const LONGEST = 30;

/** A path, or a name in the code, that signs out. */
const leaves = (path: string): boolean => LEAVES.test(path);

/** What a login that was left, or the next one, comes back to. */
const RETURNS = /next|return|redirect|continue|go_?to|from|back|refer|target|dest|url|uri|service/i;

/** An address that signs out by its path, or by its query where that says what to do: `index.php?route=/logout`, `?action=logout`, `?logout`. */
export const leadsOut = (href: string): boolean => {
  if (leaves(pathOf(href))) return true;
  const query = new URLSearchParams(/\?([^#]*)/.exec(href)?.[1] ?? '');
  return [...query].some(([key, value]) => !RETURNS.test(key) && (leaves(pathOf(key)) || leaves(pathOf(value))));
};

/** Ends what is open elsewhere, or goes on when that is done: an offer to somebody whom the website has not let in yet. */
export const endsOthers = (text: Words): boolean => says('signOut', text) && (says('elsewhere', text) || says('next', text));

/** "Decline and sign out": an answer to what is asked, beside the one that goes on. */
export const declinesAndLeaves = (text: Words): boolean => says('signOut', text) && (says('deny', text) || says('reject', text));

const GIVES_UP: readonly Concept[] = ['back', 'deny', 'close', 'no'];

/** A button or link by which the one who is there leaves. */
export const isSignOut = ({ control, evidence: { text, code } }: Meant): boolean =>
  !endsOthers(text) &&
  // "Cancel" gives up a step, wherever it leads.
  !GIVES_UP.some((concept) => isJust(concept, text)) &&
  ((lengthOf(text) <= LONGEST && says('signOut', text)) || leadsOut(control.href) || leaves(code));

/**
 * "Sign out" behind each of the devices that somebody has signed in on, below a heading about them: who may not come in before one has left.
 * `isInside`: the page is one of those that only who is in has; then its heading must say that there are too many.
 */
export const areSessions = (outs: readonly Meant[], headings: Words, isInside: boolean): boolean => {
  const rows = outs.filter(({ control }) => control.visible && control.row !== '');
  return (
    rows.length >= 2 &&
    new Set(rows.map(({ control }) => shapeOf(control))).size === 1 &&
    new Set(rows.map(({ control, evidence: { text } }) => `${text.squeezed} ${control.href}`)).size ===
      (rows.some(({ control }) => control.href !== '') ? rows.length : 1) &&
    (says('barred', headings) || (says('elsewhere', headings) && !isInside))
  );
};
