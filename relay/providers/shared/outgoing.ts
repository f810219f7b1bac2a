import { paramOverrideOf } from '../../feeds/channel-json.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { parseJson, parseObject } from '../../protocol/json.ts';
import { configurationError, refuse } from '../../protocol/refusal.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import type { TranslationContext } from '../translate.ts';
import { withParamEdits } from './param-edits.ts';

/**
 * The channel's base URL, or the family's, without the slash at its end.
 * @throws a refusal when neither is an address.
 */
export const baseOf = (channel: UpstreamChannel, fallback: string): string => {
  const text = (channel.settings.baseUrl || fallback).replace(/\/+$/, '');
  const isAddress = URL.canParse(text) && /^(https?|wss?):$/.test(new URL(text).protocol);
  return isAddress ? text : refuse(configurationError('The channel has no usable base URL'));
};

const settings = new WeakMap<UpstreamChannel, JsonObject>();

/** The channel's own settings JSON; empty when it is not an object. */
export const channelSetting = (channel: UpstreamChannel): JsonObject => {
  const known = settings.get(channel);
  if (known !== undefined) return known;
  const parsed = parseObject(channel.settings.setting) ?? {};
  settings.set(channel, parsed);
  return parsed;
};

const overridden: ReadonlySet<string> = new Set(['chat', 'completions', 'moderations']);

/** Overrides are applied after everything but signing, and only for text. */
export const withOverrides = (
  body: JsonObject,
  { call, channel }: TranslationContext,
): JsonObject => {
  if (!overridden.has(call.operation) || channel.paramOverride === null) return body;
  if (channel.paramOverride.size === 0) return body;
  const { values, edits } = paramOverrideOf(channel.paramOverride);
  const entries = [...values].map(([key, json]) => [key, parseJson(json)] as const);
  return withParamEdits({ ...body, ...Object.fromEntries(entries) }, edits);
};

export type JsonRequest = Readonly<{
  url: string;
  /** Lower-case names; without content-type and accept, which are filled in. */
  headers: Readonly<Record<string, string>>;
  body: JsonObject;
}>;

/** A POST of JSON with the channel's overrides applied. */
export const jsonRequest = (
  context: TranslationContext,
  { url, headers, body }: JsonRequest,
): HttpRequest => ({
  method: 'POST',
  url,
  headers: {
    'content-type': 'application/json',
    accept: context.call.isStream ? 'text/event-stream' : 'application/json',
    ...headers,
  },
  body: JSON.stringify(withOverrides(body, context)),
});

export const bearer = (channel: UpstreamChannel): Readonly<{ authorization: string }> => ({
  authorization: `Bearer ${channel.key}`,
});

/**
 * The parts of a key that bars separate.
 * @throws a refusal unless there are exactly `count`, none of them empty.
 */
export const keyParts = (channel: UpstreamChannel, count: number): readonly string[] => {
  const parts = channel.key.split('|').map((part) => part.trim());
  const isWhole = parts.length === count && parts.every((part) => part !== '');
  return isWhole
    ? parts
    : refuse(configurationError(`The key of the channel must have ${count} parts`));
};
