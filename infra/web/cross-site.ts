import type { IncomingHttpHeaders } from 'node:http';

/** `host`, with the port left out where it is the usual one of the protocol. */
const canonicalHost = (protocol: string, host: string | undefined): string | null => {
  const url = `${protocol}//${host ?? ''}`;
  return URL.canParse(url) ? new URL(url).host : null;
};

/**
 * The hosts that a browser may have asked. A page of another site cannot set `X-Forwarded-Host`,
 * so it counts from any sender: proxies that rewrite `Host` keep the old one there.
 */
const askedHosts = (headers: IncomingHttpHeaders, protocol: string): readonly (string | null)[] => {
  const forwarded = String(headers['x-forwarded-host'] ?? '').split(',');
  return [headers.host, ...forwarded].map((host) => canonicalHost(protocol, host?.trim()));
};

/**
 * Does a page of another site make this call? Browsers say so by `Sec-Fetch-Site` on secure
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
 * Cross-site request forgery: the page of another site lets a browser act for its user, or lets it
 * sign in. A call by an access token alone is not: the page had to know the token.
 */
export const isForgedByAnotherSite = (headers: IncomingHttpHeaders): boolean => {
  const bringsOwnProof = headers.authorization !== undefined && headers.cookie === undefined;
  return !bringsOwnProof && isFromAnotherSite(headers);
};

/** The browser leads its whole window here, as providers of logins do when they send it back. */
export const isNavigation = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-mode'] === 'navigate';
