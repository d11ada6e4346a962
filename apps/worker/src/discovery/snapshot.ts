/**
 * What the observer saw: structure and words of a page, never the values typed into it. The only input of discovery.
 */

/** Addresses one element so that the same element is found again after a re-render. Opaque here; the page adapter resolves it. */
export type Handle = string;

export interface Box {
  /** CSS pixels from the top left corner of the document. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface OptionSnapshot {
  readonly text: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly selected: boolean;
  /** What heads its part of the list: "Call me" above two numbers. */
  readonly group: string;
}

/** Why a control is out of a person's reach; null when it can be used. */
export type Unreachable = 'not_rendered' | 'transparent' | 'off_screen' | 'aria_hidden' | 'inert' | 'covered' | 'clipped';

/** Anything a person could type into or press. */
export interface ControlSnapshot {
  readonly handle: Handle;
  /** Selectors inside the control's own frame, as shown to clients. */
  readonly selector: string;
  readonly xpath: string;
  readonly frame: string;
  readonly tag: 'input' | 'select' | 'textarea' | 'button' | 'a' | 'other';
  /** `type` of an input or button, lower case; empty for the rest. */
  readonly type: string;
  readonly role: string;
  readonly autocomplete: string;
  readonly name: string;
  readonly id: string;
  readonly classes: string;
  /** Text of `<label>` elements tied to it. */
  readonly label: string;
  /** `aria-label` and the text of `aria-labelledby`. */
  readonly aria: string;
  /** Text of `aria-describedby` and of help text beside it. */
  readonly description: string;
  readonly placeholder: string;
  readonly title: string;
  /** Nearest text before it that belongs to no other control. */
  readonly neighbour: string;
  /** What a button, link or option row says: its text, else the value, image text or title. */
  readonly text: string;
  /** Its own text line by line, joined by `\n`; for radio buttons and checkboxes that of their label. */
  readonly lines: string;
  /** Text of the row it is alone in, line by line, its own text left out: names a "Select" button. */
  readonly row: string;
  /** What is said of all radio buttons of its group: their legend, or the name of the group. */
  readonly legend: string;
  /** Icon hints of a button: `alt`, `<title>` of an svg, last segment of an image address, data-provider and the like. */
  readonly icon: string;
  /** Where a link or a form button leads, without fragment, and with what its query says of signing out; empty if nowhere. */
  readonly href: string;
  /** Group it belongs to: a form, or the nearest dialog or landmark for controls outside forms. */
  readonly form: string;
  readonly landmark: 'dialog' | 'header' | 'nav' | 'main' | 'aside' | 'footer' | '';
  /** id, class and words of the box laid over the page that a button stands in; empty if in none, or in one that asks for a password. */
  readonly overlay: string;
  readonly box: Box;
  readonly visible: boolean;
  readonly unreachable: Unreachable | null;
  readonly disabled: boolean;
  readonly readOnly: boolean;
  readonly required: boolean;
  readonly checked: boolean;
  /** Whether it holds a value. The value itself is never read out of the page. */
  readonly filled: boolean;
  /** `aria-invalid`, or a constraint the browser reports after input. */
  readonly invalid: boolean;
  readonly maxLength: number | null;
  readonly inputMode: string;
  readonly pattern: string;
  readonly options: readonly OptionSnapshot[];
}

/** A button or link that is in the page but not shown, as in a menu that is not open. */
export interface FoldedOffer {
  readonly text: string;
  readonly href: string;
}

export interface FormSnapshot {
  readonly key: string;
  readonly frame: string;
  /** False for a group made of controls outside any `<form>`. */
  readonly element: boolean;
  readonly id: string;
  readonly name: string;
  readonly classes: string;
  readonly action: string;
  readonly aria: string;
  /** Headings and legends inside it, else the heading just before it. */
  readonly heading: string;
  /** Visible text, at most 2000 characters. */
  readonly text: string;
}

export interface TextBlock {
  readonly frame: string;
  readonly text: string;
  /**
   * `alert`: announced at once (role alert, aria-live assertive). `status`: announced when it suits (role status, aria-live polite).
   * `marked`: class or id says error. `invalid`: tied to an invalid control. `red`: only its colour says so. `plain`: nothing
   * does, but it stands in a form with a box to type into. `unseen`: any of the first four, where only a reader of screens finds it.
   * `done`: any of the first three whose class says success. `over`: it is laid over the page, and nothing else is known of it.
   */
  readonly source: 'alert' | 'status' | 'marked' | 'invalid' | 'red' | 'plain' | 'unseen' | 'done' | 'over' | 'dialog';
}

export interface FrameSnapshot {
  /** `''` for the main frame. Stable across observations while the frame's element stays. */
  readonly key: string;
  readonly url: string;
  readonly title: string;
  readonly visible: boolean;
  readonly box: Box;
}

export interface PageSnapshot {
  readonly url: string;
  /** Differs between two documents of one window: after a navigation all texts are new. */
  readonly documentId: string;
  readonly title: string;
  readonly language: string;
  /** Status of the HTTP answer that the main document came with, null if it is not known. */
  readonly httpStatus: number | null;
  /** True when this is a pop-up window opened by the login page. */
  readonly popup: boolean;
  /** `loading` until the document is parsed. */
  readonly readyState: 'loading' | 'interactive' | 'complete';
  /** Frames observed, main frame first; also frames that hold no controls, since a captcha is one. */
  readonly frames: readonly FrameSnapshot[];
  readonly forms: readonly FormSnapshot[];
  /** In document order, frame after frame. */
  readonly controls: readonly ControlSnapshot[];
  readonly headings: readonly string[];
  readonly alerts: readonly TextBlock[];
  /** Visible texts that are one to three digits and nothing else, as number matching shows them. */
  readonly numbers: readonly string[];
  /** Visible text of all visible frames, at most 6000 characters. */
  readonly text: string;
  /** Text of the topmost modal dialog, empty if none. */
  readonly modalText: string;
  /** At most 100 a frame. */
  readonly folded: readonly FoldedOffer[];
}

/** An address without what may differ between two visits of one page. */
export const placeOf = (url: string): string => url.replace(/[?#].*$/, '');

/** The same with the route that an application keeps in the fragment, as `#/invoices`. */
export const routeOf = (url: string): string => placeOf(url) + (/#(!?\/[^?#]*)/.exec(url)?.[0] ?? '');

/** Where it stands in the structure of its page, whichever of its kind it is: the items of a list have the same. */
export const shapeOf = ({ xpath }: Pick<ControlSnapshot, 'xpath'>): string => xpath.replace(/\[\d+\]/g, '');
