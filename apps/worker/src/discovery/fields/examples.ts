/** Words for "for example": shortened ones with what shortens them, and whole ones. */
const SHORT = String.raw`(?:e\. ?g|eg|ex|p\. ?ex|z\. ?b|zb|bsp|p\. ?ej|ej|es|np|bijv|напр|t\. ?ex|f\. ?eks|esim|např|örn|π\. ?χ)\s*[.:：]`;
const WHOLE =
  '(?:for example|example|zum beispiel|beispiel|par exemple|exemple|por ejemplo|ejemplo|por exemplo|exemplo|per esempio|esempio|bijvoorbeeld|voorbeeld|na przykład|przykład|например|наприклад)(?!\\p{L})';
const EASTERN = '例えば|例如|比如|(?:例|如|예)\\s*[:：)）.]';
const SAYS_SO = new RegExp(String.raw`^\s*[(（]?(?:${SHORT}|${WHOLE}|${EASTERN})`, 'iu');
/** `0000-0000`, `XXX-XXX`, `___-___`. */
const SHAPE = /^(?=.*(?:[\dX]|__))[\dX#_*•·.\-–—/+()\s]+$/iu;

/** `ABC123`. */
const COUNTED = /^abc[-\s]?123\d*$/i;

/** `you@example.com`. */
const ADDRESS = /^\s*[\w.+-]+@[\w-]+(?:\.[\w-]+)+\s*$/;

/** Shows what an answer looks like, as a placeholder may, and so names no box. */
export const isExample = (text: string): boolean => [SAYS_SO, SHAPE, COUNTED, ADDRESS].some((form) => form.test(text));

/** What such a text tells of an answer: a shape that is nothing but digits only tells how many. */
export const exampleIn = (text: string): string => (isExample(text) && !/^\d+$/.test(text) ? text : '');
