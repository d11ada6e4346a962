import { lengthOf, says, type Words } from './lexicon/words.js';
import { pathOf } from './forms.js';
import type { Meant } from './meanings.js';

const LEAVES = /log_?out|sign_?out|log_?off|sign_?off|abmelden|deconnexion|cerrar_?sesion|uitloggen|wyloguj/;
const LONGEST = 30;

/** A path, or a name in the code, that signs out. */
export const leaves = (path: string): boolean => LEAVES.test(path);

/** Ends what is open elsewhere, or goes on when that is done: an offer to somebody whom the website has not let in yet. */
export const endsOthers = (text: Words): boolean => says('signOut', text) && (says('elsewhere', text) || says('next', text));

/** A button or link by which the one who is there leaves. */
export const isSignOut = ({ control, evidence: { text, code } }: Meant): boolean =>
  !endsOthers(text) && ((lengthOf(text) <= LONGEST && says('signOut', text)) || leaves(pathOf(control.href)) || leaves(code));
