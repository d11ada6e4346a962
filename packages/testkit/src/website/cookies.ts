export const cookieNames = { attempt: 'tw_visit', session: 'tw_session' } as const;

/** First value of each cookie: browsers send the one of the longest path first. */
export function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const [name = '', ...value] = pair.trim().split('=');
    if (name !== '' && !cookies.has(name)) cookies.set(name, value.join('='));
  }
  return cookies;
}

/** A session cookie (gone with the browser, unless a profile keeps it), bound to the paths of one scenario. */
export const setCookie = (name: string, value: string, base: string): string =>
  `${name}=${value}; Path=${base === '' ? '/' : base}; HttpOnly; SameSite=Lax`;

export const clearCookie = (name: string, base: string): string => `${setCookie(name, '', base)}; Max-Age=0`;
