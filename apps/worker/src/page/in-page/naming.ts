/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { attribute, cleanText } from './dom.js';
import { asidesIn, isRemark } from './marks.js';

/** Pictures that a font draws in the place of a word ("visibility", "error"): nobody reads the word. */
export function drawnWords(): string {
  return '.material-icons, [class*=material-icons-], [class*=material-symbols], mat-icon';
}

/** Visible text of an element; `innerText` knows about styles, and an unrendered element has none. */
export function textOf(element: Element, max: number): string {
  let rendered = (element as HTMLElement).innerText ?? element.textContent ?? '';
  for (const picture of element.querySelectorAll(drawnWords())) rendered = rendered.replace(picture.textContent?.trim() ?? '', ' ');
  return cleanText(rendered, max) || slottedText(element, max);
}

/** What a web component is given to show in one of its parts, or shows by itself: the part's own text has none of it. */
export function slottedText(element: Element, max: number): string {
  const given = [...element.querySelectorAll('slot')].flatMap((slot) => slot.assignedNodes({ flatten: true }));
  if (given.length === 0) given.push(...(element.shadowRoot?.childNodes ?? []));
  // Templates leave comments in the places that they fill.
  const shown = given.filter((node) => node instanceof Text || (node instanceof Element && !node.matches('style, script')));
  return cleanText(shown.map((node) => (node as Partial<HTMLElement>).innerText ?? node.textContent ?? '').join(' '), max);
}

export function textsById(element: Element, name: string, max: number): string {
  const ids = (element.getAttribute(name) ?? '').split(/\s+/).filter(Boolean);
  const root = element.getRootNode() as Document | ShadowRoot;
  return cleanText(ids.map((id) => root.getElementById(id)?.textContent ?? '').join(' '), max);
}

export function optionName(option: HTMLOptionElement): string {
  return cleanText(option.label || option.text, 120);
}

export function labelText(element: Element): string {
  const { labels } = element as HTMLInputElement;
  const isTicked = isTick(element);
  const tied = labels ? [...labels] : [];
  // Some websites tie what they refuse about a box to it as one more label.
  const naming = tied.filter((label) => !isRemark(label, element));
  const isNamed = naming.length > 0 || attribute(element, 'placeholder') !== '';
  const own = cleanText((isNamed ? naming : tied).map((label) => wordsOf(label, isTicked)).join(' '), 200);
  const loose = own !== '' ? null : isTicked ? labelBeside(element) : looseLabel(element);
  return loose ? cleanText(wordsOf(loose, false), 200) : own;
}

/** A radio button or a box to tick, also where a component has made it of a button. */
export function isTick(element: Element): boolean {
  const { type } = element as HTMLInputElement;
  const role = element.localName === 'button' ? (element.getAttribute('role') ?? '') : '';
  return type === 'radio' || type === 'checkbox' || role === 'radio' || role === 'checkbox';
}

/** What draws a radio button or a box to tick that is hidden: its label, or the only one beside it, tied to nothing. */
export function labelBeside(tick: Element): HTMLLabelElement | null {
  const tied = (tick as HTMLInputElement).labels?.[0];
  if (tied) return tied;
  const [only, more] = tick.parentElement?.querySelectorAll('label') ?? [];
  const isAlone = tick.parentElement?.querySelectorAll('input:not([type=hidden]), select, textarea').length === 1;
  return only && !more && isAlone && only.control === null ? only : null;
}

/** Libraries tie a label to what is around the box, or to nothing: it stands alone with the box then. */
export function looseLabel(element: Element): HTMLLabelElement | null {
  const root = element.getRootNode() as Document | ShadowRoot;
  for (let at = element.parentElement, level = 0; at && level < 5 && !at.matches('form, body'); at = at.parentElement, level += 1) {
    if (at.querySelectorAll('input:not([type=hidden]), select, textarea').length > 1) return null;
    const tied = at.id === '' ? null : root.querySelector<HTMLLabelElement>(`label[for="${CSS.escape(at.id)}"]`);
    if (tied) return tied;
    const [only, more] = at.querySelectorAll('label');
    if (only?.control === null && !more) return only;
  }
  return null;
}

/**
 * What a label says, without what the controls inside it say: a list holds its options, and "Forgot it?" beside the word is not the box's
 * name. Of what is ticked a link may be half of the name ("I accept the terms").
 */
export function wordsOf(label: Element, withLinks: boolean): string {
  const once = saidTwice(label);
  if (once !== '') return once;
  const never = [...label.querySelectorAll(`select, textarea, ${drawnWords()}`)];
  const alone = withLinks ? '' : textBeside(label, [...label.querySelectorAll('a[href], button'), ...asidesIn(label), ...never]);
  return alone.trim() === '' ? textBeside(label, never) : alone;
}

/** Of a label that is nothing but the same words twice, once to be read and once to keep a gap in an outline open: these words. */
export function saidTwice(label: Element): string {
  const said = textNodesOf(label)
    .map((node) => cleanText(node.textContent, 200))
    .filter((text) => text !== '');
  return said.length === 2 && said[0] === said[1] ? (said[0] ?? '') : '';
}

/** The texts of an element as they are read: in the place of a slot what it is given to show. */
export function textNodesOf(node: Node): Node[] {
  if (node instanceof Text) return [node];
  const given = node instanceof HTMLSlotElement ? node.assignedNodes({ flatten: true }) : [];
  return (given.length > 0 ? given : [...node.childNodes]).flatMap((part) => textNodesOf(part));
}

export function textBeside(label: Element, parts: Element[]): string {
  const hidden = label.checkVisibility() ? [...label.querySelectorAll('*:not(slot)')].filter((part) => !part.checkVisibility()) : [];
  const apart = [...parts, ...hidden];
  const said = textNodesOf(label).filter((node) => !apart.some((part) => part.contains(node)));
  return said.map((node) => node.textContent ?? '').join(apart.length === 0 ? '' : ' ');
}

export function ariaText(element: Element): string {
  return cleanText(`${textsById(element, 'aria-labelledby', 150)} ${attribute(element, 'aria-label')}`, 200);
}

export function linesOf(element: Element, max: number): string {
  const lines = ((element as HTMLElement).innerText ?? element.textContent ?? '').split('\n').map((line) => cleanText(line, max));
  return lines.filter(Boolean).join('\n').slice(0, max);
}

/** What a group of radio buttons is called: by its legend, by the name of its group, or by the text right before the first of them. */
export function legendOf(element: Element): string {
  if (!element.matches('input[type=radio]')) return '';
  const group = element.closest('fieldset, [role=radiogroup], [role=group]');
  const named = group ? (group.querySelector('legend')?.textContent ?? '') || ariaText(group) : '';
  if (named !== '') return cleanText(named, 120);
  const name = element.getAttribute('name') ?? '';
  const root = element.getRootNode() as Document | ShadowRoot;
  const [first] = root.querySelectorAll(`input[type=radio][name="${CSS.escape(name)}"]`);
  for (let at: Element | null = first ?? null, level = 0; at && level < 3; at = at.parentElement, level += 1) {
    if (at.matches('form, body, main, section')) break;
    for (let before = at.previousSibling; before; before = before.previousSibling) {
      if (before instanceof Element && before.querySelector('input, select, textarea, button')) return '';
      const text = cleanText(before.textContent, 121);
      if (text !== '') return text.length <= 120 && !(before instanceof Element && before.matches('input, button, h1')) ? text : '';
    }
  }
  return '';
}

export function holdsOther(outer: Element, element: Element): boolean {
  const controls =
    'input:not([type=hidden]), select, textarea, button, a[href], [onclick], [tabindex="0"], [role=button], [role=link], [role=option], [role=radio], [role=menuitem], [role=tab]';
  for (const other of outer.querySelectorAll(controls)) if (other !== element && !element.contains(other)) return true;
  return false;
}

/** The text of the largest surroundings that hold no other control: a row of a list of choices. */
export function rowText(element: Element): string {
  let row = '';
  for (let at = element.parentElement, level = 0; at && level < 5; at = at.parentElement, level += 1) {
    if (at.matches('form, body, main, section, dialog, [role=dialog]')) break;
    if (holdsOther(at, element)) break;
    row = linesOf(at, 300);
  }
  const own = linesOf(element, 300).split('\n');
  const [only = ''] = own;
  // What stands on one line with it runs together with it; a single word may be a part of what else is said.
  const rest = (line: string): string => (own.length === 1 && only.includes(' ') ? cleanText(line.replace(only, ' '), 300) : line);
  return row
    .split('\n')
    .filter((line) => !own.includes(line))
    .map(rest)
    .filter(Boolean)
    .join('\n');
}

export function fileStem(address: string): string {
  return cleanText(
    address.startsWith('data:')
      ? ''
      : (address.split(/[?#]/)[0] ?? '')
          .split('/')
          .pop()
          ?.replace(/\.\w+$/, ''),
    60,
  );
}

/** What an icon-only button shows, from its pictures and data attributes. */
export function iconText(element: Element): string {
  const hints: string[] = [];
  for (const name of ['data-provider', 'data-strategy', 'data-idp', 'data-social', 'data-icon', 'data-network', 'data-connection'])
    hints.push(attribute(element, name, 60));
  for (const part of [element, ...element.querySelectorAll('img, svg, svg title, use, i, span[class]')].slice(0, 12)) {
    if (part instanceof HTMLImageElement) hints.push(part.alt, fileStem(part.getAttribute('src') ?? ''));
    else if (part.localName === 'title') hints.push(part.textContent ?? '');
    else if (part.localName === 'use') hints.push((part.getAttribute('href') ?? part.getAttribute('xlink:href') ?? '').replace(/^.*#/, ''));
    else if (part !== element) hints.push(attribute(part, 'class', 80), attribute(part, 'aria-label', 60));
  }
  return cleanText(hints.filter(Boolean).join(' '), 200);
}

export function pressableText(element: Element): string {
  const input = element as HTMLInputElement;
  const isButtonInput = element.localName === 'input' && /^(submit|button|reset|image)$/.test(input.type);
  const candidates = [
    isButtonInput ? (input.getAttribute('value') ?? '') : textOf(element, 200),
    ariaText(element),
    attribute(element, 'alt'),
    element.querySelector('img[alt]')?.getAttribute('alt') ?? '',
    element.querySelector('svg title')?.textContent ?? '',
    attribute(element, 'title'),
    isButtonInput ? '' : textOf(element, 200) || (element.checkVisibility() ? cleanText(element.textContent, 200) : ''),
  ];
  const told = candidates.map((text) => cleanText(text, 200)).filter((text) => text !== '');
  // An arrow says less than the name that it is given.
  return told.find((text) => /[\p{L}\p{N}]/u.test(text)) ?? told[0] ?? '';
}

/**
 * `?route=/logout`, `?logout=`: names with their values where those are the words, and nothing else. Knows all words of `sign-out.ts`, which
 * judges what is kept here.
 */
export function partingWords(url: URL): string {
  const parts = (word: string): boolean =>
    /^[\w./-]{1,40}$/.test(word) && /(log|sign)[_.-]?(out|off)|abmelden|deconnexion|cerrar[_.-]?sesion|uitloggen|wyloguj/i.test(word);
  let query = '';
  url.searchParams.forEach((value, name) => {
    if (parts(name) || parts(value)) query += `${query ? '&' : '?'}${name}=${parts(value) ? value : ''}`;
  });
  return query;
}

/** Where a press leads: without fragment, and of the query only the parts that speak of signing out, since the rest may hold tokens. */
export function leadsTo(element: Element): string {
  const address = element.getAttribute('href') ?? element.getAttribute('formaction') ?? '';
  if (!address || address.startsWith('#') || /^(javascript|data|blob):/i.test(address)) return '';
  try {
    const url = new URL(address, document.baseURI);
    return /^https?:$/.test(url.protocol) ? (url.origin + url.pathname + partingWords(url)).slice(0, 300) : url.protocol;
  } catch {
    return '';
  }
}
