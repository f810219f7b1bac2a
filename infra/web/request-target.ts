import type { IncomingMessage, ServerResponse } from 'node:http';

const absoluteForm = /^https?:\/\/([^/?#]+)(.*)$/i;

const refuse = (res: ServerResponse, status: 204 | 400): false => {
  res.writeHead(status, { 'content-length': '0', connection: 'close' });
  res.end();
  return false;
};

/**
 * A coding of the body that HTTP/1.0 does not have means that an intermediary read the message
 * differently (RFC 9112, section 6.1). False when the request was answered for that.
 */
export const isFramedClearly = (req: IncomingMessage, res: ServerResponse): boolean =>
  req.httpVersion !== '1.0' || req.headers['transfer-encoding'] === undefined
    ? true
    : refuse(res, 400);

/**
 * Turns a request target in absolute form, which a server must take (RFC 9112, section 3.2.2), into
 * the path that every table of routes is about. False when it is something else and was answered.
 */
export const toOriginForm = (req: IncomingMessage, res: ServerResponse): boolean => {
  const target = req.url ?? '';
  if (target === '*' && req.method === 'OPTIONS') return refuse(res, 204);
  const [, authority, rest = ''] = absoluteForm.exec(target) ?? [];
  if (authority === undefined) return refuse(res, 400);
  // The authority of the target replaces the header.
  req.headers.host = authority;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
  return true;
};
