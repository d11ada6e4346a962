import type { Sealer } from '@berth/secrets';

const name = 'berth_hosted';
const purpose = 'hosted-cookie';

export interface CookieOptions {
  /** Base URL of the API as people reach it: its path is the cookie's, and over https the cookie never leaves it. */
  readonly publicUrl: string;
  /** Seconds after which the browser forgets it; no flow lasts longer. */
  readonly maxAgeSeconds: number;
}

/**
 * The Set-Cookie value that makes a browser a visitor of one flow (D58): no script reads it, and no other site's form brings it. Its path
 * is the flow's, so that two pages open in one browser have a cookie each.
 */
export function hostedCookie(sealer: Sealer, flowId: string, { publicUrl, maxAgeSeconds }: CookieOptions): string {
  const { protocol, pathname } = new URL(publicUrl);
  const path = `${pathname.replace(/\/$/, '')}/hosted/flow/${flowId}`;
  const value = `${flowId}.${sealer.sign(purpose, flowId)}`;
  return [
    `${name}=${value}`,
    `Path=${path}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(protocol === 'https:' ? ['Secure'] : []),
  ].join('; ');
}

/** Whether a Cookie header holds the flow's cookie, made by us. */
export function visits(sealer: Sealer, cookies: string | undefined, flowId: string): boolean {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.some(([key, value = '']) => {
    const [, visited, signature = ''] = /^([a-z0-9]{24})\.([\w-]+)$/.exec(value) ?? [];
    return key === name && visited === flowId && sealer.verify(purpose, flowId, signature);
  });
}
