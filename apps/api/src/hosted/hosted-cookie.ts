import type { Sealer } from '@berth/secrets';

const name = 'berth_hosted';
const purpose = 'hosted-cookie';

export interface CookieOptions {
  /** Base URL of the API as people reach it: its path is the cookie's, and over https the cookie never leaves it. */
  readonly publicUrl: string;
  /** Seconds after which the browser forgets it; no flow lasts longer. */
  readonly maxAgeSeconds: number;
}

/** The Set-Cookie value that makes a browser a visitor of one flow (D58): no script reads it, and no other site's form brings it. */
export function hostedCookie(sealer: Sealer, flowId: string, { publicUrl, maxAgeSeconds }: CookieOptions): string {
  const { protocol, pathname } = new URL(publicUrl);
  const path = `${pathname.replace(/\/$/, '')}/hosted`;
  const value = `${flowId}.${sealer.sign(purpose, flowId)}`;
  return [`${name}=${value}`, `Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax', ...(protocol === 'https:' ? ['Secure'] : [])].join('; ');
}

/** The flow whose cookie is in a Cookie header; undefined when there is none or it was not made by us. */
export function visitedFlow(sealer: Sealer, cookies: string | undefined): string | undefined {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim().split('='));
  const value = pairs.find(([key]) => key === name)?.[1] ?? '';
  const [, flowId, signature] = /^([a-z0-9]{24})\.([\w-]+)$/.exec(value) ?? [];
  return flowId !== undefined && signature !== undefined && sealer.verify(purpose, flowId, signature) ? flowId : undefined;
}
