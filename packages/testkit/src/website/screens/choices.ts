import { html, type Html } from '../html.js';
import { card } from '../layout.js';
import { go, type Outcome, type Screen, type Visit } from '../screen.js';
import { postForm, submitButton } from './form.js';

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
}

/** How a site may draw one and the same list. */
export type Drawing = 'buttons' | 'links' | 'radios' | 'select' | 'rows';

export interface ChoiceOptions {
  readonly step: string;
  readonly drawing: Drawing;
  readonly title: string;
  readonly lead: string;
  readonly options: (visit: Visit) => readonly Option[];
  readonly choose: (visit: Visit, value: string) => Outcome;
}

const words = ({ label, detail }: Option): Html => html`<span><b>${label}</b>${detail && html`<small>${detail}</small>`}</span>`;

const flat = ({ label, detail }: Option): string => (detail === undefined ? label : `${label} (${detail})`);

const drawings: Readonly<Record<Drawing, (visit: Visit, step: string, options: readonly Option[]) => Html>> = {
  buttons: (visit, step, options) =>
    postForm(
      visit,
      step,
      html`<ul class="options">${options.map((option) => html`<li><button class="option" name="choice" value="${option.value}">${words(option)}</button></li>`)}</ul>`,
    ),
  links: (visit, step, options) =>
    html`<ul class="options">${options.map((option) => html`<li><a class="option" href="${visit.base}/${step}?choice=${option.value}">${words(option)}</a></li>`)}</ul>`,
  radios: (visit, step, options) =>
    postForm(
      visit,
      step,
      html`<ul class="options">${options.map((option, at) => html`<li><label class="option"><input type="radio" name="choice" value="${option.value}"${at === 0 && html` checked`}>${words(option)}</label></li>`)}</ul>`,
      submitButton('Continue'),
    ),
  select: (visit, step, options) =>
    postForm(
      visit,
      step,
      html`<label for="choice">Method</label><select id="choice" name="choice" required><option value="">Please choose…</option>${options.map((option) => html`<option value="${option.value}">${flat(option)}</option>`)}</select>`,
      submitButton('Continue'),
    ),
  rows: (visit, step, options) =>
    postForm(
      visit,
      step,
      html`<ul class="options">${options.map((option) => html`<li class="option">${words(option)}<button class="small plain" style="margin-left:auto" name="choice" value="${option.value}">Select</button></li>`)}</ul>`,
    ),
};

/** A list to pick one from. Links pick by GET, everything else by a counted post. */
export function choiceScreen({ step, drawing, title, lead, options, choose }: ChoiceOptions): Screen {
  return {
    step,
    show: (visit) => {
      if (!visit.attempt.account) return go('login');
      const picked = visit.query.get('choice');
      if (picked !== null) return choose(visit, picked);
      return { title, body: card(html`<h1>${title}</h1><p class="lead">${lead}</p>`, drawings[drawing](visit, step, options(visit))) };
    },
    accept: (visit, form) => choose(visit, form['choice'] ?? ''),
  };
}
