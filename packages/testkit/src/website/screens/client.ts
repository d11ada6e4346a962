import { html, literal, raw, type Html } from '../html.js';
import type { Visit } from '../screen.js';

export interface ClientStep {
  readonly step: string;
  readonly boxes: ReadonlyArray<{ readonly name: string; readonly label: string; readonly type: string }>;
  readonly button: string;
}

export interface ClientOptions {
  readonly steps: readonly ClientStep[];
  /** Milliseconds until anything is drawn, as while a bundle loads. */
  readonly delay: number;
  /** `labels`: real labels and a form. `placeholders`: no form, no label, no name; a `div` is the button. */
  readonly style: 'labels' | 'placeholders';
  /** `input`: values count when an input event tells them. `keys`: only when keys were pressed in the box. */
  readonly listens: 'input' | 'keys';
  /**
   * What sends: anything a page may be told by; or only the browser's own clicks, pointer or Enter, as pages have it that mistrust scripts.
   * `enter` has no button.
   */
  readonly obeys?: 'anything' | 'clicks' | 'pointer' | 'enter';
  /** Expression for the node to draw into. */
  readonly root?: string;
}

/**
 * A form drawn and kept by script, the way component frameworks do it: the state is the truth, a box is only its picture.
 * A value put into a box without the events a person causes is overwritten at the next drawing and never sent. The address never changes
 * between steps; answers come as JSON.
 */
export function clientForm(
  visit: Visit,
  { steps, delay, style, listens, obeys = 'anything', root = `document.getElementById('app')` }: ClientOptions,
): Html {
  return html`
const steps = ${literal(steps)}, root = ${raw(root)}, base = ${literal(visit.base)};
const state = { at: 0, values: {}, keys: {}, nonce: ${literal(visit.nonceValue())}, error: '', busy: false };
const node = (tag, props, ...children) => { const made = document.createElement(tag); Object.assign(made, props); made.append(...children); return made; };
const ready = () => steps[state.at].boxes.every(({ name }) => state.values[name]) && !state.busy;
const send = async () => {
  if (!ready()) return;
  state.busy = true; redraw();
  const step = steps[state.at];
  const values = Object.fromEntries(step.boxes.map(({ name }) => [name, state.values[name]]));
  const answer = await (await fetch(base + '/' + step.step, { method: 'POST', headers: { accept: 'application/json', 'content-type': 'application/json' }, body: JSON.stringify({ _nonce: state.nonce, ...values }) })).json();
  if (answer.nonce) state.nonce = answer.nonce;
  const next = steps.findIndex((one) => answer.to === base + '/' + one.step);
  if (answer.to && next < 0) return location.assign(answer.to);
  Object.assign(state, { busy: false, error: answer.error ?? '', at: answer.to ? next : state.at, values: answer.to ? {} : state.values });
  draw();
};
let boxes = [], button, alert;
// Every change of state paints every box from the state again.
const redraw = () => {
  for (const [box, name] of boxes) { const value = state.values[name] ?? ''; if (box.value !== value) box.value = value; }
  button.toggleAttribute('disabled', !ready()); button.setAttribute('aria-disabled', String(!ready()));
  alert.hidden = state.error === ''; alert.textContent = state.error;
};
const listen = (box, name) => {
  const take = () => { state.values[name] = box.value; state.error = ''; redraw(); };
  if (${literal(listens)} === 'input') return box.addEventListener('input', take);
  box.addEventListener('keydown', () => { state.keys[name] = true; });
  box.addEventListener('keyup', () => { if (state.keys[name]) take(); });
};
const draw = () => {
  const step = steps[state.at], labelled = ${literal(style)} === 'labels';
  boxes = step.boxes.map(({ name, label, type }) => [node('input', labelled ? { type, id: 'in-' + name, name } : { type, placeholder: label }), name]);
  boxes.forEach(([box, name]) => listen(box, name));
  alert = node('div', { className: 'error', hidden: true, role: 'alert' });
  button = node(labelled ? 'button' : 'div', labelled ? { type: 'submit', className: 'full', textContent: step.button } : { className: 'button full', role: 'button', tabIndex: 0, textContent: step.button });
  const rows = boxes.flatMap(([box, name], index) => labelled ? [node('label', { htmlFor: 'in-' + name, textContent: step.boxes[index].label }), box] : [box]);
  const obeys = ${literal(obeys)}, heeded = { clicks: ['click'], pointer: ['pointerup'], enter: [] }[obeys];
  const frame = node(labelled ? 'form' : 'div', {}, alert, ...rows, ...(obeys === 'enter' ? [] : [button]));
  if (heeded) {
    for (const kind of heeded) button.addEventListener(kind, (event) => { if (event.isTrusted) void send(); });
    frame.addEventListener('keydown', (event) => { if (event.key === 'Enter' && event.isTrusted) { event.preventDefault(); void send(); } });
    frame.addEventListener('submit', (event) => event.preventDefault());
  } else if (labelled) frame.addEventListener('submit', (event) => { event.preventDefault(); void send(); });
  else { button.addEventListener('click', () => void send()); frame.addEventListener('keydown', (event) => { if (event.key === 'Enter') void send(); }); }
  root.replaceChildren(frame);
  redraw();
};
setTimeout(draw, ${delay});`;
}
