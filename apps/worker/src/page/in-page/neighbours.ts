/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { cleanText, compareOrder } from './dom.js';
import { asidesIn, isHelpMark, isOnLineOf, isRemark } from './marks.js';
import { isTick, textBeside, textNodesOf, textOf } from './naming.js';

/**
 * The nearest words before a box (after it, for radio buttons and checkboxes), stopping at the next control. What is marked as a remark names
 * it only on its own line, where nothing else does.
 */
export function neighbourText(element: Element): string {
  const forward = isTick(element);
  const floating = !forward && isFilledIn(element) ? floatingText(element) : '';
  if (floating !== '') return floating;
  const walker = document.createTreeWalker(element.getRootNode(), NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  walker.currentNode = element;
  const next = (): Node | null => (forward ? walker.nextNode() : walker.previousNode());
  let remark = '';
  let link: Element | null = null;
  const linked = (): string => (link === null ? '' : textOf(link, 120));
  for (let steps = 0, node = next(); node && steps < 60; steps += 1, node = next()) {
    if (node instanceof Element && isOtherControl(node, element)) return remark || linked();
    if (node instanceof Element && !(node instanceof HTMLSlotElement)) continue;
    const owner = node.parentElement;
    const words = cleanText(
      textNodesOf(node)
        .map((text) => text.textContent ?? '')
        .join(' '),
      120,
    );
    if (!owner || !/[\p{L}\p{N}]/u.test(words) || owner.closest('script, style, noscript, option, template')) continue;
    if (!owner.checkVisibility()) continue;
    // "Forgot it?" on the line of a caption is another thing, and a caption only where there is none.
    if (link === null && !forward && (owner.closest('a') !== null || getComputedStyle(owner).cursor === 'pointer')) {
      link = owner;
      continue;
    }
    if (link !== null && !isOnLineOf(owner, link)) return linked();
    const isBeside = isOnLineOf(owner, element);
    if (isRemark(owner, element)) remark ||= isBeside ? words : '';
    else if (remark !== '' && !isBeside) return remark;
    else return captionIn(owner, words, element);
  }
  return remark || linked();
}

export function isFilledIn(element: Element): boolean {
  return element.matches('input, select, textarea, [role=combobox], [role=textbox], [contenteditable]');
}

/**
 * What is drawn into a box from behind it, and moves out of its way when the box is used: its caption, where it begins the box's line, or is
 * called a label.
 */
export function floatingText(element: Element): string {
  const box = element.getBoundingClientRect();
  const isRightToLeft = getComputedStyle(element).direction === 'rtl';
  const begins = ({ left, right }: DOMRect): boolean =>
    isRightToLeft ? right > box.left + box.width / 2 && right <= box.right : left >= box.left && left < box.left + box.width / 2;
  for (let at = element.parentElement, level = 0; at && level < 3; at = at.parentElement, level += 1) {
    let isAlone = true;
    for (const part of at.querySelectorAll('input, select, textarea, button, slot')) {
      if (!isOtherControl(part, element)) continue;
      if (part.localName !== 'button') return '';
      isAlone = false;
    }
    for (const part of at.querySelectorAll('*')) {
      const isBehind = part.firstElementChild === null && !part.matches('style, script') && compareOrder(element, part) < 0;
      if (!isBehind || !part.checkVisibility() || part.closest('a, button, [role=button], [onclick]') || isRemark(part, element)) continue;
      const isCalled = part.matches('[class*=label i]') && textOf(part, 80).length <= 60;
      const isInside = isAlone && isOnLineOf(part, element) && begins(part.getBoundingClientRect());
      if (isCalled || isInside) return textOf(part, 80);
    }
  }
  return '';
}

/** A short text around the words that were found says all of the caption. */
export function captionIn(owner: Element, found: string, element: Element): string {
  if (owner.contains(element) || owner.querySelector('slot')) return found;
  const asides = asidesIn(owner);
  const whole = asides.length === 0 ? textOf(owner, 121) : cleanText(textBeside(owner, asides), 121);
  return whole.length <= 60 ? whole : found;
}

/** Also a slot that is given one; a "?" to press is none. */
export function isOtherControl(part: Element, element: Element): boolean {
  const controls = 'input:not([type=hidden]), select, textarea, button';
  const given = part instanceof HTMLSlotElement ? part.assignedElements({ flatten: true }) : [];
  if (given.some((one) => one.matches(controls) || one.querySelector(controls) !== null)) return true;
  return part.matches(controls) && !part.contains(element) && !isHelpMark(part);
}

/**
 * Help text beside a field: what `aria-describedby` names, else a hint-like element in the same small wrapper that is no other box's. A
 * count of what was typed ("0 / 6") helps nobody.
 */
export function descriptionText(element: Element): string {
  const described = shownById(element, 'aria-describedby');
  const help = described === '' ? hintBeside(element) : described;
  return /^\d+ ?\/ ?\d+$/.test(help) ? '' : help;
}

/** Of what is named there only what is shown: many boxes keep what they would refuse ready and hidden. */
export function shownById(element: Element, name: string): string {
  const root = element.getRootNode() as Document | ShadowRoot;
  const named = (element.getAttribute(name) ?? '').split(/\s+/).flatMap((id) => (id === '' ? [] : (root.getElementById(id) ?? [])));
  const shown = named.filter((part) => part.checkVisibility({ visibilityProperty: true }));
  return cleanText(shown.map((part) => textOf(part, 200)).join(' '), 200);
}

export function hintBeside(element: Element): string {
  const hints = element.parentElement?.querySelectorAll('[class*=hint i], [class*=help i], [class*=description i], small') ?? [];
  const own = [...hints].find((hint) => !hint.querySelector('input, button') && hint.checkVisibility() && isHintOf(hint, element));
  return own ? textOf(own, 200) : '';
}

/** Is not bound to another box, nor nearer to one: just behind it, or beyond it or its label. */
export function isHintOf(hint: Element, element: Element): boolean {
  const root = hint.getRootNode() as Document | ShadowRoot;
  const label = hint.closest('label') ?? hint.querySelector('label');
  const bound = hint.id === '' ? [] : [...root.querySelectorAll(`[aria-describedby~="${CSS.escape(hint.id)}"]`)];
  if ([label?.control ?? null, ...bound].some((other) => other !== null && other !== element)) return false;
  const order = compareOrder(hint, element);
  const isBetween = (other: Element): boolean => compareOrder(hint, other) === order && compareOrder(other, element) === order;
  const parts = [...(element.parentElement?.querySelectorAll('input:not([type=hidden]), select, textarea, label') ?? [])];
  const others = parts.filter((part) => (part instanceof HTMLLabelElement ? (part.control ?? element) : part) !== element);
  return !others.some((other) => isBetween(other) || other === hint.previousElementSibling);
}
