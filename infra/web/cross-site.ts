import type { IncomingHttpHeaders } from 'node:http';

/** `host`, with the port left out where it is the usual one of the protocol. */
const canonicalHost = (protocol: string, host: string | undefined): string | null => {
  const url = `${protocol}//${host ?? ''}`;
  return URL.canParse(url) ? new URL(url).host : null;
};

/**
 * The hosts that a browser may have requested. A page of another site cannot set
 * `X-Forwarded-Host`, so it counts from any sender: proxies that rewrite `Host` keep the old one
 * there.
 */
const askedHosts = (headers: IncomingHttpHeaders, protocol: string): readonly (string | null)[] => {
  const forwarded = String(headers['x-forwarded-host'] ?? '').split(',');
  return [headers.host, ...forwarded].map((host) => canonicalHost(protocol, host?.trim()));
};

/**
 * Whether a page of another site makes this call. Browsers show it by `Sec-Fetch-Site` on secure
 * connections (Fetch Metadata) and by `Origin` on others (RFC 6454); other clients send neither.
 */
export const isFromAnotherSite = (headers: IncomingHttpHeaders): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const { protocol, host } = new URL(origin);
  return !askedHosts(headers, protocol).includes(host);
};

/**
 * Cross-site request forgery: the page of another site makes a browser act for its user, or makes
 * it sign in. A call by an access token alone is none: the page would need the token.
 */
export const isForgedByAnotherSite = (headers: IncomingHttpHeaders): boolean => {
  const bringsOwnProof = headers.authorization !== undefined && headers.cookie === undefined;
  return !bringsOwnProof && isFromAnotherSite(headers);
};

/** The browser leads its whole window here, as providers of logins do when they send it back. */
export const isNavigation = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-mode'] === 'navigate';
