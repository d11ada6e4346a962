import { isInEdge, isNamedIn } from '../evidence.js';
import { says, words, type Words } from '../lexicon/words.js';
import { anySays, type PageView } from '../page-view.js';
import type { PageSnapshot } from '../snapshot.js';
import type { PageContext } from '../verdict.js';
import { sentencesOf } from './sentences.js';

const LONGEST_GREETING = 200;

/** Its headings that are new since the last submit; of a page that has none and says little, all of it if it names who was sent. */
function headOf({ context: { before, name }, snapshot: { headings, text } }: PageView): string {
  const isShort =
    headings.length === 0 && text.length <= LONGEST_GREETING && name !== undefined && isNamedIn(text.replace(/[.!,]/g, ' '), name);
  return isShort ? text : headings.filter((heading) => before?.alerts.includes(heading) !== true).join(' ');
}

/** "You are already signed in", and little else; not what is still to be done for it. */
function saysSignedIn(view: PageView): boolean {
  const { text, headings } = view.snapshot;
  if (anySays(view, 'verify', 'code', 'sendCode', 'mine')) return false;
  const sentences = [...headings, ...(text.length <= LONGEST_GREETING ? sentencesOf(text, { headings }) : [])];
  return sentences.some((sentence) => says('signedIn', words(sentence)) && !isConditional(words(sentence)));
}

const isConditional = (said: Words): boolean => says('provided', said) || says('timed', said);

/** In its headings, or in something it announces. */
export const isGreeted = (view: PageView): boolean =>
  (says('greeting', words(headOf(view))) && !says('guest', words(headOf(view)))) ||
  saysSignedIn(view) ||
  view.snapshot.alerts.some(({ source, text }) => !/^(plain|over)$/.test(source) && says('greeting', words(text)));

/** The page tells anew, since something was sent from it, that it was right or that it goes on: of a code that may be that it was sent. */
export const isPraised = ({ alerts }: PageSnapshot, { before }: PageContext): boolean =>
  before !== null &&
  alerts.some(({ source, text }) => {
    const said = words(text);
    if (before.alerts.includes(text) || says('wrong', said) || says('failure', said)) return false;
    if (before.form === 'login') return source === 'done' || says('passing', said) || says('greeting', said);
    return source !== 'plain' && says('passing', said);
  });

/** Of a page that greets and says that it goes on: where to, is not known yet. It speaks for nothing by itself. */
export const PASSING = 'success/passing';

const MOST_LED_ON = 3;

/** "You will be redirected in 5 seconds", and at most a link for those who are not. */
export const isLedOn = (view: PageView): boolean =>
  view.context.before !== null &&
  view.snapshot.text.length <= LONGEST_GREETING &&
  anySays(view, 'passing') &&
  view.pressables.length <= MOST_LED_ON &&
  view.pressables.filter(({ control }) => !isInEdge(control)).length <= 1;
