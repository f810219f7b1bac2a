import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { isObject, parseJson } from '../protocol/json.ts';
import { redactAddresses } from '../providers/shared/failure.ts';
import { channelKeyForms } from './key-forms.ts';
import { maskedText } from './key-mask.ts';

/** Some providers repeat the key that they refuse, which is the operator's, not the caller's. */
export const redactText = (channel: UpstreamChannel, words: string): string =>
  redactAddresses(maskedText(words, channelKeyForms(channel)));

/** Parsed JSON with every text inside an error redacted; the rest stays. */
const redactValue = (channel: UpstreamChannel, value: unknown, isError: boolean): unknown => {
  if (typeof value === 'string') return isError ? redactText(channel, value) : value;
  if (Array.isArray(value)) return value.map((one) => redactValue(channel, one, isError));
  if (!isObject(value)) return value;
  const isOwn = isError || value.type === 'error';
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      redactValue(channel, member, isOwn || name === 'error'),
    ]),
  );
};

/** The same text where nothing is to be hidden. */
const redactJson = (channel: UpstreamChannel, json: string): string => {
  const value = parseJson(json);
  if (value === undefined) return redactText(channel, json);
  const redacted = JSON.stringify(redactValue(channel, value, false));
  return redacted === JSON.stringify(value) ? json : redacted;
};

/** A whole answer, or one message of a session. */
export const redactAnswer = (channel: UpstreamChannel, answer: Buffer): Buffer => {
  const text = answer.toString('utf8');
  const redacted = redactJson(channel, text);
  return redacted === text ? answer : Buffer.from(redacted);
};

const fieldOf = (line: string): string => /^\s*(?:data:\s*)?(?=[{[])/.exec(line)?.[0] ?? line;

const redactLine = (channel: UpstreamChannel, line: string): string => {
  const field = fieldOf(line);
  return field.length === line.length
    ? line
    : field + redactJson(channel, line.slice(field.length));
};

/**
 * Events that mention an error. Bytes are read as Latin-1, so that a letter cut off by a read is
 * passed on unchanged.
 */
export const redactEvents = (channel: UpstreamChannel, events: Buffer): Buffer => {
  let isSame = true;
  const lines = events
    .toString('latin1')
    .split(/(\r\n?|\n)/)
    .map((line) => {
      if (!line.includes('"error"')) return line;
      const words = Buffer.from(line, 'latin1').toString('utf8');
      const redacted = redactLine(channel, words);
      if (redacted === words) return line;
      isSame = false;
      return Buffer.from(redacted).toString('latin1');
    });
  return isSame ? events : Buffer.from(lines.join(''), 'latin1');
};
