/** All bounded: page text decides how long they look. `j***@m***.example`, `•••• 42`, `+49 *** ** 17`, `XXX-XXX-1234`, `ending in 42`. */
const PATTERNS: readonly RegExp[] = [
  /[\p{L}\p{N}._-]{0,6}[*•●∙…·]{2,20}[\p{L}\p{N}._*•●-]{0,30}@[\p{L}\p{N}*•●.-]{0,60}[\p{L}\p{N}*•●]/u,
  /(?:\+?\(?\d{1,4}\)?[\s-]?)?\(?[*•●∙·#][*•●∙·#\s()-]{1,40}\d{1,4}(?:[\s-]?\d{1,4})?/u,
  /(?:\+?\(?\d{1,4}\)?[\s-]?)?(?:\b|\()[xX]{2,4}\)?[\s-]?[xX]{0,4}[\s-]?\d{2,4}\b/u,
  /\+?\d{1,4}[\s-]?\d{0,3}[\s-]?[*•●∙·]{2,12}/u,
  /(?:ending (?:in|with)|ends (?:in|with)|endet auf|terminad[oa] en|termina en|se terminant par|che termina con|eindigend op|terminado em|尾号|末尾|下4桁)\s*[:.]?\s*\d{2,4}/iu,
];

/** The masked phone number or e-mail address in a text, null if none. */
export function maskedDestination(text: string): string | null {
  for (const pattern of PATTERNS) {
    const found = pattern.exec(text)?.[0].trim();
    if (found) return found.slice(0, 80);
  }
  return null;
}

const ADDRESS = /[^\s@<>()]{1,64}@[\p{L}\p{N}-]{1,60}(?:\.[\p{L}\p{N}-]{1,60}){1,5}/u;

/** Where a text says that something goes: a masked number or address, or an e-mail address in full; null if nowhere. */
export const destinationIn = (text: string): string | null => maskedDestination(text) ?? ADDRESS.exec(text)?.[0] ?? null;
