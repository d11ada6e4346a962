/** Characters that a terminal obeys, or that turn the direction of what follows: what a website says may have them. */
const OBEYED = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text of the website, or about it, in one line and with nothing in it that a terminal does instead of showing it. */
export const printable = (text: string): string => text.replace(/\s+/g, ' ').replace(OBEYED, '');
