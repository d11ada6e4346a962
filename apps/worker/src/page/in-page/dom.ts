/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Runs inside the website, joined by source with its neighbours (see script.ts): plain functions that call each other by
 * name, no module state, nothing imported at run time.
 */

/** In one line, and without what nobody can read: characters that a terminal obeys, or that turn the direction of the rest. */
export function cleanText(text: string | null | undefined, max: number): string {
  return (text ?? '')
    .replace(/[\s\u00a0\u200b\u200e\u200f\ufeff]+/g, ' ')
    .replace(/[\p{Cc}\u061c\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .slice(0, max);
}

export function attribute(element: Element, name: string, max = 200): string {
  return cleanText(element.getAttribute(name), max);
}

/** The parent across shadow boundaries: a slotted or shadow child climbs to its host. */
export function parentOf(element: Element): Element | null {
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

export function closestAcross(element: Element, selector: string): Element | null {
  for (let at: Element | null = element; at; at = parentOf(at)) if (at.matches(selector)) return at;
  return null;
}

export function containsAcross(outer: Element, inner: Element): boolean {
  for (let at: Element | null = inner; at; at = parentOf(at)) if (at === outer) return true;
  return false;
}

/** Ids and names made anew at every render (`:r1:`, `input-83719`, uuids) would lose the element. */
export function isLastingName(name: string): boolean {
  return name.length > 0 && name.length <= 60 && !/[:\s"\\]|\d{4,}|[0-9a-f]{8}|\d.*[a-z].*\d.*[a-z].*\d/i.test(name);
}

/** CSS selector of an element inside its own root (document or shadow root). */
export function cssWithinRoot(element: Element): string {
  const root = element.getRootNode() as Document | ShadowRoot;
  const parts: string[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    const tag = CSS.escape(at.localName);
    const name = at.getAttribute('name') ?? '';
    const exact = isLastingName(at.getAttribute('id') ?? '')
      ? `#${CSS.escape(at.getAttribute('id') ?? '')}`
      : isLastingName(name) && at.localName !== 'meta'
        ? `${tag}[name="${CSS.escape(name)}"]`
        : '';
    if (exact && root.querySelectorAll(exact).length === 1) {
      parts.unshift(exact);
      return parts.join(' > ');
    }
    let place = 1;
    for (let before = at.previousElementSibling; before; before = before.previousElementSibling)
      if (before.localName === at.localName) place += 1;
    parts.unshift(at.localName === 'html' || at.localName === 'body' ? tag : `${tag}:nth-of-type(${place})`);
  }
  // A chain of children that begins nowhere begins anywhere.
  if (root instanceof ShadowRoot) parts.unshift(':host');
  return parts.join(' > ');
}

/** Selectors from the document down through shadow hosts, joined by ` >>> `. */
export function pathOf(element: Element): string {
  const parts = [cssWithinRoot(element)];
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
    parts.unshift(cssWithinRoot(root.host));
  return parts.join(' >>> ');
}

export function elementAt(path: string): Element | null {
  let root: Document | ShadowRoot | null = document;
  let found: Element | null = null;
  for (const part of path.split(' >>> ')) {
    if (!root) return null;
    found = root.querySelector(part);
    root = found?.shadowRoot ?? null;
    if (!found) return null;
  }
  return found;
}

export function isDisabled(element: Element): boolean {
  return element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true';
}

export function xpathOf(element: Element): string {
  const parts: string[] = [];
  for (let at: Element | null = element; at; at = parentOf(at)) {
    if (
      isLastingName(at.getAttribute('id') ?? '') &&
      (at.getRootNode() as Document).querySelectorAll(`#${CSS.escape(at.getAttribute('id') ?? '')}`).length === 1
    ) {
      return `//*[@id="${at.getAttribute('id')}"]${parts.length ? `/${parts.join('/')}` : ''}`;
    }
    let place = 1;
    for (let before = at.previousElementSibling; before; before = before.previousElementSibling)
      if (before.localName === at.localName) place += 1;
    parts.unshift(`${at.localName}[${place}]`);
  }
  return `/${parts.join('/')}`;
}

/** All roots of the frame: the document and every open shadow root, outer ones first. */
export function allRoots(): (Document | ShadowRoot)[] {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  return roots;
}

/** Document order across shadow roots: a shadow tree stands where its host stands. */
export function compareOrder(a: Element, b: Element): number {
  const chain = (element: Element): Element[] => {
    const hosts = [element];
    for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) hosts.unshift(root.host);
    return hosts;
  };
  const [left, right] = [chain(a), chain(b)];
  for (let depth = 0; depth < Math.max(left.length, right.length); depth += 1) {
    const [x, y] = [left[depth], right[depth]];
    if (!x) return -1;
    if (!y) return 1;
    if (x !== y) return x.compareDocumentPosition(y) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  }
  return 0;
}

export function asJson(value: unknown): string {
  return JSON.stringify(value);
}
