/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { ControlSnapshot, FoldedOffer, FormSnapshot, TextBlock } from '../../discovery/snapshot.js';
import { describeControl, findControls, foldedOffers } from './controls.js';
import { allRoots, attribute, cleanText, pathOf } from './dom.js';
import { describeForms } from './forms.js';
import { textOf } from './naming.js';
import { findAlerts, findLeaves, topModal } from './texts.js';
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

/** 0 is what a browser says of documents that came without an answer of their own. */
export function httpStatus(): number | null {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry?.responseStatus || null;
}

/**
 * A document without its styles shows nobody anything yet: names and explanations run together in it. Once it is complete, a style that is
 * missing has failed.
 */
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
      .filter((text) => /^\d{1,4}$/.test(text))
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
