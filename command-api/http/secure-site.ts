import type { IncomingHttpHeaders } from 'node:http';
import { isForwardedFromTls } from '../../infra/web/forwarded.ts';
import type { SiteOptions } from '../options/site-options.ts';

type Deps = Readonly<{
  options: SiteOptions;
}>;

/** Do cookies of this site travel over TLS only? By its own address, else by how this call came. */
export const isSecureSite = async (
  { options }: Deps,
  headers: IncomingHttpHeaders,
): Promise<boolean> =>
  isForwardedFromTls(headers) || /^https:/i.test(await options.text('ServerAddress'));
