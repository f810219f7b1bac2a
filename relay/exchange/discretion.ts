import { veiled } from '../providers/shared/failure.ts';
import { isObject, parseJson, parseObject } from '../providers/shared/json.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';

/** A whole key this short may be a word; a part of one, the name of a region. */
const shortestKey = 8;
const shortestPart = 16;

const ownMembers = ['private_key', 'private_key_id', 'client_email'] as const;

const partsOf = (key: string): readonly string[] => {
  const account = key.startsWith('{') ? parseObject(key) : null;
  if (account === null) return key.split('|').map((part) => part.trim());
  return ownMembers.map((name) => account[name]).filter((value) => typeof value === 'string');
};

const known = new WeakMap<UpstreamChannel, readonly string[]>();

/** The longest first: a part must not break up the whole. */
const secretsOf = (channel: UpstreamChannel): readonly string[] => {
  const found = known.get(channel);
  if (found !== undefined) return found;
  const { key } = channel;
  const parts = partsOf(key).filter((part) => part.length >= shortestPart);
  const secrets = [...new Set(key.length < shortestKey ? parts : [key, ...parts])];
  known.set(channel, secrets);
  return secrets;
};

/** Some providers repeat the key that they refuse, which is the operator's, not the caller's. */
export const discreetWords = (channel: UpstreamChannel, words: string): string => {
  let told = words;
  for (const secret of secretsOf(channel)) told = told.replaceAll(secret, '[key]');
  return veiled(told);
};

/** Parsed JSON with every text inside an error made discreet; what else it says stays. */
const discreetValue = (channel: UpstreamChannel, value: unknown, isError: boolean): unknown => {
  if (typeof value === 'string') return isError ? discreetWords(channel, value) : value;
  if (Array.isArray(value)) return value.map((one) => discreetValue(channel, one, isError));
  if (!isObject(value)) return value;
  const isOwn = isError || value.type === 'error';
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      discreetValue(channel, member, isOwn || name === 'error'),
    ]),
  );
};

/** The same text where nothing is to be hidden. */
const discreetJson = (channel: UpstreamChannel, json: string): string => {
  const value = parseJson(json);
  if (value === undefined) return discreetWords(channel, json);
  const told = JSON.stringify(discreetValue(channel, value, false));
  return told === JSON.stringify(value) ? json : told;
};

/** A whole answer, or one message of a session. */
export const discreetAnswer = (channel: UpstreamChannel, answer: Buffer): Buffer => {
  const text = answer.toString('utf8');
  const told = discreetJson(channel, text);
  return told === text ? answer : Buffer.from(told);
};

const fieldOf = (line: string): string => /^\s*(?:data:\s*)?(?=[{[])/.exec(line)?.[0] ?? line;

const discreetLine = (channel: UpstreamChannel, line: string): string => {
  const field = fieldOf(line);
  return field.length === line.length
    ? line
    : field + discreetJson(channel, line.slice(field.length));
};

/**
 * Events of which one speaks of an error. Bytes are told apart as Latin-1, so that a letter cut off
 * by a read goes on as it came.
 */
export const discreetEvents = (channel: UpstreamChannel, events: Buffer): Buffer => {
  let isSame = true;
  const lines = events
    .toString('latin1')
    .split(/(\r\n?|\n)/)
    .map((line) => {
      if (!line.includes('"error"')) return line;
      const words = Buffer.from(line, 'latin1').toString('utf8');
      const told = discreetLine(channel, words);
      if (told === words) return line;
      isSame = false;
      return Buffer.from(told).toString('latin1');
    });
  return isSame ? events : Buffer.from(lines.join(''), 'latin1');
};
