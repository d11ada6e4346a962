/** Markup that is already escaped; only `html` and `raw` make it. */
export class Html {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

type Part = Html | string | number | false | null | undefined | readonly Part[];

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function render(part: Part): string {
  if (part === false || part === null || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(render).join('');
}

/** Template tag: every value is escaped unless it is `Html`; lists are joined; false, null and undefined vanish. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(strings.reduce((text, piece, index) => text + render(values[index - 1]) + piece));
}

/** For text that is markup or script by its nature. Never give it anything a visitor sent. */
export function raw(text: string): Html {
  return new Html(text);
}

/** A value as a JavaScript literal that is safe inside a `<script>` block. */
export function literal(value: unknown): Html {
  return new Html((JSON.stringify(value) ?? 'undefined').replace(/</g, '\\u003c'));
}
