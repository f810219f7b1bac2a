import type { Attack, Place } from './attack.ts';
import { smuggled } from './attack.ts';

const post = ({ path }: Place, headers: readonly string[], body: string): string =>
  [`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '', body].join('\r\n');

/** Two readings of where the body ends. Whoever reads it must refuse, or close after one answer. */
const conflicts: Readonly<Record<string, readonly string[]>> = {
  'length before coding': ['Content-Length: 4', 'Transfer-Encoding: chunked'],
  'coding before length': ['Transfer-Encoding: chunked', 'Content-Length: 4'],
  'coding and length 0': ['Transfer-Encoding: chunked', 'Content-Length: 0'],
  'coding in odd case and length': ['tRANSFER-eNCODING: cHUNKED', 'Content-Length: 4'],
  'identity after chunked': ['Transfer-Encoding: chunked, identity'],
  'chunked is not last': ['Transfer-Encoding: chunked, gzip'],
  'chunked twice in two fields, with length': [
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked',
    'Content-Length: 4',
  ],
  'unknown coding': ['Transfer-Encoding: cow'],
  'unknown coding and length': ['Transfer-Encoding: cow', 'Content-Length: 4'],
  'almost chunked': ['Transfer-Encoding: xchunked'],
  'almost chunked and length': ['Transfer-Encoding: xchunked', 'Content-Length: 4'],
  'coding with a parameter': ['Transfer-Encoding: chunked;q=1'],
  'coding in quotes': ['Transfer-Encoding: "chunked"'],
  'coding after a vertical tab': ['Transfer-Encoding: \u000bchunked'],
  'coding before a vertical tab': ['Transfer-Encoding: chunked\u000b'],
  'coding with a NUL': ['Transfer-Encoding: chunked\0'],
  'space before the colon': ['Transfer-Encoding : chunked'],
  'tab before the colon': ['Transfer-Encoding\t: chunked'],
  'space before the length’s colon': ['Content-Length : 4'],
  'space before the name': [' Transfer-Encoding: chunked'],
  'folded name': ['X: y', ' Transfer-Encoding: chunked', 'Content-Length: 4'],
  'folded value, with length': ['Transfer-Encoding:', ' chunked', 'Content-Length: 4'],
  'two lengths': ['Content-Length: 4', 'Content-Length: 5'],
  'two lengths the other way round': ['Content-Length: 5', 'Content-Length: 4'],
  'the same length twice': ['Content-Length: 4', 'Content-Length: 4'],
  'list of lengths': ['Content-Length: 4, 5'],
  'list of equal lengths': ['Content-Length: 4, 4'],
  'length with a plus': ['Content-Length: +4'],
  'negative length': ['Content-Length: -1'],
  'hexadecimal length': ['Content-Length: 0x4'],
  'length with a letter': ['Content-Length: 4a'],
  'length with a fraction': ['Content-Length: 4.0'],
  'length with an exponent': ['Content-Length: 1e1'],
  'length with a space inside': ['Content-Length: 1 4'],
  'length beyond any number': ['Content-Length: 99999999999999999999999'],
  'length that overflows 64 bits': ['Content-Length: 18446744073709551620'],
  'length with a NUL': ['Content-Length: 4\0'],
  'length in other digits': ['Content-Length: \u00b2'],
  'length in quotes': ['Content-Length: "4"'],
};

/** Readings that a server may share with everybody else. */
const clear: Readonly<Record<string, readonly string[]>> = {
  'length with zeros before it': ['Content-Length: 004'],
  'length with spaces around it': ['Content-Length:   4  '],
  'name with underscores': ['Transfer_Encoding: chunked', 'Content-Length: 4'],
  'length of nothing': ['Content-Length: 0'],
  'empty coding': ['Transfer-Encoding: ', 'Content-Length: 4'],
  'empty length': ['Content-Length: '],
};

export const framingAttacks = (place: Place): readonly Attack[] => {
  const body = `0\r\n\r\n${smuggled(place)}`;
  return [
    ...Object.entries(conflicts).map(
      ([name, headers]): Attack => ({
        name,
        parts: [post(place, headers, body)],
        verdict: 'one answer at most',
      }),
    ),
    ...Object.entries(clear).map(
      ([name, headers]): Attack => ({
        name,
        parts: [post(place, headers, `{}{}${smuggled(place)}`)],
        verdict: 'own answers',
      }),
    ),
  ];
};

const chunked = (place: Place, method: string, body: string): string =>
  `${method} ${place.path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;

const inChunks = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

/**
 * Chunks that cannot be read, or only by some. A request is placed where a lenient reader finds
 * one.
 */
const brokenChunks = (request: string): Readonly<Record<string, string>> => ({
  'size with 0x': `0x5\r\nhello\r\n0\r\n\r\n${request}`,
  'size with a plus': `+5\r\nhello\r\n0\r\n\r\n${request}`,
  'negative size': `-5\r\nhello\r\n0\r\n\r\n${request}`,
  'size that is no number': `G\r\n${request}`,
  'no size': `\r\n${request}`,
  'size after a space': ` 5\r\nhello\r\n0\r\n\r\n${request}`,
  'size that overflows': `FFFFFFFFFFFFFFFFF1\r\nhello\r\n0\r\n\r\n${request}`,
  'size with a NUL': `5\0\r\nhello\r\n0\r\n\r\n${request}`,
  'size ended by a bare LF': `5\nhello\r\n0\r\n\r\n${request}`,
  'size ended by a bare CR': `5\rhello\r\n0\r\n\r\n${request}`,
  'data longer than its size': `3\r\nhello\r\n0\r\n\r\n${request}`,
  'data without its end': `5\r\nhello0\r\n\r\n${request}`,
  'data ended by a bare LF': `5\r\nhello\n0\r\n\r\n${request}`,
  'extension with a line break': `5;a="\r\n0\r\n\r\n${request}`,
  'extension with a bare LF': `5;a\nb\r\nhello\r\n0\r\n\r\n${request}`,
  'extension with a NUL': `5;a\0\r\nhello\r\n0\r\n\r\n${request}`,
  'extension of 32 KB': `5;${'a'.repeat(32_768)}\r\nhello\r\n0\r\n\r\n${request}`,
});

const readableChunks = (request: string): Readonly<Record<string, string>> => ({
  'chunk that is a request': inChunks(request),
  'chunk with an extension': '2;a=b\r\n{}\r\n0\r\n\r\n',
  'chunk with a quoted extension': '2;a="b c"\r\n{}\r\n0\r\n\r\n',
  'chunks of a byte': `${'1\r\n \r\n'.repeat(200)}0\r\n\r\n`,
  'trailer that names a length': '2\r\n{}\r\n0\r\nContent-Length: 50\r\n\r\n',
  'trailer that names a coding': '2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n',
  'trailer that names an address': '2\r\n{}\r\n0\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n',
  'last chunk with many zeros': '2\r\n{}\r\n0000\r\n\r\n',
  'body that never ends': '2\r\n{}\r\n0\r\nX: y\r\n',
  'size that never comes': '2\r\n{}\r\n',
  'data that never comes': 'ffffff\r\nhello',
});

const methods = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'PROPFIND', 'TRACE'];

/** Bodies of methods that have none: they must be read as bodies all the same. */
const bodiesOfAnyMethod = (place: Place): readonly Attack[] =>
  methods.flatMap((method): readonly Attack[] => {
    const request = smuggled(place);
    const length = `Content-Length: ${request.length}`;
    return [
      {
        name: `${method} with a chunk that is a request`,
        parts: [chunked(place, method, inChunks(request))],
        verdict: 'one answer at most',
      },
      {
        name: `${method} with a body that is a request`,
        parts: [`${method} ${place.path} HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n${request}`],
        verdict: 'one answer at most',
      },
    ];
  });

export const chunkAttacks = (place: Place): readonly Attack[] => {
  const request = smuggled(place);
  return [
    ...Object.entries(brokenChunks(request)).map(
      ([name, body]): Attack => ({
        name,
        parts: [chunked(place, 'POST', body)],
        verdict: 'one answer at most',
      }),
    ),
    ...Object.entries(readableChunks(request)).map(
      ([name, body]): Attack => ({
        name,
        parts: [chunked(place, 'POST', body)],
        verdict: 'one answer at most',
      }),
    ),
    ...bodiesOfAnyMethod(place),
  ];
};
