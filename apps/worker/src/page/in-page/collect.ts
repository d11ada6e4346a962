/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { ControlSnapshot, FoldedOffer, FormSnapshot, TextBlock, Unreachable } from '../../discovery/snapshot.js';
import { allRoots, attribute, cleanText, closestAcross, compareOrder, cssWithinRoot, parentOf, pathOf, xpathOf } from './dom.js';
import {
  ariaText,
  descriptionText,
  iconText,
  labelText,
  leadsTo,
  linesOf,
  neighbourText,
  pressableText,
  rowText,
  textOf,
} from './naming.js';
import { findBlanket, whyUnreachable } from './visibility.js';
import { watchChanges } from './watch.js';

/** One frame's part of a page snapshot; the adapter adds what only it knows (frame keys, window, url). */
export interface FrameReport {
  readonly title: string;
  readonly language: string;
  readonly readyState: DocumentReadyState;
  readonly changes: number;
  readonly controls: Omit<ControlSnapshot, 'frame'>[];
  readonly forms: Omit<FormSnapshot, 'frame'>[];
  readonly headings: string[];
  readonly numbers: string[];
  readonly documentId: string;
  readonly httpStatus: number | null;
  readonly alerts: Omit<TextBlock, 'frame'>[];
  readonly text: string;
  readonly modalText: string;
  readonly folded: FoldedOffer[];
}

/** Divs and spans that act as buttons say so only by their cursor: the outermost element with the hand is the button. */
export function findPointed(candidates: Element[], known: Set<Element>): Element[] {
  const found = new Set<Element>();
  for (const leaf of candidates) {
    if (getComputedStyle(leaf).cursor !== 'pointer') continue;
    let top = leaf;
    for (let up = parentOf(top); up && up !== document.body && getComputedStyle(up).cursor === 'pointer'; up = parentOf(up)) top = up;
    if (
      closestAcross(top, 'button, a[href], label, select, summary, [role=button]') ||
      top.querySelector('input, select, textarea, button, a[href]')
    )
      continue;
    if (!known.has(top)) found.add(top);
  }
  return [...found];
}

export function findControls(roots: (Document | ShadowRoot)[], leaves: Element[]): Element[] {
  const query =
    'input:not([type=hidden]), select, textarea, button, a[href], a[onclick], a[role], summary, [role=button], [role=link], [role=menuitem], [role=menuitemradio], ' +
    '[role=option], [role=radio], [role=tab], [role=textbox], [contenteditable=true], div[tabindex="0"], span[tabindex="0"], li[tabindex="0"], [onclick]';
  const found = new Set<Element>();
  for (const root of roots) for (const element of root.querySelectorAll(query)) found.add(element);
  // An outer wrapper with a click handler is not a control when it holds real ones.
  for (const element of found) {
    if (
      element.matches('div, span, li, td, tr, p, section, form, body, table, ul') &&
      element.querySelector('input:not([type=hidden]), select, textarea, button, a[href]')
    )
      found.delete(element);
  }
  for (const element of findPointed(leaves, found)) found.add(element);
  return [...found].sort(compareOrder).slice(0, 800);
}

export function groupOf(element: Element): { element: Element; isForm: boolean } {
  const form = (element as HTMLInputElement).form ?? closestAcross(element, 'form');
  if (form instanceof HTMLFormElement) return { element: form, isForm: true };
  const group = closestAcross(
    element,
    '[role=form], dialog, [role=dialog], [aria-modal=true], main, [role=main], header, footer, nav, aside, section, article, [role=search]',
  );
  return { element: group ?? document.body ?? document.documentElement, isForm: false };
}

export function landmarkOf(element: Element): ControlSnapshot['landmark'] {
  const named = {
    dialog: 'dialog, [role=dialog], [role=alertdialog], [aria-modal=true]',
    nav: 'nav, [role=navigation]',
    header: 'header, [role=banner]',
    footer: 'footer, [role=contentinfo]',
    aside: 'aside, [role=complementary]',
    main: 'main, [role=main]',
  } as const;
  for (const name of Object.keys(named) as (keyof typeof named)[]) if (closestAcross(element, named[name])) return name;
  return '';
}

/** Radio buttons and checkboxes are often drawn by their label while the input itself is hidden. */
export function reachOf(element: Element, blanket: Element | null): { shown: Element; why: Unreachable | null } {
  const why = whyUnreachable(element, blanket);
  const input = element as HTMLInputElement;
  if (why === 'transparent' && attribute(element, 'autocomplete') === 'one-time-code') return { shown: element, why: null };
  if (why === null || !(input.type === 'radio' || input.type === 'checkbox')) return { shown: element, why };
  const label = input.labels?.[0];
  return label ? { shown: label, why: whyUnreachable(label, blanket) } : { shown: element, why };
}

export function linesFor(element: Element, isTyped: boolean, isTick: boolean, why: Unreachable | null): string {
  if (isTyped || why === 'not_rendered') return '';
  const label = isTick ? (element as HTMLInputElement).labels?.[0] : element;
  return label ? linesOf(label, 200) : '';
}

export function describeControl(element: Element, blanket: Element | null): Omit<ControlSnapshot, 'frame'> {
  const input = element as HTMLInputElement;
  const tag = (['input', 'select', 'textarea', 'button', 'a'] as const).find((name) => name === element.localName) ?? 'other';
  const typed = tag === 'input' || tag === 'select' || tag === 'textarea';
  const type = tag === 'input' || tag === 'button' ? input.type.toLowerCase() : '';
  const isField = typed && !/^(submit|button|reset|image)$/.test(type);
  const { shown, why } = reachOf(element, blanket);
  const box = shown.getBoundingClientRect();
  const group = groupOf(element);
  const options = tag === 'select' ? [...(element as HTMLSelectElement).options].slice(0, 300) : [];
  const isTick = type === 'radio' || type === 'checkbox';
  return {
    handle: pathOf(element),
    selector: cssWithinRoot(element),
    xpath: xpathOf(element),
    tag,
    type,
    role: attribute(element, 'role', 30).toLowerCase(),
    autocomplete: attribute(element, 'autocomplete', 80).toLowerCase(),
    name: attribute(element, 'name', 120),
    id: attribute(element, 'id', 120),
    classes: attribute(element, 'class', 200),
    label: isField ? labelText(element) : '',
    aria: ariaText(element),
    description: isField ? descriptionText(element) : '',
    placeholder: attribute(element, 'placeholder', 150),
    title: attribute(element, 'title', 150),
    neighbour: why !== 'not_rendered' ? neighbourText(element) : '',
    text: isField || why === 'not_rendered' ? '' : pressableText(element),
    icon: isField ? '' : iconText(element),
    href: isField ? '' : leadsTo(element),
    lines: linesFor(element, isField && !isTick, isTick, why),
    row: (isField && !isTick) || why === 'not_rendered' ? '' : rowText(element),
    form: `${group.isForm ? 'form' : 'group'} ${pathOf(group.element)}`,
    landmark: landmarkOf(element),
    box: {
      x: Math.round(box.left + scrollX),
      y: Math.round(box.top + scrollY),
      width: Math.round(box.width),
      height: Math.round(box.height),
    },
    visible: why === null || why === 'aria_hidden' || why === 'inert' || why === 'covered',
    unreachable: why,
    disabled: element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true',
    readOnly: input.readOnly === true,
    required: input.required === true || element.getAttribute('aria-required') === 'true',
    checked: isTick ? input.checked : element.getAttribute('aria-checked') === 'true' || element.getAttribute('aria-selected') === 'true',
    filled: isField && !isTick && tag !== 'select' && (input.value ?? '') !== '',
    invalid: element.getAttribute('aria-invalid') === 'true' || (isField && element.matches(':user-invalid')),
    maxLength: input.maxLength > 0 ? input.maxLength : null,
    inputMode: attribute(element, 'inputmode', 20).toLowerCase(),
    pattern: attribute(element, 'pattern', 80),
    options: options.map((option) => ({
      text: cleanText(option.label || option.text, 120),
      value: cleanText(option.value, 80),
      disabled: option.disabled,
      selected: option.selected,
    })),
  };
}

export function headingOf(form: Element): string {
  const inside = [...form.querySelectorAll('h1, h2, h3, h4, legend, [role=heading]')]
    .filter((heading) => heading.checkVisibility())
    .map((heading) => textOf(heading, 120));
  if (inside.length) return cleanText(inside.slice(0, 3).join(' · '), 300);
  for (let at: Element | null = form; at && at !== document.body; at = at.parentElement) {
    for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
      const heading = before.matches('h1, h2, h3, h4, [role=heading]') ? before : before.querySelector('h1, h2, h3, h4, [role=heading]');
      if (heading?.checkVisibility()) return textOf(heading, 120);
      if (before.matches('form') || before.querySelector('form')) return '';
    }
  }
  return '';
}

export function describeForms(controls: Element[]): Omit<FormSnapshot, 'frame'>[] {
  const groups = new Map<Element, boolean>();
  for (const control of controls) {
    const { element, isForm } = groupOf(control);
    groups.set(element, isForm);
  }
  return [...groups].map(([element, isForm]) => ({
    key: `${isForm ? 'form' : 'group'} ${pathOf(element)}`,
    element: isForm,
    id: attribute(element, 'id', 120),
    name: attribute(element, 'name', 120),
    classes: attribute(element, 'class', 200),
    action: isForm ? leadsToAction(element) : '',
    aria: ariaText(element),
    heading: headingOf(element),
    text: textOf(element, 2000),
  }));
}

export function leadsToAction(form: Element): string {
  const action = form.getAttribute('action') ?? '';
  return cleanText(action.split(/[?#]/)[0], 200);
}

/** Error texts by what announces them; whether they are errors is for discovery to say. */
export function findAlerts(roots: (Document | ShadowRoot)[], leaves: Element[], controls: Element[]): Omit<TextBlock, 'frame'>[] {
  const found = new Map<string, TextBlock['source']>();
  const add = (element: Element, source: TextBlock['source']): void => {
    if (
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
      element.querySelector('input:not([type=hidden]), select, textarea')
    )
      return;
    const text = textOf(element, 500);
    if (/\p{L}{2}/u.test(text) && !found.has(text)) found.set(text, source);
  };
  for (const root of roots) {
    for (const element of root.querySelectorAll('[role=alert], [aria-live=assertive]')) add(element, 'alert');
    for (const element of root.querySelectorAll('[role=status], [aria-live=polite]')) add(element, 'status');
    for (const control of controls) {
      if (control.getRootNode() !== root || control.getAttribute('aria-invalid') !== 'true') continue;
      const ids = `${control.getAttribute('aria-errormessage') ?? ''} ${control.getAttribute('aria-describedby') ?? ''}`
        .split(/\s+/)
        .filter(Boolean);
      for (const id of ids) {
        const element = root.getElementById(id);
        if (element) add(element, 'invalid');
      }
    }
    const marked = ['error', 'alert', 'danger', 'invalid', 'warning', 'fail', 'feedback', 'toast', 'flash', 'notification']
      .map((word) => `[class*=${word} i], [id*=${word} i]`)
      .join(', ');
    for (const element of root.querySelectorAll(marked))
      if (!element.matches('body, html, form, input, select, textarea, button, label, script, style')) add(element, 'marked');
  }
  for (const leaf of leaves) {
    const [r = 0, g = 0, b = 0] = (getComputedStyle(leaf).color.match(/\d+/g) ?? []).map(Number);
    if (r >= 150 && g <= 100 && b <= 110 && /\p{L}{2,}/u.test(textOf(leaf, 301))) add(leaf, 'red');
  }
  return [...found].slice(0, 30).map(([text, source]) => ({ text, source }));
}

export function findLeaves(roots: (Document | ShadowRoot)[]): Element[] {
  const leaves: Element[] = [];
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && leaves.length < 800; node = walker.nextNode()) {
      const owner = node.parentElement;
      if (
        owner &&
        /\S/.test(node.textContent ?? '') &&
        !/^(script|style|noscript|template|option|title)$/.test(owner.localName) &&
        leaves[leaves.length - 1] !== owner
      )
        leaves.push(owner);
    }
  }
  return leaves;
}

export function topModal(roots: (Document | ShadowRoot)[], blanket: Element | null): Element | null {
  const modals = roots
    .flatMap((root) => [...root.querySelectorAll('dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]')])
    .filter((modal) => modal.checkVisibility({ visibilityProperty: true }));
  return modals[modals.length - 1] ?? blanket;
}

/** Buttons and links of menus that are not open: only what they say and where they lead. */
export function foldedOffers(elements: Element[], described: Omit<ControlSnapshot, 'frame'>[]): FoldedOffer[] {
  const folded = elements.filter(
    (element, place) =>
      described[place]?.unreachable === 'not_rendered' && element.matches('a, button, [role=menuitem], input[type=submit]'),
  );
  return folded
    .map((element) => ({
      text: cleanText(element.textContent || element.getAttribute('value') || element.getAttribute('title'), 60),
      href: leadsTo(element),
    }))
    .slice(0, 100);
}

/** 0 is what a browser says of documents that came without an answer of their own. */
export function httpStatus(): number | null {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry?.responseStatus || null;
}

/** A document without its styles shows nobody anything yet: names and explanations run together in it. Once it is complete, a style that is missing has failed. */
export function readiness(): DocumentReadyState {
  const isMissing = (link: HTMLLinkElement): boolean => link.sheet === null && !link.disabled && matchMedia(link.media).matches;
  const unstyled =
    document.readyState === 'interactive' && [...document.querySelectorAll<HTMLLinkElement>('link[rel~=stylesheet]')].some(isMissing);
  return unstyled ? 'loading' : document.readyState;
}

/** Looks at this frame once. Reads no value of any box. */
export function collectFrame(): FrameReport {
  const changes = watchChanges();
  const roots = allRoots();
  const leaves = findLeaves(roots);
  const blanket = findBlanket();
  const elements = findControls(roots, leaves);
  const described = elements.map((element) => describeControl(element, blanket));
  const shadowText = roots
    .slice(1)
    .flatMap((root) => [...root.children].map((child) => (child.matches('style, script, link') ? '' : textOf(child, 2000))));
  const modal = topModal(roots, blanket);
  const headings = roots
    .flatMap((root) => [...root.querySelectorAll('h1, h2, h3, legend, [role=heading]')])
    .filter((heading) => heading.checkVisibility({ visibilityProperty: true }));
  return {
    title: cleanText(document.title, 200),
    language: attribute(document.documentElement, 'lang', 20),
    readyState: readiness(),
    changes,
    controls: described.filter((control) => control.visible || /^(input|select|textarea)$/.test(control.tag)),
    forms: describeForms(elements),
    headings: headings
      .map((heading) => textOf(heading, 160))
      .filter(Boolean)
      .slice(0, 30),
    numbers: leaves
      .map((leaf) => textOf(leaf, 5))
      .filter((text) => /^\d{1,3}$/.test(text))
      .slice(0, 10),
    documentId: String(performance.timeOrigin),
    httpStatus: httpStatus(),
    alerts: findAlerts(roots, leaves, elements),
    text: cleanText(`${document.body ? textOf(document.body, 6000) : ''} ${shadowText.join(' ')}`, 6000),
    modalText: modal ? textOf(modal, 2000) : '',
    folded: foldedOffers(elements, described),
  };
}

export interface FrameElementReport {
  readonly path: string;
  readonly src: string;
  readonly title: string;
  readonly visible: boolean;
  readonly box: ControlSnapshot['box'];
}

/** Seen from the parent: where an iframe stands and whether a person sees it. */
export function describeFrameElement(element: Element): FrameElementReport {
  const box = element.getBoundingClientRect();
  const why = whyUnreachable(element, findBlanket());
  return {
    path: pathOf(element),
    src: cleanText((element.getAttribute('src') ?? '').split(/[?#]/)[0], 300),
    title: cleanText(`${attribute(element, 'title')} ${attribute(element, 'name')}`, 200),
    visible: why === null && box.width >= 10 && box.height >= 10,
    box: {
      x: Math.round(box.left + scrollX),
      y: Math.round(box.top + scrollY),
      width: Math.round(box.width),
      height: Math.round(box.height),
    },
  };
}
