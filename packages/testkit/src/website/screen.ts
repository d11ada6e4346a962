import type { Account } from './accounts.js';
import type { Html } from './html.js';
import type { Attempt, Session } from './visitors.js';
import type { Words } from './words/index.js';

/** Posted values by field name; a repeated name keeps its last value. */
export type Form = Readonly<Record<string, string>>;

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** `card`: one centred card, as sign-in pages have. `wide`: a product page. `bare`: no header and footer, for frames. */
  readonly layout?: 'card' | 'wide' | 'bare';
  readonly status?: number;
  /** Value of `WWW-Authenticate`, as a server sends it that signs people in by the browser's own dialog. */
  readonly challenge?: string;
  /** Instead of the header's sign-in link. */
  readonly headerAction?: Html;
  /** Text of a script that runs at the end of the body. */
  readonly script?: Html;
}

/** What a screen knows about the browser that asks for it. */
export interface Visit {
  readonly scenario: string;
  /** What to put before a path of this scenario: empty on its own host, `/s/<name>` elsewhere. */
  readonly base: string;
  /** `http://host:port` as the browser sees it. */
  readonly origin: string;
  readonly query: URLSearchParams;
  readonly words: Words;
  readonly attempt: Attempt;
  readonly session?: Session;
  /** The form error to show, after a refusal. */
  readonly error?: string;
  /** What was typed last time, so that a form can show it again. Never a secret. */
  readonly typed?: string;
  /** The origin of another scenario's own host on this server. */
  originOf(name: string): string;
  /** The hidden input that lets a double submission be told from a second try. */
  nonce(): Html;
  nonceValue(): string;
  findAccount(identifier: string): Account | undefined;
  issueTicket(account: Account): string;
  redeemTicket(ticket: string): Account | undefined;
}

export type Outcome =
  | { readonly kind: 'go'; readonly to: string }
  /** The values were refused: the same screen again, with this text (none: the silent loop of bad sites). */
  | { readonly kind: 'reject'; readonly error: string; readonly typed?: string }
  | { readonly kind: 'signed-in'; readonly account: Account; readonly to?: string }
  | { readonly kind: 'page'; readonly page: Page; readonly verdict: 'accepted' | 'rejected' };

/** One page of a scenario: `GET <step>` shows it, `POST <step>` judges what was typed. */
export interface Screen {
  readonly step: string;
  /** A page, or where to go instead (a screen reached too early, a wait that is over). */
  show(visit: Visit): Page | Outcome | Promise<Page | Outcome>;
  accept?(visit: Visit, form: Form): Outcome | Promise<Outcome>;
  /** Answer for scripts of the page that ask how things stand, under `GET <step>.json`. */
  poll?(visit: Visit): Readonly<Record<string, unknown>>;
}

export const go = (to: string): Outcome => ({ kind: 'go', to });
export const reject = (error: string, typed?: string): Outcome => ({ kind: 'reject', error, ...(typed === undefined ? {} : { typed }) });
export const signedIn = (account: Account, to?: string): Outcome => ({ kind: 'signed-in', account, ...(to === undefined ? {} : { to }) });
