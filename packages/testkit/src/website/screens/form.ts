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
  readonly value?: string;
}

export function inputField({ name, label, type = 'text', autocomplete, inputmode, value }: Input): Html {
  return html`<label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}"${autocomplete && html` autocomplete="${autocomplete}"`}${inputmode && html` inputmode="${inputmode}"`}${value && html` value="${value}"`} required>`;
}

/** The round initials and name that tell a visitor whom the page thinks it is talking to. */
export function person(identifier: string): Html {
  return html`<div class="person"><span class="face">${identifier.slice(0, 1).toUpperCase()}</span>${identifier}</div>`;
}
