import { jsonObject } from '../shared/json.ts';

/** A header of calls to a channel. null: it is taken out. */
export type HeaderOverride = Readonly<{ name: string; value: string | null }>;

/** The name of the first header that may not be set so. */
export type HeaderProblem = Readonly<{ wrong: string }>;

/** Placeholder of the channel's key in a value. */
export const keyMark = '{api_key}';

const maxHeaders = 32;
const maxValueLength = 4_096;

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const visible = /^[\t\x20-\x7e]*$/;

/** How the bytes travel, and what they are, is the connection's own business. */
const ofTheConnection: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'expect'],
  ...['te', 'trailer', 'host', 'content-length', 'content-type', 'content-encoding'],
  'accept-encoding',
]);
/** Signatures cover them. */
const signedPrefixes = ['x-amz-', 'x-tc-', 'sec-websocket-'];
const credentials: ReadonlySet<string> = new Set([
  ...['authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'cookie'],
]);

type Allowed = Readonly<{ credentials: boolean }>;

const mayBeSet = (name: string, allowed: Allowed): boolean => {
  if (!token.test(name) || ofTheConnection.has(name)) return false;
  if (signedPrefixes.some((prefix) => name.startsWith(prefix))) return false;
  return allowed.credentials || !credentials.has(name);
};

const isValue = (value: unknown): value is string | null =>
  value === null ||
  (typeof value === 'string' && value.length <= maxValueLength && visible.test(value));

/**
 * `header_override` of a channel's extra settings: names and values. Headers that carry credentials
 * may be set where `header_override_credentials` is true.
 */
export const headerOverridesOf = (setting: string): readonly HeaderOverride[] | HeaderProblem => {
  if (!setting.includes('"header_override"')) return [];
  const { header_override: given, header_override_credentials: credentialed } =
    jsonObject(setting) ?? {};
  if (given === undefined || given === null) return [];
  if (typeof given !== 'object' || Array.isArray(given)) return { wrong: 'header_override' };
  const entries = Object.entries(given);
  if (entries.length > maxHeaders) return { wrong: 'header_override' };
  const allowed = { credentials: credentialed === true };
  const headers: HeaderOverride[] = [];
  for (const [written, value] of entries) {
    const name = written.toLowerCase();
    if (!mayBeSet(name, allowed) || !isValue(value)) return { wrong: written.slice(0, 100) };
    headers.push({ name, value });
  }
  return headers;
};
