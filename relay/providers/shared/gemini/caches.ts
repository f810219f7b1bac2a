import { gemini as facts } from '../../../../domain/channel/providers/gemini.ts';
import type { UpstreamChannel } from '../../../feeds/upstream-channel.ts';
import { objectsAt, parseObject } from '../../../protocol/json.ts';
import { scanMembers } from '../../../protocol/scan-body.ts';
import { valueText } from '../../../protocol/splice.ts';
import type { AdapterOptions } from '../../types.ts';
import { withMembers } from '../byte-overrides.ts';
import { joinedSystem, systemPromptOf } from '../channel-settings.ts';
import { nativeGeminiModel } from './native-body.ts';

/** One provider of context caches: where they are made, and what goes up. */
export type CacheAdapter = Readonly<{
  /** Of a channel without an address of its own. */
  baseUrl: string;
  headers: (channel: UpstreamChannel) => Readonly<Record<string, string>>;
  /** Below the base address of the channel. */
  path: string;
  /** Of one cache, by the provider's name of it. */
  pathOf: (upstreamName: string) => string;
  /** Is this text a name that the provider gave to a cache? */
  isName: (text: string) => boolean;
  /** The caller's order as the provider takes it. */
  order: (body: Buffer, upstreamModel: string, terms: CacheTerms) => Buffer;
}>;
type CacheTerms = Readonly<{
  channel: UpstreamChannel;
  options: AdapterOptions;
  /** Where the caller names none; null: as the provider has it. */
  ttlSeconds: number | null;
}>;

/** Calls that name a cache may have no instruction of their own: the operator's words are in it. */
const instruction = (
  body: Buffer,
  channel: UpstreamChannel,
): readonly [name: string, json: string] | null => {
  const prompt = systemPromptOf(channel);
  if (prompt === null) return null;
  const members = scanMembers(body);
  const name = members?.has('system_instruction') ? 'system_instruction' : 'systemInstruction';
  const member = members?.get(name);
  const own = (member && parseObject(valueText(body, member))) ?? {};
  const parts = objectsAt(own, 'parts');
  if (joinedSystem(prompt, parts) === null) return null;
  return [name, JSON.stringify({ ...own, parts: [{ text: prompt.text }, ...parts] })];
};

export const geminiCaches: CacheAdapter = {
  baseUrl: facts.baseUrl,
  headers: ({ key }) => ({ 'x-goog-api-key': key }),
  path: '/v1beta/cachedContents',
  pathOf: (upstreamName) => `/v1beta/${upstreamName}`,
  isName: (text) => /^cachedContents\/[\w-]{1,200}$/.test(text),
  order: (body, upstreamModel, { channel, options, ttlSeconds }) => {
    const name = `models/${nativeGeminiModel(upstreamModel, options)}`;
    const changes = new Map([['model', JSON.stringify(name)]]);
    const words = instruction(body, channel);
    if (words !== null) changes.set(...words);
    if (ttlSeconds !== null) changes.set('ttl', `"${ttlSeconds}s"`);
    return withMembers(body, changes);
  },
};
