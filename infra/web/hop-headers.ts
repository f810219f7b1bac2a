import type { IncomingHttpHeaders } from 'node:http';

/** Headers that belong to one hop and are not handed on (RFC 9110, section 7.6.1). */
const ofOneHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'http2-settings',
  'proxy-authenticate',
  'proxy-authorization',
]);

/** The fields that a `Connection` header names, in lower case. */
const namedBy = (connection: string | undefined): ReadonlySet<string> =>
  new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));

/** The headers that the next hop may see: without those of this one and those that it names. */
export const endToEndHeaders = (
  headers: IncomingHttpHeaders,
): Record<string, string | string[]> => {
  const named = namedBy(headers.connection);
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || ofOneHop.has(name) || named.has(name)) continue;
    kept[name] = value;
  }
  return kept;
};
