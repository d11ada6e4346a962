import type { NewAccount } from './accounts.js';
import type { Language } from './words/index.js';
import type { Screen } from './screen.js';

/** Which value of the account (or which deliberately wrong one) answers a field. */
export type AnswerKey =
  | 'unknown'
  | 'username'
  | 'email'
  | 'phone'
  | 'password'
  | 'wrong-password'
  | 'sms'
  | 'email-code'
  | 'totp'
  | 'totp-secret'
  | 'wrong-code'
  | 'display-name'
  | 'branch'
  | 'workspace';

export type FieldType = 'identifier' | 'password' | 'code' | 'totp_code' | 'totp_secret' | 'text';
export type ChoiceType = 'mfa_method' | 'sso_provider' | 'sign_in_method' | 'auth_method' | 'identifier_method' | 'account' | 'other';
export type MfaType = 'sms' | 'call' | 'email' | 'totp' | 'push' | 'password' | 'passkey' | 'switch' | 'other';

export interface ExpectedField {
  readonly type: FieldType;
  readonly answer: AnswerKey;
  readonly reason?: 'rejected';
}

export interface ExpectedChoice {
  readonly type: ChoiceType;
  readonly label: string;
  readonly mfaType?: MfaType;
}

/** What the test driver does while the flow waits for something outside the browser. */
export type DriverAct = 'approve-push' | 'refuse-push' | 'open-magic-link';

/** One pause of the flow, in order: what must be offered, and how a person answers. */
export interface Pause {
  readonly fields?: readonly ExpectedField[];
  readonly choices?: readonly ExpectedChoice[];
  /** Label of the choice to press; absent means that the fields are filled in. */
  readonly pick?: string;
  /** The pause is AWAITING_EXTERNAL_ACTION and ends by this act. */
  readonly act?: DriverAct;
  /** Text that `external_action_message` must contain (a number to match). */
  readonly message?: string;
  /** The page itself, or the browser, takes this answer for wrong, and nothing is sent. */
  readonly unsent?: true;
  /** This pause may come more than once; answer the same each time, until the next one or the end. */
  readonly repeats?: true;
  /** Text that `website_error` must contain at this pause. */
  readonly websiteError?: string;
  /** The browser says so beside the box, not the page. */
  readonly byBrowser?: true;
}

export type ErrorCode =
  | 'login_form_not_found'
  | 'navigation_confused'
  | 'max_steps_exceeded'
  | 'domain_not_allowed'
  | 'stuck_in_loop'
  | 'website_error'
  | 'network_error'
  | 'credentials_invalid'
  | 'unsupported_auth_method'
  | 'captcha_blocked';

export interface Expectation {
  readonly pauses: readonly Pause[];
  /** SUCCESS, or the `error_code` of FAILED. Several where decisions.md leaves the choice to the engine. */
  readonly end: 'SUCCESS' | readonly ErrorCode[];
  /** How often each step must have been posted, for "at most once" (D41). Steps not named are free. */
  readonly posts?: Readonly<Record<string, number>>;
}

/** One login journey: a small site of its own under `http://<name>.localhost:<port>/` and `/s/<name>/`. */
export interface Scenario {
  readonly name: string;
  readonly family: string;
  readonly description: string;
  readonly language: Language;
  /** What the site calls itself; absent: Tidewater. */
  readonly brand?: string;
  /** Path, within the scenario, at which a flow starts (`login_url`). `/` is its home page. */
  readonly start: string;
  /** Parts the account must have; `addAccountFor` fills them in. */
  readonly account?: () => NewAccount;
  /** Host labels (before `.localhost`) besides the scenario's own that the connection allows. */
  readonly allowedHosts?: readonly string[];
  readonly screens: readonly Screen[];
  readonly expected: Expectation;
}
