const masked = '••••';
const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A character as an address may have it: as it is or by its bytes, however often that was written down again; a blank as a plus. */
function spellingsOf(character: string): string {
  const bytes = [...Buffer.from(character)].map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`);
  return `(?:${escape(character)}|${bytes.join('')}${character === ' ' ? '|\\+' : ''})`;
}

/** Between the lines of a secret: a box of one line leaves the break out, and an address spells it. */
const lineBreak = '(?:\\s|%(?:25)*0[ad])*';
const inOneLine = (secret: string): string => secret.replace(/[\r\n]+/g, '');

/**
 * One secret as a website may print it: as typed, with its line breaks or without, or a code in groups. A secret of one or two characters
 * only as a word of its own, or nothing readable would be left.
 */
function patternOf(secret: string, spelled: (character: string) => string): string {
  const typed = inOneLine(secret);
  const between = /^[0-9A-Z]{4,}$/i.test(typed) && /[0-9]/.test(typed) ? '[\\s\\u00a0-]?' : '';
  const lines = secret.split(/[\r\n]+/).filter((line) => line !== '');
  const whole = lines.map((line) => [...line].map(spelled).join(between)).join(`${lineBreak}${between}`);
  return typed.length < 3 ? `(?<![\\p{L}\\p{N}])${whole}(?![\\p{L}\\p{N}])` : whole;
}

/**
 * `text` without any of `secrets` (D45): for every text or address that is taken from a page and stored, sent or logged. Case is ignored,
 * since pages shout. Longer secrets go first, so that one that contains another leaves no rest behind.
 */
export function mask(text: string, secrets: Iterable<string>): string {
  const patterns = [...new Set(secrets)]
    .filter((secret) => secret.trim() !== '')
    .sort((left, right) => inOneLine(right).length - inOneLine(left).length)
    .map((secret) => patternOf(secret, /[%+]/.test(text) ? spellingsOf : escape));
  return patterns.length === 0 ? text : text.replace(new RegExp(patterns.join('|'), 'giu'), masked);
}
