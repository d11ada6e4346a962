/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Called an error, or the like, in class, id or part. */
export function calledWrong(): string {
  return ['error', 'alert', 'danger', 'invalid', 'warning', 'fail', 'feedback', 'toast', 'flash', 'notification']
    .map((word) => `[class*=${word} i], [id*=${word} i], [part*=${word} i]`)
    .join(', ');
}

export function isRed(element: Element): boolean {
  const [r = 0, g = 0, b = 0] = (getComputedStyle(element).color.match(/\d+/g) ?? []).map(Number);
  return r >= 150 && g <= 100 && b <= 110;
}

/**
 * Announced, called or drawn as what went wrong: it comes with a refusal, and may come between a caption and its box. What holds the box too is
 * marked as a whole.
 */
export function isRemark(text: Element, box: Element): boolean {
  const marked = text.closest(`[role=alert], [role=status], [aria-live=assertive], [aria-live=polite], ${calledWrong()}`);
  return (marked !== null && !marked.contains(box)) || isRed(text);
}

/** Parts of a caption that are no words of it: a remark, a hint, and a "?" that tells more when it is asked. */
export function asidesIn(caption: Element): Element[] {
  const isAside = (part: Element): boolean =>
    isHelpMark(part) ||
    part.matches(`${calledWrong()}, [class*=hint i]`) ||
    (isRed(part) && !isRed(caption) && /\p{L}{2}/u.test(part.textContent ?? ''));
  return [...caption.querySelectorAll('*')].filter((part) => isAside(part) && !part.querySelector('input, select, textarea'));
}

export function isHelpMark(part: Element): boolean {
  return /^\s*\(?[?？]\)?\s*$/.test(part.textContent ?? '');
}

/** On the line of the box, as what names it often is and what is said of it is not. */
export function isOnLineOf(text: Element, box: Element): boolean {
  const [said, line] = [text.getBoundingClientRect(), box.getBoundingClientRect()];
  const middle = said.top + said.height / 2;
  return middle > line.top && middle < line.bottom;
}
