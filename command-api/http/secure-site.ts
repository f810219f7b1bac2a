import type { IncomingHttpHeaders } from 'node:http';
import { isForwardedFromTls } from '../../infra/web/forwarded.ts';
import type { SiteOptions } from '../options/site-options.ts';

type Deps = Readonly<{
  options: SiteOptions;
}>;

/**
 * Whether cookies of this site are sent over TLS only. By its own address, else by the protocol of
 * this call.
 */
export const isSecureSite = async (
  { options }: Deps,
  headers: IncomingHttpHeaders,
): Promise<boolean> =>
  isForwardedFromTls(headers) || /^https:/i.test(await options.text('ServerAddress'));
