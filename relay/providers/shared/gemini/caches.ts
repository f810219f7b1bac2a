import { gemini as facts } from '../../../../domain/channel/providers/gemini.ts';
import type { UpstreamChannel } from '../../../feeds/upstream-channel.ts';
import { objectsAt, parseObject } from '../../../protocol/json.ts';
import { scanMembers } from '../../../protocol/scan-body.ts';
import { valueText } from '../../../protocol/splice.ts';
import type { ProviderIo } from '../../../upstream/types.ts';
import type { AdapterOptions } from '../../types.ts';
import { withMembers } from '../byte-overrides.ts';
import { joinedSystem, systemPromptOf } from '../channel-settings.ts';
import { nativeGeminiModel } from './native-body.ts';

/** Address of a provider's caches, and its headers. */
export type CacheAddress = Readonly<{
  /** For a channel without an address. */
  baseUrl: string;
  /** Below the base address of the channel. */
  path: string;
  headers: Readonly<Record<string, string>>;
}>;
export type CacheContext = Readonly<{ channel: UpstreamChannel; io: ProviderIo }>;
type Prepared = CacheAddress | Promise<CacheAddress>;

/**
 * One provider of context caches: where they are made, and what goes up. All but `isName` and
 * `serves` may throw a refusal, where the channel lacks what that needs.
 */
export type CacheAdapter = Readonly<{
  /** Has this model caches, by the name that goes up? */
  serves: (upstreamModel: string) => boolean;
  /** Where those of a model are made, by the name that the caller requested. */
  all: (context: CacheContext, requestedModel: string) => Prepared;
  /** Of one cache, by the provider's name of it. */
  one: (context: CacheContext, upstreamName: string) => Prepared;
  /** Is this text a name that the provider gave to a cache? */
  isName: (text: string) => boolean;
  /** The caller's order as the provider takes it. */
  order: (body: Buffer, upstreamModel: string, terms: CacheTerms) => Buffer;
}>;
export type CacheTerms = Readonly<{
  channel: UpstreamChannel;
  options: AdapterOptions;
  requestedModel: string;
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

/** An order as either of Google's hosts takes it, with its own name of the model. */
export const cacheOrder = (
  body: Buffer,
  modelName: string,
  { channel, ttlSeconds }: CacheTerms,
): Buffer => {
  const changes = new Map([['model', JSON.stringify(modelName)]]);
  const words = instruction(body, channel);
  if (words !== null) changes.set(...words);
  if (ttlSeconds !== null) changes.set('ttl', `"${ttlSeconds}s"`);
  return withMembers(body, changes);
};

const at = ({ channel }: CacheContext, name: string): CacheAddress => ({
  baseUrl: facts.baseUrl,
  path: `/v1beta/${name}`,
  headers: { 'x-goog-api-key': channel.key },
});

export const geminiCaches: CacheAdapter = {
  serves: () => true,
  all: (context) => at(context, 'cachedContents'),
  one: at,
  isName: (text) => /^cachedContents\/[\w-]{1,200}$/.test(text),
  order: (body, upstreamModel, terms) =>
    cacheOrder(body, `models/${nativeGeminiModel(upstreamModel, terms.options)}`, terms),
};
