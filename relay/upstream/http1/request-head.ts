import type { UpstreamRequest } from '../../providers/types.ts';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const value = /^[\t\x20-\x7e\x80-\xff]*$/;
const path = /^[\x21-\xff]+$/;
/** What says how the bytes travel is the connection's own business (RFC 9110, section 7.6.1). */
const ofTheConnection: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect', 'te', 'trailer'],
]);
/** Says its length even when it is 0. */
const bodied: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const mustBeSendable = (name: string, text: string): void => {
  if (token.test(name) && value.test(text) && !ofTheConnection.has(name.toLowerCase())) return;
  throw new Error(`the header ${JSON.stringify(name)} cannot be sent`);
};

/**
 * What goes over the wire before the body, in latin-1. `host` unless the headers name another.
 * @throws when a header or the path cannot be sent as it is
 */
export const requestHead = (request: UpstreamRequest, host: string): string => {
  const { headers, body } = request;
  const method = request.method ?? 'POST';
  if (!path.test(request.path)) throw new Error('the path of the request cannot be sent');
  let lines = '';
  let ownHost = host;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const text = headers[at + 1] ?? '';
    mustBeSendable(name, text);
    if (name.length === 4 && name.toLowerCase() === 'host') ownHost = text;
    else if (name.length !== 14 || name.toLowerCase() !== 'content-length') {
      lines += `${name}: ${text}\r\n`;
    }
  }
  if (body.length > 0 || bodied.has(method)) lines += `content-length: ${body.length}\r\n`;
  return `${method} ${request.path} HTTP/1.1\r\nhost: ${ownHost}\r\nconnection: keep-alive\r\n${lines}\r\n`;
};
