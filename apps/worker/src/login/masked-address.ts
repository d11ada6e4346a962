/** An address of a website as it may be shown (D45). Where it is is no secret, though somebody may have typed its name. */
export function maskedAddress(address: string, masking: (text: string) => string): string {
  const { origin, href } = new URL(address);
  return href.startsWith(origin) ? `${origin}${masking(href.slice(origin.length))}` : masking(address);
}
