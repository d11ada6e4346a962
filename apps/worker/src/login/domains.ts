import { isIP } from 'node:net';

/**
 * Hosts of identity providers that every connection may pass through (published client's docs; D61). A leading dot takes all subdomains.
 */
const identityProviders = [
  'accounts.google.com',
  'login.microsoftonline.com',
  'login.live.com',
  '.okta.com',
  '.oktapreview.com',
  '.auth0.com',
  'appleid.apple.com',
  'github.com',
  'www.facebook.com',
  '.linkedin.com',
  'linkedin.com',
  '.amazoncognito.com',
  '.onelogin.com',
  '.pingone.com',
  '.pingidentity.com',
];

export interface AllowedPlaces {
  readonly domain: string;
  readonly allowedDomains: readonly string[];
  readonly loginUrl: string | null;
}

/** The host of a `domain` that may carry a port, as `URL.hostname` spells it. */
const hostOf = (domain: string): string => {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
};

const isExact = (host: string): boolean => host === 'localhost' || host.startsWith('[') || isIP(host) !== 0;

/** A DNS name includes its subdomains; IP literals and `localhost` match exactly; ports are ignored (D61). */
export function hostMatches(host: string, domain: string): boolean {
  const wanted = hostOf(domain);
  return host === wanted || (!isExact(wanted) && host.endsWith(`.${wanted}`));
}

/**
 * Whether a flow may read, type and land at `url`. Pages without a host of their own (about:blank, srcdoc) belong to the page around them.
 */
export function mayBeAt(url: string, { domain, allowedDomains, loginUrl }: AllowedPlaces): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol === 'about:' || protocol === 'blob:' || protocol === 'data:') return true;
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  if (loginUrl !== null && new URL(loginUrl).hostname === hostname) return true;
  return (
    [domain, ...allowedDomains].some((allowed) => hostMatches(hostname, allowed)) ||
    identityProviders.some((provider) => (provider.startsWith('.') ? hostname.endsWith(provider) : hostname === provider))
  );
}
