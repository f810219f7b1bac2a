import { type Attack, type Place, smuggled } from './attack.ts';

const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const upgrade = (name: string): string => `Connection: Upgrade\r\nUpgrade: ${name}`;

/** Fields about the connection, with what follows the head. */
const fieldsOf = (request: string): Readonly<Record<string, readonly [string, string]>> => {
  const length = `Content-Length: ${request.length}`;
  const inChunk = `${request.length.toString(16)}\r\n${request}\r\n0\r\n\r\n`;
  return {
    'a body whose length is named by Connection': [
      `Connection: Content-Length\r\n${length}`,
      request,
    ],
    'chunks whose coding is named by Connection': [
      'Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked',
      inChunk,
    ],
    'close and a body': [`Connection: close\r\n${length}`, request],
    'an upgrade with a body': [`${upgrade('h2c')}\r\n${length}`, request],
    'an upgrade with chunks': [`${upgrade('h2c')}\r\nTransfer-Encoding: chunked`, inChunk],
    'a websocket with a body': [`${upgrade('websocket')}\r\n${key}\r\n${length}`, request],
    'a websocket with chunks': [
      `${upgrade('websocket')}\r\n${key}\r\nTransfer-Encoding: chunked`,
      inChunk,
    ],
    'an upgrade with both': [
      `${upgrade('h2c')}\r\nTransfer-Encoding: chunked\r\nContent-Length: 4`,
      inChunk,
    ],
    'a wait for 100 with a body': [`Expect: 100-continue\r\n${length}`, request],
    'a wait for 100 with chunks': ['Expect: 100-continue\r\nTransfer-Encoding: chunked', inChunk],
    'a wait for 100 and no body': ['Expect: 100-continue\r\nContent-Length: 500', ''],
    'an unknown wait with a body': [`Expect: 200-ok\r\n${length}`, request],
    'two waits with a body': [`Expect: 100-continue, 100-continue\r\n${length}`, request],
  };
};

const alone: Readonly<Record<string, string>> = {
  'Connection names the address': 'Connection: X-Forwarded-For\r\nX-Forwarded-For: 6.6.6.6',
  'Connection names the host': 'Connection: Host',
  'Connection names the cookie': 'Connection: Cookie\r\nCookie: session=x',
  'Connection names itself': 'Connection: Connection',
  'Connection says two things': 'Connection: close, keep-alive',
  'Connection in odd case': 'cOnNeCtIoN: kEeP-aLiVe, cLoSe',
  'Connection with empty names': 'Connection: ,,close,,',
  'Connection with a thousand names': `Connection: ${'a,'.repeat(1_000)}b`,
  'Keep-Alive with nonsense': 'Keep-Alive: timeout=-1, max=999999999999',
  'Proxy-Connection': 'Proxy-Connection: keep-alive',
  'Proxy-Authorization': 'Proxy-Authorization: Basic eDp5',
  'TE that wants trailers': 'TE: trailers, chunked;q=1',
  Trailer: 'Trailer: Content-Length, Host',
  Forwarded: 'Forwarded: for=6.6.6.6;proto=https;host=x',
  'X-Real-IP': 'X-Real-IP: 6.6.6.6',
  'X-Original-URL': 'X-Original-URL: /api/option/\r\nX-Rewrite-URL: /api/option/',
  'X-HTTP-Method-Override': 'X-HTTP-Method-Override: DELETE',
  'an upgrade to HTTP/2': `${upgrade('h2c')}, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__`,
  'an upgrade to TLS': upgrade('TLS/1.2'),
  'an upgrade to several': upgrade('h2c, websocket'),
  'a websocket': `${upgrade('websocket')}\r\n${key}`,
  'a websocket without a key': upgrade('websocket'),
  'a websocket of an old version': `${upgrade('websocket')}\r\nSec-WebSocket-Version: 0`,
  'Upgrade without Connection': `Upgrade: websocket\r\n${key}`,
  'Connection without Upgrade': 'Connection: Upgrade',
  'an upgrade that closes': 'Connection: Upgrade, close\r\nUpgrade: h2c',
  'a wait without a body': 'Expect: 100-continue',
};

const get = (path: string, fields = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;

/** Several requests on one connection, sent at once. */
const rows = ({ path }: Place): Readonly<Record<string, string>> => ({
  'two requests at once': get(path).repeat(2),
  'ten requests at once': get(path).repeat(10),
  'two hundred requests at once': get(path).repeat(200),
  'a request behind a head': `HEAD ${path} HTTP/1.1\r\nHost: x\r\n\r\n${get(path)}`,
  'nonsense behind a request': `${get(path)}nonsense\r\n\r\n`,
  'nonsense between two requests': `${get(path)}\0\0\0\0${get(path)}`,
  'an upgrade behind a request': get(path) + get(path, `${upgrade('h2c')}\r\n`),
  'a websocket behind a request': get(path) + get(path, `${upgrade('websocket')}\r\n${key}\r\n`),
  'a request behind an upgrade': get(path, `${upgrade('h2c')}\r\n`) + get(path),
  'a request behind a websocket': get(path, `${upgrade('websocket')}\r\n${key}\r\n`) + get(path),
  'a request behind a close': get(path, 'Connection: close\r\n') + get(path),
});

export const connectionAttacks = (place: Place): readonly Attack[] => {
  const request = smuggled(place);
  const bodies = Object.entries(fieldsOf(request)).flatMap(([name, [fields, body]]) =>
    ['GET', 'POST'].map(
      (method): Attack => ({
        name: `${method}: ${name}`,
        parts: [`${method} ${place.path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n\r\n`, body],
        verdict: 'one answer at most',
      }),
    ),
  );
  return [
    ...bodies,
    ...Object.entries(alone).map(
      ([name, fields]): Attack => ({
        name,
        parts: [get(place.path, `${fields}\r\n`)],
        verdict: 'own answers',
      }),
    ),
    ...Object.entries(rows(place)).map(
      ([name, bytes]): Attack => ({ name, parts: [bytes], verdict: 'own answers' }),
    ),
    {
      name: 'HTTP/1.0 with chunks',
      parts: [
        `POST ${place.path} HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n${request}`,
      ],
      verdict: 'one answer at most',
    },
    {
      name: 'HTTP/1.0 with an upgrade',
      parts: [`GET ${place.path} HTTP/1.0\r\n${upgrade('h2c')}\r\n\r\n`],
      verdict: 'own answers',
    },
  ];
};
