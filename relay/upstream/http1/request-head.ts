import type { UpstreamRequest } from '../types.ts';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const value = /^[\t\x20-\x7e\x80-\xff]*$/;
const path = /^[\x21-\xff]+$/;
/**
 * Headers about the transfer of bytes belong to the connection itself (RFC 9110, section 7.6.1).
 */
const ofTheConnection: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect', 'te', 'trailer'],
]);
/** States its length even when it is 0. */
const bodied: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const mustBeSendable = (name: string, text: string): void => {
  if (token.test(name) && value.test(text) && !ofTheConnection.has(name.toLowerCase())) return;
  throw new Error(`the header ${JSON.stringify(name)} cannot be sent`);
};

/** Everything but the length of the body. */
const opening = ({ method = 'POST', path: target, headers }: UpstreamRequest, host: string) => {
  if (!path.test(target)) throw new Error('the path of the request cannot be sent');
  let lines = '';
  let ownHost = host;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const text = headers[at + 1] ?? '';
    mustBeSendable(name, text);
    const lower = name.toLowerCase();
    if (lower === 'host') ownHost = text;
    else if (lower !== 'content-length') lines += `${name}: ${text}\r\n`;
  }
  const own = 'connection: keep-alive\r\naccept-encoding: identity\r\n';
  return `${method} ${target} HTTP/1.1\r\nhost: ${ownHost}\r\n${own}${lines}`;
};

const areSame = (some: readonly string[], others: readonly string[]): boolean => {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at += 1) if (some[at] !== others[at]) return false;
  return true;
};

type Made = Readonly<{
  method: UpstreamRequest['method'];
  path: string;
  headers: readonly string[];
  bytes: Buffer;
}>;

/** Heads that are kept: an origin has few channels, and each of them few ways of asking. */
const maxKept = 8;

/**
 * What goes over the wire to one host before a body. Requests of one channel differ in nothing but
 * the length of their body, so what was checked and written once is kept.
 */
export class RequestHeads {
  private readonly host: string;
  private readonly made: Made[] = [];
  private oldest = 0;

  constructor(host: string) {
    this.host = host;
  }

  /**
   * The head in latin-1, with the body behind it where there is room for that.
   * @throws when a header or the path cannot be sent as it is
   */
  write(request: UpstreamRequest, maxCopied: number): Buffer {
    const opened = this.openingOf(request);
    const { body, method = 'POST' } = request;
    const says = body.length > 0 || bodied.has(method);
    const closing = says ? `content-length: ${body.length}\r\n\r\n` : '\r\n';
    const headSize = opened.length + closing.length;
    const bytes = Buffer.allocUnsafe(headSize + (body.length > maxCopied ? 0 : body.length));
    opened.copy(bytes, 0);
    bytes.write(closing, opened.length, 'latin1');
    if (bytes.length > headSize) body.copy(bytes, headSize);
    return bytes;
  }

  private openingOf(request: UpstreamRequest): Buffer {
    for (const made of this.made) {
      const isOfThis = made.path === request.path && made.method === request.method;
      if (isOfThis && areSame(made.headers, request.headers)) return made.bytes;
    }
    const { method, path: target, headers } = request;
    const bytes = Buffer.from(opening(request, this.host), 'latin1');
    this.made[this.oldest] = { method, path: target, headers, bytes };
    this.oldest = (this.oldest + 1) % maxKept;
    return bytes;
  }
}
