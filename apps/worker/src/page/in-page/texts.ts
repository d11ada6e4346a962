/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { TextBlock } from '../../discovery/snapshot.js';
import { closestAcross, cleanText, containsAcross } from './dom.js';
import { landmarkOf, overlayBox } from './forms.js';
import { calledWrong, isRed } from './marks.js';
import { drawnWords, textOf } from './naming.js';
import { whyUnreachable } from './visibility.js';

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

/** Texts that are parts of sentences, and so of the text around them. */
export function isInline(node: Node): boolean {
  return node instanceof Text || (node instanceof Element && node.matches('a, b, br, code, em, font, i, mark, small, span, strong, u'));
}

/** What an element says between the blocks and boxes in it, one text for each gap. */
export function ownTexts(element: Element): string[] {
  const runs = [''];
  for (const node of element.childNodes) {
    const isShown = node instanceof Text || (node instanceof Element && node.checkVisibility({ visibilityProperty: true }));
    if (!isInline(node) || (node instanceof Element && node.querySelector('input, select, textarea, button'))) runs.push('');
    else if (isShown) runs[runs.length - 1] += node.nodeName === 'BR' ? ' ' : (node.textContent ?? '');
  }
  return runs.map((run) => cleanText(run, 500)).filter(Boolean);
}

/** Texts that may be about a form with a box to type into: in it, or in its column of the same part of the page. */
export function leavesAboutForms(roots: (Document | ShadowRoot)[], leaves: Element[]): Element[] {
  const typed = 'input:not([type=hidden], [type=submit], [type=button], [type=checkbox], [type=radio], [type=search])';
  const boxes = roots
    .flatMap((root) => [...root.querySelectorAll(typed)])
    .filter((box) => box.checkVisibility({ visibilityProperty: true }));
  // A table of goods has a box in each of its rows.
  const most = 30;
  const first = boxes.filter((box) => box.matches('[type=password]'));
  const forms = [...new Set([...first, ...boxes].map((box) => closestAcross(box, 'form') ?? box))].slice(0, most);
  const owners = new Set<Node | null>(leaves);
  return leaves.filter(
    (leaf) =>
      !(isInline(leaf) && owners.has(leaf.parentNode)) &&
      !leaf.closest('label, button, a, legend, h1, h2, h3, h4, option') &&
      forms.some((form) => isAboutForm(leaf, form)) &&
      leaf.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
  );
}

export function isAboutForm(leaf: Element, form: Element): boolean {
  const [text, box] = [leaf.getBoundingClientRect(), form.getBoundingClientRect()];
  const isBeside = text.right <= box.left || text.left >= box.right || text.bottom < box.top - 300 || text.top > box.bottom + 300;
  const isInside = containsAcross(form, leaf);
  if (isBeside && !isInside) return false;
  const [part, formPart] = [landmarkOf(leaf), landmarkOf(form)];
  const isFree = (part === '' || part === 'main' || (part === 'header' && isInside)) && formPart !== 'dialog';
  if (part !== formPart && !isFree) return false;
  const overlay = overlayBox(leaf);
  return isInside || overlay === null || containsAcross(overlay, form);
}

/** Names a box. One that names none is a text like any other. */
export function isLabel(element: Element): boolean {
  return element instanceof HTMLLabelElement && element.control !== null;
}

/** Drawn where nobody sees it, for those who have the page read to them. */
export function isUnseen(element: Element): boolean {
  return /^(clipped|off_screen)$/.test(whyUnreachable(element, null) ?? '');
}

/** A host may have no box of its own, and what it is given to show has one. */
export function isShown(element: Element): boolean {
  const seen = { visibilityProperty: true, opacityProperty: true };
  if (element.checkVisibility(seen)) return true;
  return getComputedStyle(element).display === 'contents' && [...element.children].some((child) => child.checkVisibility(seen));
}

/** Has a box of its own on the page, whatever is drawn in it. */
export function isDrawn(element: Element): boolean {
  return element.checkVisibility();
}

/** Holds several notices of one kind, each of which is read by itself. */
export function isStack(element: Element): boolean {
  // All parts of one component may share a class.
  if (element.matches('[role=alertdialog]')) return false;
  const notices = [
    ...element.querySelectorAll('[role=alert], [role=status], [class*=toast i], [class*=alert i], [class*=message i], [class*=notif i]'),
  ];
  // The bar that counts a notice's time down is called by it too.
  const told = notices.filter((notice) => textOf(notice, 20) !== '');
  const isOfKind = (notice: Element, next: Element): boolean =>
    next.localName === notice.localName &&
    ([...notice.classList].some((name) => next.classList.contains(name)) ||
      (notice.hasAttribute('role') && next.getAttribute('role') === notice.getAttribute('role')));
  return told.some((notice) => {
    const next = notice.nextElementSibling;
    return next !== null && told.includes(next) && isOfKind(notice, next);
  });
}

/** Where components show their notices without announcing the place. */
export function noticeBoards(): string {
  return '[role=region][aria-label^=notification i]';
}

/** The notices of an element that announces nothing else and has them as the items of a list, or as boxes of their own. */
export function listedIn(element: Element): Element[] {
  const items = [...element.querySelectorAll('li, [role=dialog]')].filter((item) => textOf(item, 20) !== '');
  const [first] = items;
  const list = first?.parentElement;
  const isOnlyList =
    list !== undefined && items.every((item) => item.parentElement === list) && textOf(element, 500) === textOf(list ?? element, 500);
  return isOnlyList && element.matches(`[aria-live], ${noticeBoards()}`) ? items : [];
}

/** What a notice says, without the buttons before and after it and the sign that is drawn before it. */
export function saidIn(element: Element): string {
  let said = textOf(element, 500);
  for (const button of element.querySelectorAll('button, [role=button]')) {
    const label = textOf(button, 100);
    if (label === '' || label === said) continue;
    if (said.endsWith(label)) said = said.slice(0, -label.length).trim();
    else if (said.startsWith(label)) said = said.slice(label.length).trim();
  }
  // Whose notice it is, and of when.
  const header = element.querySelector('[class*=toast-header i]:has(small, time)');
  const title = header === null ? '' : textOf(header, 200);
  if (said.startsWith(title)) said = said.slice(title.length).trim();
  return said.replace(/^(?:[!•·*–—-]\s+|[\p{So}\p{Sm}]\ufe0f?\s+)+/u, '');
}

/** Its class, or that of its only part, says that something has been done, and no other says that it has not. */
export function isPraise(element: Element): boolean {
  const parts = [element, ...(element.children.length === 1 ? element.children : [])];
  const classes = parts.map((part) => `${part.getAttribute('class') ?? ''} ${part.getAttribute('data-type') ?? ''}`);
  return /success/i.test(classes.join(' ')) && !/error|danger|fail|invalid|warning/i.test(classes.join(' '));
}

/** Error texts by what announces them; whether they are errors is for discovery to say. */
export function findAlerts(roots: (Document | ShadowRoot)[], leaves: Element[], controls: Element[]): Omit<TextBlock, 'frame'>[] {
  const boxes = controls.filter((control) => control.matches('input:not([type=hidden]), select, textarea') && isDrawn(control));
  const found = new Map<string, TextBlock['source']>();
  const unseen = new Map<string, TextBlock['source']>();
  // What is shown as well as announced counts as what announces it.
  const addText = (text: string, source: TextBlock['source'], isSeen = true): void => {
    const known = isSeen ? found : unseen;
    if (/\p{L}{2}/u.test(text) && !known.has(text)) known.set(text, isSeen ? (unseen.get(text) ?? source) : source);
  };
  const add = (element: Element, source: TextBlock['source']): void => {
    if (!isShown(element) || element.matches(drawnWords())) return;
    // A component may keep a box that only another of its uses shows.
    const whole = element.querySelector('slot') === null ? element : ((element.getRootNode() as ShadowRoot).host ?? element);
    if (boxes.some((box) => containsAcross(whole, box))) return;
    const notices = listedIn(element);
    if (notices.length > 0) for (const notice of notices) add(notice, source);
    else if (!isStack(element)) addText(saidIn(element), isPraise(element) ? 'done' : source, !isUnseen(element));
  };
  for (const root of roots) {
    for (const element of root.querySelectorAll('[role=alert], [aria-live=assertive]')) add(element, 'alert');
    for (const element of root.querySelectorAll(`[role=status], [aria-live=polite], ${noticeBoards()}`)) add(element, 'status');
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
    for (const element of root.querySelectorAll(calledWrong()))
      if (!element.matches('body, html, form, input, select, textarea, button, script, style') && !isLabel(element)) add(element, 'marked');
    for (const element of root.querySelectorAll('dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]'))
      add(element, 'marked');
  }
  for (const root of roots)
    for (const element of root.querySelectorAll('[class*=popup i], [class*=modal i], [class*=dialog i]'))
      if (/^(fixed|absolute)$/.test(getComputedStyle(element).position)) add(element, 'over');
  for (const leaf of leaves) {
    if (isRed(leaf) && /\p{L}{2,}/u.test(textOf(leaf, 301))) add(leaf, 'red');
  }
  for (const owner of leavesAboutForms(roots, leaves))
    for (const text of ownTexts(owner)) if (!(unseen.has(text) && isUnseen(owner))) addText(text, 'plain');
  for (const text of unseen.keys()) if (!found.has(text)) found.set(text, 'unseen');
  return [...found].slice(0, 60).map(([text, source]) => ({ text, source }));
}

export function topModal(roots: (Document | ShadowRoot)[], blanket: Element | null): Element | null {
  const modals = roots
    .flatMap((root) => [...root.querySelectorAll('dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]')])
    .filter((modal) => modal.checkVisibility({ visibilityProperty: true }));
  return modals[modals.length - 1] ?? blanket;
}
