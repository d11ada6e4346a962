/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { ControlSnapshot, FormSnapshot } from '../../discovery/snapshot.js';
import { attribute, cleanText, closestAcross, parentOf, pathOf } from './dom.js';
import { ariaText, textOf } from './naming.js';

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
    nav: 'nav, [role=navigation], [role=menubar], [role=toolbar]',
    header: 'header, [role=banner]',
    footer: 'footer, [role=contentinfo]',
    aside: 'aside, [role=complementary]',
    main: 'main, [role=main]',
  } as const;
  for (const name of Object.keys(named) as (keyof typeof named)[]) if (closestAcross(element, named[name])) return name;
  return '';
}

/** The box laid over the page that an element stands in, null if it stands in none. */
export function overlayBox(element: Element): Element | null {
  for (let at = parentOf(element); at && at !== document.body; at = parentOf(at)) {
    const { position, zIndex } = getComputedStyle(at);
    if (position === 'fixed' || ((position === 'absolute' || position === 'sticky') && Number(zIndex) > 0)) return at;
  }
  return null;
}

/** Name and words of the box laid over the page that an element stands in, empty if it stands in none. */
export function overlayOf(element: Element): string {
  const box = overlayBox(element);
  return box === null ? '' : `${attribute(box, 'id', 60)} ${attribute(box, 'class', 100)} ${textOf(box, 600)}`.trim();
}

/** A legend names a part of its form, and leaves what stands above the form to be said of all of it. */
export function headingOf(form: Element): string {
  const inside = [...form.querySelectorAll('h1, h2, h3, h4, legend, [role=heading]')].filter((heading) => heading.checkVisibility());
  const isNamed = inside.some((heading) => heading.localName !== 'legend');
  const told = [...(isNamed ? [] : [headingBefore(form)]), ...inside.map((heading) => textOf(heading, 120))].filter((text) => text !== '');
  return cleanText(told.slice(0, 3).join(' · '), 300);
}

export function headingBefore(form: Element): string {
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
