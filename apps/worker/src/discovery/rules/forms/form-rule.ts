import type { Segment } from '../../forms/segments.js';
import type { Words } from '../../lexicon/words.js';

/** What sending a form would do. `question`: it answers what a website asks on the way in, whatever that is. */
export type FormKind = 'login' | 'signup' | 'reset' | 'change' | 'code' | 'question' | 'search' | 'newsletter' | 'other';

/** The page around a form, read once. */
export interface Surroundings {
  readonly title: Words;
  readonly headings: Words;
  readonly path: string;
  readonly text: Words;
  readonly onlyForm: boolean;
  /** What the website knows by now: nothing; who it is or who vouches for it; a proof. */
  readonly given: 'nothing' | 'name' | 'proof';
  /** Something on the page goes on without what it asks for. */
  readonly canWait: boolean;
  /** A button or link that stands in no form with boxes leads on or signs in. */
  readonly goesOnElsewhere: boolean;
  /** It is what a way in led to. */
  readonly entered: boolean;
  /** The page is another than the one from which something was sent last. */
  readonly moved: boolean;
}

export interface FormRule {
  readonly id: string;
  readonly kind: FormKind;
  readonly weight: number;
  readonly test: (segment: Segment, page: Surroundings) => boolean;
}
