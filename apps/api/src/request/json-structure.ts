/** Deeper than any body that means something, and far from where walking it would exhaust the stack. */
const deepest = 100;
/** Fields and entries of lists in all: several times what any body has that means something. Each one beyond it would cost, and be a fault. */
const most = 2_000;

interface StructureFault {
  readonly field: string;
  readonly message: string;
}

/** Where the string that opens at `start` closes; the end of the text when it does not. */
function closingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    if (end === -1) return text.length;
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

/** Two spellings of one name are one name. */
function nameOf(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}

/**
 * What `JSON.parse` lets pass and no two readers agree on, a name given twice in one object (RFC 8259, section 4), of which it would keep
 * the last; and what is too deep or too much to be worth parsing. Text that is no JSON has no fault here, or any. Pure.
 */
export function structureFault(text: string): StructureFault | undefined {
  /** The names of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    // What begins a list or an object, or follows a comma, is a value, empty ones apart.
    if (character === ',' || character === '{' || character === '[') values += 1;
    if (values > most) return { field: 'body', message: `must not have more than ${most} fields and entries in all` };
    if (character === '{' || character === '[') {
      if (open.length === deepest) return { field: 'body', message: `must not be nested deeper than ${deepest} levels` };
      open.push(character === '{' ? new Set() : undefined);
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === '"') {
      const end = closingQuote(text, at);
      const names = open.at(-1);
      if (names !== undefined && isName(text, end)) {
        const name = nameOf(text.slice(at, end + 1));
        if (names.has(name)) return { field: name, message: 'must be given once' };
        names.add(name);
      }
      at = end;
    }
  }
  return undefined;
}
