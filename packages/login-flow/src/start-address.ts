/** Where every login of a connection begins: its own page, or the front page of its domain (D61). */
export const startAddress = ({ domain, loginUrl }: { readonly domain: string; readonly loginUrl: string | null }): string =>
  loginUrl ?? `https://${domain}/`;
