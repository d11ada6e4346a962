/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Unreachable } from '../../discovery/snapshot.js';
import { closestAcross, containsAcross, parentOf } from './dom.js';

/** What is seen at a point, also inside the components that are there. */
export function seenAt(root: Document | ShadowRoot, x: number, y: number): Element | null {
  const hit = root.elementFromPoint(x, y);
  // A root in which nothing is there gives its own host.
  const inside = hit?.shadowRoot && hit.shadowRoot !== root ? seenAt(hit.shadowRoot, x, y) : null;
  return inside !== null && hit?.shadowRoot?.contains(inside) === true ? inside : hit;
}

/** The element that lies over (almost) the whole window, if one does: a modal's backdrop or a consent wall. */
export function findBlanket(): Element | null {
  const points = [
    [0.5, 0.5],
    [0.1, 0.1],
    [0.9, 0.1],
    [0.1, 0.9],
    [0.9, 0.9],
  ] as const;
  for (let at = seenAt(document, innerWidth / 2, innerHeight / 2); at && at !== document.body; at = parentOf(at)) {
    const box = at.getBoundingClientRect();
    if (box.width * box.height < innerWidth * innerHeight * 0.9) continue;
    const { position } = getComputedStyle(at);
    if (position !== 'fixed' && position !== 'absolute') continue;
    const over = at;
    const lies = ([x, y]: readonly [number, number]): boolean => {
      const hit = seenAt(document, innerWidth * x, innerHeight * y);
      return hit !== null && containsAcross(over, hit);
    };
    if (points.every(lies)) return at;
  }
  return null;
}

/** Whether something else lies over the element's middle. Outside the window only a blanket can tell: nothing is scrolled to look. */
export function isCovered(element: Element, box: DOMRect, blanket: Element | null): boolean {
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) {
    return (
      blanket !== null && !containsAcross(blanket, element) && !closestAcross(element, 'dialog[open], [role=dialog], [role=alertdialog]')
    );
  }
  const root = element.getRootNode() as Document | ShadowRoot;
  const hit = seenAt(root, x, y);
  if (!hit || containsAcross(hit, element) || containsAcross(element, hit)) return false;
  if (hit.closest('label')?.control === element) return false;
  // Floating labels and icons lie over their own box; only something much larger than the control takes it out of reach.
  for (let at: Element | null = hit; at && !containsAcross(at, element); at = parentOf(at)) {
    const over = at.getBoundingClientRect();
    const placed = ['fixed', 'absolute', 'sticky'].includes(getComputedStyle(at).position) || at.matches('dialog, [role=dialog]');
    if (placed && over.width >= box.width * 1.5 && over.height >= box.height * 3) return true;
  }
  return false;
}

/** A box for a one-time code that is itself not seen: what is typed is drawn in boxes of the page's own. */
export function isDrawnOver(element: Element): boolean {
  if (!element.matches('input:not([type=checkbox], [type=radio], [type=hidden])')) return false;
  const { autocomplete, maxLength, name, id } = element as HTMLInputElement;
  if (autocomplete.includes('one-time-code')) return true;
  return maxLength >= 4 && maxLength <= 8 && /otp|code|pin|token|digit/i.test(`${name} ${id} ${element.getAttribute('aria-label') ?? ''}`);
}

/** Whatever is placed inside such an element is placed by it. */
export function isOwnPlace(style: CSSStyleDeclaration): boolean {
  const { transform, translate, rotate, scale, perspective, filter, backdropFilter, contain, willChange, containerType } = style;
  const shifts = [transform, translate, rotate, scale, perspective, filter, backdropFilter];
  return (
    shifts.some((value) => value !== 'none' && value !== '') ||
    /paint|layout|strict|content/.test(contain) ||
    /transform|translate|rotate|scale|perspective|filter|contain/.test(willChange) ||
    /size/.test(containerType)
  );
}

/** Null when a person can see and use the element. */
export function whyUnreachable(element: Element, blanket: Element | null): Unreachable | null {
  const box = element.getBoundingClientRect();
  if (!element.checkVisibility({ visibilityProperty: true }) || box.width < 1 || box.height < 1) return 'not_rendered';
  const [left, top] = [box.left + scrollX, box.top + scrollY];
  const page = document.documentElement;
  if (
    left + box.width <= 0 ||
    top + box.height <= 0 ||
    left >= Math.max(page.scrollWidth, innerWidth) ||
    top >= Math.max(page.scrollHeight, innerHeight)
  )
    return 'off_screen';
  let [opacity, width, height] = [1, box.width, box.height];
  // What is placed by itself is cut off by nothing between it and that by which it is placed.
  let placed = '';
  for (let at: Element | null = element; at; at = parentOf(at)) {
    const style = getComputedStyle(at);
    opacity *= Number(style.opacity);
    const isHeld = placed === '' || (placed === 'absolute' && style.position !== 'static') || isOwnPlace(style);
    if (isHeld) placed = /^(absolute|fixed)$/.test(style.position) ? style.position : '';
    if (at === element || at === document.body || at === page) continue;
    if (isHeld && (style.overflowX !== 'visible' || style.overflowY !== 'visible')) {
      const frame = at.getBoundingClientRect();
      // Scrollable ancestors can bring the element into view; hidden ones with no room cannot.
      if (style.overflowX === 'hidden' || style.overflowX === 'clip') width = Math.min(width, frame.width);
      if (style.overflowY === 'hidden' || style.overflowY === 'clip') height = Math.min(height, frame.height);
    }
    if (/^inset\((?:50|[6-9]\d|100)%/.test(style.clipPath) || /^rect\((?:0px,? ?|1px,? ?){4}\)$/.test(style.clip)) return 'clipped';
  }
  if (opacity < 0.05 && !isDrawnOver(element)) return 'transparent';
  const own = getComputedStyle(element);
  if (width < 3 || height < 3 || /^inset\((?:50|[6-9]\d|100)%/.test(own.clipPath) || /^rect\((?:0px,? ?|1px,? ?){4}\)$/.test(own.clip))
    return 'clipped';
  // What is laid over a page often takes it from those as well who have it read to them.
  if (isCovered(element, box, blanket)) return 'covered';
  if (closestAcross(element, '[inert]')) return 'inert';
  return closestAcross(element, '[aria-hidden=true]') ? 'aria_hidden' : null;
}
