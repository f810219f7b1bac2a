import type { IncomingMessage } from 'node:http';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { parseObject } from '../protocol/json.ts';
import { createPatternSearch, type PatternSearch } from './pattern-search.ts';

/** A whole key this short may be a word; a part of one, the name of a region. */
export const shortestKey = 8;
const shortestPart = 16;

const ownMembers = ['private_key', 'private_key_id', 'client_email'] as const;

const partsOf = (key: string): readonly string[] => {
  const account = key.startsWith('{') ? parseObject(key) : null;
  if (account === null) return key.split('|').map((part) => part.trim());
  return ownMembers.map((name) => account[name]).filter((value) => typeof value === 'string');
};

/** Where parts are secret, they are what must not be shown: the rest is no secret. */
const secretsIn = (key: string): readonly string[] => {
  const parts = partsOf(key).filter((part) => part.length >= shortestPart);
  if (parts.length > 0) return parts;
  return key.length < shortestKey ? [] : [key];
};

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** How the encoders of several languages write a text inside a JSON string. */
const jsonForms = (secret: string): readonly string[] => {
  const plain = JSON.stringify(secret).slice(1, -1);
  const html = plain.replace(/[<>&='+]/g, escaped);
  return [
    plain,
    plain.replaceAll('/', '\\/'),
    html,
    html.replaceAll('\\u003d', '='),
    html.replaceAll('\\u003d', '=').replaceAll('\\u002b', '+'),
    plain.replace(/[<>&'+]/g, (sign) => escaped(sign).toUpperCase().replace('\\U', '\\u')),
  ];
};

const urlForms = (secret: string): readonly string[] => {
  const encoded = encodeURIComponent(secret);
  return [encoded, encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())];
};

/**
 * The Base64 digits that a secret alone decides, for each alignment in which it may occur in a
 * longer text (as in `user:key`).
 */
const base64Forms = (secret: string): readonly string[] =>
  [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const first = before === 0 ? 0 : before + 1;
    const last = Math.floor((bytes.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((alphabet) =>
      bytes.toString(alphabet).slice(first, last),
    );
  });

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

const formsOf = (secret: string): readonly string[] => {
  if (!isAscii(secret)) return [secret, ...jsonForms(secret)];
  const encoded = secret.length < shortestPart ? [] : base64Forms(secret);
  return [secret, ...jsonForms(secret), ...urlForms(secret), ...encoded];
};

/** What must not be shown: each secret in each of its forms. */
export type KeyForms = Readonly<{
  patterns: readonly Buffer[];
  /** By byte, 1: it may occur in a secret. */
  bytes: Uint8Array;
  search: PatternSearch;
}>;

const formsOfPatterns = (patterns: readonly Buffer[]): KeyForms => {
  const bytes = new Uint8Array(256);
  for (const pattern of patterns) for (const byte of pattern) bytes[byte] = 1;
  return { patterns, bytes, search: createPatternSearch(patterns) };
};

export const noForms: KeyForms = formsOfPatterns([]);

const keyForms = (secrets: readonly string[]): KeyForms => {
  const forms = new Set(secrets.flatMap(formsOf).filter((form) => form !== ''));
  return formsOfPatterns([...forms].map((form) => Buffer.from(form)));
};

const knownChannels = new WeakMap<UpstreamChannel, KeyForms>();

/** The key of a channel and its parts. */
export const channelKeyForms = (channel: UpstreamChannel): KeyForms => {
  const known = knownChannels.get(channel);
  if (known !== undefined) return known;
  const forms = keyForms(secretsIn(channel.key));
  knownChannels.set(channel, forms);
  return forms;
};

/** The random part of a token of this gateway. */
const tokenKey = /[A-Za-z0-9]{32,}/;

const credentialIn = ({ headers, url = '' }: IncomingMessage): string => {
  const named = [headers.authorization, headers['x-api-key'], headers['x-goog-api-key']];
  const others = [headers['mj-api-secret'], headers['sec-websocket-protocol']];
  const query = url.indexOf('?');
  return [...named, ...others, query === -1 ? '' : url.slice(query)].join(' ');
};

const knownTokens = new WeakMap<object, KeyForms>();

/** The caller's own token; `owner` is an object that exists as long as the token is cached. */
export const callerKeyForms = (req: IncomingMessage, owner: object): KeyForms => {
  const known = knownTokens.get(owner);
  if (known !== undefined) return known;
  const key = tokenKey.exec(credentialIn(req))?.[0];
  const forms = key === undefined ? noForms : formsOfPatterns([Buffer.from(key)]);
  knownTokens.set(owner, forms);
  return forms;
};
