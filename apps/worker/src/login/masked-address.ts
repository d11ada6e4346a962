/**
 * An address of a website as it may be shown (D45). Where it is is no secret, though somebody may have typed its name; nor is a word within a
 * part of its path, as of a file that is called like the password of whoever has left it at its default.
 */
export function maskedAddress(address: string, masking: (text: string) => string): string {
  const { origin, pathname, search, hash, href } = new URL(address);
  if (!href.startsWith(origin)) return masking(address);
  const masked = pathname.split('/').map((part) => (isOfWords(part) && isMore(masking(part)) ? part : masking(part)));
  return `${origin}${masked.join('/')}${masking(search)}${masking(hash)}`;
}

const isOfWords = (part: string): boolean => !/\d/.test(part);
/** Something is left of it that was not masked. */
const isMore = (masked: string): boolean => /[\p{L}\p{N}]/u.test(masked);
