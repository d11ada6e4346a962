import { html, type Html } from '../html.js';
import { errorText } from '../layout.js';
import type { Visit } from '../screen.js';

/** A form that posts back to its own screen, with the nonce and the error of the last try. */
export function postForm(visit: Visit, step: string, ...content: readonly Html[]): Html {
  return html`<form method="post" action="${visit.base}/${step}" class="${visit.error ? 'invalid' : ''}">${visit.nonce()}${errorText(visit.error)}${content}</form>`;
}

export const submitButton = (label: string): Html => html`<button type="submit" class="full">${label}</button>`;

export interface Input {
  readonly name: string;
  readonly label: string;
  readonly type?: string;
  readonly autocomplete?: string;
  readonly inputmode?: string;
  readonly value?: string | undefined;
}

export function inputField({ name, label, type = 'text', autocomplete, inputmode, value }: Input): Html {
  return html`<label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}"${autocomplete && html` autocomplete="${autocomplete}"`}${inputmode && html` inputmode="${inputmode}"`}${value && html` value="${value}"`} required>`;
}

/** The round initials and name that tell a visitor whom the page thinks it is talking to. */
export function person(identifier: string): Html {
  return html`<div class="person"><span class="face">${identifier.slice(0, 1).toUpperCase()}</span>${identifier}</div>`;
}

/** What the boxes are called in the markup, and whether it helps password managers. */
export interface Markup {
  readonly identifier: string;
  readonly password: string;
  readonly code: string;
  readonly autocomplete: boolean;
}

export const helpfulMarkup: Markup = { identifier: 'username', password: 'password', code: 'code', autocomplete: true };

/** Names that say nothing, as generated ones do: only the visible label tells what a box is for. */
export const opaqueMarkup: Markup = { identifier: 'f_10a', password: 'f_10b', code: 'f_10c', autocomplete: false };

const hint = (markup: Markup, token: string): { autocomplete?: string } => (markup.autocomplete ? { autocomplete: token } : {});

export const identifierField = (visit: Visit, markup: Markup): Html =>
  inputField({ name: markup.identifier, label: visit.words.identifier, value: visit.typed, ...hint(markup, 'username') });

export const passwordField = (visit: Visit, markup: Markup): Html =>
  inputField({ name: markup.password, label: visit.words.password, type: 'password', ...hint(markup, 'current-password') });

export const codeField = (visit: Visit, markup: Markup): Html =>
  inputField({
    name: markup.code,
    label: visit.words.code,
    ...(markup.autocomplete ? { inputmode: 'numeric', autocomplete: 'one-time-code' } : {}),
  });
