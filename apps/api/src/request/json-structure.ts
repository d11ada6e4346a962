/** Deeper than any body that means something, and far from where walking it would exhaust the stack. */
const deepest = 100;

interface StructureFault {
  readonly field: string;
  readonly message: string;
}

/** Where the string that opens at `start` closes. */
function closingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

function isName(text: string, end: number): boolean {
  const colon = /\s*:/y;
  colon.lastIndex = end + 1;
  return colon.test(text);
}

/**
 * What `JSON.parse` lets pass and no two readers agree on: a name given twice in one object (RFC 8259, section 4), of which it would keep the last, and nesting
 * without end. `text` must be valid JSON. Pure.
 */
export function structureFault(text: string): StructureFault | undefined {
  /** The names of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') {
      if (open.length === deepest) return { field: 'body', message: `must not be nested deeper than ${deepest} levels` };
      open.push(character === '{' ? new Set() : undefined);
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === '"') {
      const end = closingQuote(text, at);
      const names = open.at(-1);
      if (names !== undefined && isName(text, end)) {
        const name = JSON.parse(text.slice(at, end + 1)) as string;
        if (names.has(name)) return { field: name, message: 'must be given once' };
        names.add(name);
      }
      at = end;
    }
  }
  return undefined;
}
