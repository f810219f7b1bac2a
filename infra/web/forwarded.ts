import type { IncomingHttpHeaders } from 'node:http';

/** The client reached the site over TLS, as the proxy in front says. */
export const isForwardedFromTls = (headers: IncomingHttpHeaders): boolean =>
  headers['x-forwarded-proto'] === 'https';
