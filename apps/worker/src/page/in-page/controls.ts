/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { ControlSnapshot, FoldedOffer, Unreachable } from '../../discovery/snapshot.js';
import { attribute, cleanText, closestAcross, containsAcross, cssWithinRoot, parentOf, pathOf, xpathOf } from './dom.js';
import { groupOf, landmarkOf, overlayOf } from './forms.js';
import {
  ariaText,
  iconText,
  isTick,
  labelBeside,
  labelText,
  leadsTo,
  legendOf,
  linesOf,
  optionName,
  pressableText,
  rowText,
  textOf,
} from './naming.js';
import { descriptionText, neighbourText } from './neighbours.js';
import { noticeBoards } from './texts.js';
import { isCovered, whyUnreachable } from './visibility.js';

/** Whether a tab that only its classes make one is open: one of a few of a kind, of which one is marked. Null for what is none. */
export function drawnTab(element: Element): 'open' | 'shut' | null {
  const item = element.parentElement?.localName === 'li' ? element.parentElement : element;
  const bar = item.parentElement;
  const isTabs = [bar, item, element].some((at) => /(^|[\s_-])tabs?([\s_-]|$)/i.test(at?.getAttribute('class') ?? ''));
  if (!isTabs || element.matches('input, select, textarea')) return null;
  const all = [...(bar?.children ?? [])].filter((other) => other.localName === item.localName);
  if (all.length < 2 || all.length > 6) return null;
  const isMarked = (at: Element | null): boolean =>
    /(^|[\s_-])(active|on|current|cur|selected)(\s|$)/i.test(at?.getAttribute('class') ?? '');
  const open = all.filter((other) => isMarked(other) || (item !== element && isMarked(other.firstElementChild)));
  if (open.length !== 1) return null;
  return open[0] === item ? 'open' : 'shut';
}

/** What opens a list of its own says so by what it opens, whatever it calls itself. */
export function roleOf(element: Element): string {
  const opens = element.localName === 'input' ? '' : attribute(element, 'aria-haspopup', 30);
  const role = attribute(element, 'role', 30).toLowerCase() || (drawnTab(element) === null ? '' : 'tab');
  if (opens === 'listbox') return 'combobox';
  return (opens === 'menu' || opens === 'true') && /^(button)?$/.test(role) ? 'menubutton' : role;
}

/** A component that is a button by its name alone: `<ons-button>`. */
export function namedButton(leaf: Element): Element | null {
  for (let at: Element | null = leaf; at; at = parentOf(at)) if (/-button$/.test(at.localName)) return at;
  return null;
}

/**
 * Divs and spans that act as buttons say so only by their cursor: the outermost element with the hand is the button, unless it is a menu, all
 * of whose words stand in items of a list.
 */
export function findPointed(candidates: Element[], known: Set<Element>): Element[] {
  const found = new Map<Element, Set<Element>>();
  for (const leaf of candidates) {
    const named = namedButton(leaf);
    if (named === null && getComputedStyle(leaf).cursor !== 'pointer') continue;
    let top = named ?? leaf;
    for (let up = parentOf(top); up && up !== document.body && getComputedStyle(up).cursor === 'pointer'; up = parentOf(up)) top = up;
    if (
      closestAcross(top, 'button, a[href], label, select, summary, [role=button]') ||
      top.querySelector('input, select, textarea, button:not([hidden]), a[href], [role=tab], [role=radio]') ||
      top.shadowRoot?.querySelector('button, a[href], input')
    )
      continue;
    if (known.has(top)) continue;
    const item = closestAcross(leaf, 'li');
    const parts = found.get(top) ?? new Set();
    found.set(top, parts.add(item !== null && containsAcross(top, item) ? item : top));
  }
  return [...found].flatMap(([top, parts]) => (parts.has(top) || parts.size < 2 ? [top] : [...parts]));
}

export function findControls(roots: (Document | ShadowRoot)[], leaves: Element[]): Element[] {
  const query =
    'input:not([type=hidden]), select, textarea, button, a[href], a[onclick], a[role], summary, [role=button], [role=link], [role=menuitem], [role=menuitemradio], ' +
    '[role=option], [role=radio], [role=tab], [role=textbox], [contenteditable=true], div[tabindex="0"], span[tabindex="0"], li[tabindex="0"], [onclick]';
  const found = new Set<Element>();
  for (const root of roots) for (const element of root.querySelectorAll(query)) found.add(element);
  // An outer wrapper with a click handler is not a control when it holds real ones.
  for (const element of found) {
    const inner = element.querySelector('input:not([type=hidden]), select, textarea, button, a[href]');
    // A component that is a box to tick keeps the browser's own out of sight.
    const isBox =
      element.matches('[role=checkbox], [role=radio], [role=switch]') &&
      inner?.matches('input') === true &&
      whyUnreachable(inner, null) !== null;
    if (isBox) found.delete(inner);
    else if (
      element.querySelector('[role=radio]') !== null ||
      element.matches('[role=list], [role=listbox], [role=grid], [role=tree], [role=menu], [role=radiogroup], [role=tablist]') ||
      (inner !== null && element.matches('div, span, li, td, tr, p, section, form, body, table, ul'))
    )
      found.delete(element);
  }
  // A notice that can be reached by the keyboard is no button.
  const live = `[aria-live=polite], [aria-live=assertive], [role=status], [role=alert], [role=log], ${noticeBoards()}`;
  for (const element of found) {
    const isByKeyOnly =
      element.matches('div, span, li') && !element.matches('[onclick], [role=button], [role=link], [role^=menuitem], [role=tab]');
    if (isByKeyOnly && element.matches('[tabindex="0"]:not([contenteditable])') && closestAcross(element, live)) found.delete(element);
  }
  for (const element of findPointed(leaves, found)) found.add(element);
  for (const list of found) {
    const drawn = drawnFor(list);
    if (drawn !== null) found.delete(drawn);
  }
  return foremost(inOrder(document, found));
}

/** In the order of the document: a shadow tree stands where its host stands. */
export function inOrder(root: Document | ShadowRoot, wanted: Set<Element>): Element[] {
  const found: Element[] = [];
  for (const element of root.querySelectorAll('*')) {
    if (wanted.has(element)) found.push(element);
    if (element.shadowRoot) found.push(...inOrder(element.shadowRoot, wanted));
  }
  return found;
}

/** Of a page with more than can be read in time: forms with a password whole, then boxes, then links and buttons, each from the top. */
export function foremost(elements: Element[]): Element[] {
  const most = { boxes: 200, all: 800 };
  if (elements.length <= most.all) return elements;
  const boxes = elements.filter((element) => element.matches('input:not([type=checkbox]), select, textarea'));
  const forms = boxes.filter((box) => box.matches('[type=password]')).map((box) => closestAcross(box, 'form, dialog, main, section'));
  const isOfLogin = (element: Element): boolean => forms.some((form) => form !== null && containsAcross(form, element));
  const kept = new Set<Element>();
  const keep = (some: Element[], upTo: number): void => {
    for (const element of some) if (kept.size < upTo) kept.add(element);
  };
  keep(
    elements.filter((element) => element.matches('[type=password]') || isOfLogin(element)),
    most.boxes,
  );
  keep(boxes, most.boxes);
  keep(
    elements.filter((element) => element.matches('button, input')),
    most.all - most.boxes,
  );
  keep(elements, most.all);
  return elements.filter((element) => kept.has(element));
}

/** A box that is not drawn while it is empty: its name, which floats over it, is what is seen. */
export function isUnderItsName(element: Element): boolean {
  if (getComputedStyle(element).opacity !== '0') return false;
  const box = element.getBoundingClientRect();
  const names = [...((element as HTMLInputElement).labels ?? [])].flatMap((label) => [label, ...label.querySelectorAll('*')]);
  return names.some((name) => {
    if (name.contains(element) || !name.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const over = name.getBoundingClientRect();
    const isOver = over.left < box.right && over.right > box.left && over.top < box.bottom && over.bottom > box.top;
    return isOver && textOf(name, 20) !== '';
  });
}

/**
 * What a component draws in the place of a list that it keeps, unseen, for the sake of forms, and which takes a choice as well as its own.
 * Null for a list that is seen itself.
 */
export function drawnFor(list: Element): Element | null {
  if (!(list instanceof HTMLSelectElement) || list.options.length < 2 || whyUnreachable(list, null) === null) return null;
  const opener = '[role=combobox], [aria-haspopup=listbox]';
  for (const beside of [list.previousElementSibling, list.nextElementSibling]) {
    const [only, more] = beside === null ? [] : beside.matches(opener) ? [beside] : beside.querySelectorAll(opener);
    if (only && !more && !beside?.querySelector('select')) return only;
  }
  for (let at = list.parentElement, level = 0; at && level < 3 && !at.matches('form, body'); at = at.parentElement, level += 1) {
    if (at.querySelectorAll('select').length > 1) return null;
    const [only, more] = at.querySelectorAll(opener);
    if (only) return more ? null : only;
  }
  return null;
}

/** A list that lies unseen over what is drawn in its place, and takes the press. */
export function isOverItsPicture(element: Element): boolean {
  if (element.localName !== 'select') return false;
  const box = element.getBoundingClientRect();
  const root = element.getRootNode() as Document | ShadowRoot;
  return root.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === element;
}

/** Radio buttons and checkboxes are often drawn by their label while the input itself is hidden. */
export function reachOf(element: Element, blanket: Element | null): { shown: Element; why: Unreachable | null } {
  const why = whyUnreachable(element, blanket);
  const input = element as HTMLInputElement;
  // What is typed into it is drawn in boxes of the page's own.
  if ((why === 'transparent' || why === 'clipped') && attribute(element, 'autocomplete') === 'one-time-code')
    return { shown: element, why: null };
  if (why === 'transparent' && isOverItsPicture(element)) return { shown: element, why: null };
  const drawn = drawnFor(element);
  if (drawn !== null) return { shown: drawn, why: whyUnreachable(drawn, blanket) };
  if (why === 'transparent' && isUnderItsName(element))
    return { shown: element, why: isCovered(element, element.getBoundingClientRect(), blanket) ? 'covered' : null };
  if (why === null || !(input.type === 'radio' || input.type === 'checkbox')) return { shown: element, why };
  const label = labelBeside(input);
  return label ? { shown: label, why: whyUnreachable(label, blanket) } : { shown: element, why };
}

export function linesFor(element: Element, isTyped: boolean, isTick: boolean, why: Unreachable | null): string {
  if (isTyped || why === 'not_rendered') return '';
  const label = isTick ? labelBeside(element) : element;
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
  const isTicked = type === 'radio' || type === 'checkbox';
  const named = tag === 'select' ? shown : element;
  return {
    handle: pathOf(element),
    selector: cssWithinRoot(element),
    xpath: xpathOf(element),
    tag,
    type,
    role: roleOf(element),
    autocomplete: attribute(element, 'autocomplete', 80).toLowerCase(),
    name: attribute(element, 'name', 120),
    id: attribute(element, 'id', 120),
    classes: attribute(element, 'class', 200),
    label: isField || isTick(element) ? labelText(element) || labelText(named) : '',
    aria: ariaText(named),
    description: isField ? descriptionText(named) : '',
    // What is drawn says at one time what the list is for and at another what was chosen; its name in forms stays.
    placeholder: attribute(element, named === element ? 'placeholder' : 'name', 150),
    title: attribute(element, 'title', 150),
    neighbour: why !== 'not_rendered' ? neighbourText(named) : '',
    text: isField || why === 'not_rendered' ? '' : pressableText(element),
    icon: isField ? '' : iconText(element),
    href: isField ? '' : leadsTo(element),
    lines: linesFor(element, isField && !isTicked, isTicked, why),
    legend: legendOf(element),
    row: (isField && !isTicked) || why === 'not_rendered' ? '' : rowText(element),
    form: `${group.isForm ? 'form' : 'group'} ${pathOf(group.element)}`,
    landmark: landmarkOf(named),
    overlay: why === null ? overlayOf(element) : '',
    box: {
      x: Math.round(box.left + scrollX),
      y: Math.round(box.top + scrollY),
      width: Math.round(box.width),
      height: Math.round(box.height),
    },
    visible: why === null || why === 'aria_hidden' || why === 'inert' || why === 'covered',
    unreachable: why,
    disabled: element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true',
    readOnly: input.readOnly === true || (tag === 'other' && element.getAttribute('aria-readonly') === 'true'),
    required: input.required === true || element.getAttribute('aria-required') === 'true',
    checked: isTicked
      ? input.checked
      : [element.getAttribute('aria-checked'), element.getAttribute('aria-selected')].includes('true') || drawnTab(element) === 'open',
    filled: isField && !isTicked && tag !== 'select' && (input.value ?? '') !== '',
    invalid: element.getAttribute('aria-invalid') === 'true' || (isField && element.matches(':user-invalid')),
    maxLength: input.maxLength > 0 ? input.maxLength : null,
    inputMode: attribute(element, 'inputmode', 20).toLowerCase(),
    pattern: attribute(element, 'pattern', 80),
    options: options.map((option) => ({
      text: optionName(option),
      value: cleanText(option.value, 80),
      disabled: option.disabled,
      selected: option.selected,
      group: option.parentElement instanceof HTMLOptGroupElement ? cleanText(option.parentElement.label, 80) : '',
    })),
  };
}

/** Buttons and links of menus that are not open, however they are hidden: only what they say and where they lead. */
export function foldedOffers(elements: Element[], described: Omit<ControlSnapshot, 'frame'>[]): FoldedOffer[] {
  const folded = elements.filter(
    (element, place) =>
      /^(not_rendered|clipped|transparent|off_screen)$/.test(described[place]?.unreachable ?? '') &&
      element.matches('a, button, li, [role=menuitem], input[type=submit]'),
  );
  return folded
    .map((element) => ({
      text: cleanText(element.textContent || element.getAttribute('value') || element.getAttribute('title'), 60),
      href: leadsTo(element),
    }))
    .slice(0, 100);
}
