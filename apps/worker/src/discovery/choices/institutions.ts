import { isInEdge } from '../evidence.js';
import { isAskableList, promptOf, realOptions } from '../fields/lists.js';
import type { Meant } from '../forms/meanings.js';
import { isJust, plain, says, type Words, words } from '../lexicon/words.js';
import type { PageView } from '../page-view.js';
import { senders } from '../rules/forms/facts.js';
import { findEntry } from './ways-in.js';

/**
 * A list by which a website asks, before anything else, whose login it is to go on to: a "Where are you from?". A page that lists countries,
 * or goes through what it has by a list, asks none of this.
 */
export function asksWhoseLogin(view: PageView, list: Meant): boolean {
  if (!isAskableList(list) || isOfCountries(list) || !hasSender(view, list)) return false;
  const { headings, snapshot, told } = view;
  const own = [list.evidence.label, list.evidence.aria, list.evidence.neighbour, words(promptOf(list.control))];
  const choosing = (said: Words): boolean => says('chooseOrganization', said);
  if (choosing(headings) || choosing(words(snapshot.title))) return true;
  // Below a way in that leads elsewhere these words may be about anything.
  return findEntry(view) === null && (own.some((said) => choosing(said) || isJust('tenant', said)) || choosing(told));
}

/** Sent by a button of its own form, which does not search. */
const hasSender = ({ forms }: PageView, list: Meant): boolean =>
  forms.some(
    ({ segment }) =>
      segment.boxes.includes(list) &&
      senders(segment).some(({ control, evidence: { text } }) => !isInEdge(control) && !says('search', text) && !says('subscribe', text)),
  );

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ru', 'ja', 'zh', 'zh-TW', 'ko'] as const;
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
let known: ReadonlySet<string> | undefined;

/** Made when they are first asked for: some thousand look-ups. */
function countries(): ReadonlySet<string> {
  known ??= new Set(
    LANGUAGES.flatMap((language) => {
      const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
      return LETTERS.flatMap((first) => LETTERS.map((second) => names.of(`${first}${second}`))).flatMap((name) =>
        name === undefined ? [] : [plain(name)],
      );
    }),
  );
  return known;
}

const isOfCountries = ({ control }: Meant): boolean => {
  const real = realOptions(control);
  return real.filter(({ option }) => countries().has(plain(option.text))).length > real.length / 2;
};
