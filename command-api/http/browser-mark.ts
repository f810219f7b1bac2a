import { randomBytes } from 'node:crypto';
import { cookieValue, setCookieText } from '../../infra/web/cookies.ts';
import type { SiteOptions } from '../options/site-options.ts';
import type { Call } from './call.ts';
import { isSecureSite } from './secure-site.ts';

type Deps = Readonly<{
  options: SiteOptions;
}>;

const markBytes = 32;
const markShape = /^[A-Za-z0-9_-]{43}$/;

type MarkCookie = Readonly<{ name: string; path: string; maxAgeSeconds: number }>;

/** A random mark of one browser, which what was begun in it is bound to. */
export const createBrowserMark = (deps: Deps, { name, path, maxAgeSeconds }: MarkCookie) => {
  /** null when the browser has none. */
  const read = ({ request }: Call): string | null => {
    const mark = cookieValue(request.headers.cookie, name);
    return mark !== null && markShape.test(mark) ? mark : null;
  };

  return {
    read,
    /** A new mark, or the one that the browser has: two tabs may sign in at once. */
    async give(call: Call): Promise<string> {
      const mark = read(call) ?? randomBytes(markBytes).toString('base64url');
      const isSecure = await isSecureSite(deps, call.request.headers);
      const attributes = { maxAgeSeconds, path, isSecure };
      call.reply.header('set-cookie', setCookieText(name, mark, attributes));
      return mark;
    },
  };
};
