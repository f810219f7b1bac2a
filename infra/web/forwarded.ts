import type { IncomingHttpHeaders } from 'node:http';

/** The client reached the site over TLS, by the header of the proxy in front. */
export const isForwardedFromTls = (headers: IncomingHttpHeaders): boolean =>
  headers['x-forwarded-proto'] === 'https';
