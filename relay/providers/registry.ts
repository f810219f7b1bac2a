import { mapModel } from '../routing/model-mapping.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import { messagesPassThrough } from './anthropic/native.ts';
import { azureListening } from './azure/listening.ts';
import { bedrockEnvelope } from './bedrock/native.ts';
import { contentPassThrough } from './gemini/native.ts';
import { openAiProviders } from './openai/index.ts';
import { mediaOf } from './openai/media.ts';
import { translatedOwners } from './owners.ts';
import { systemPromptOf } from './shared/channel-settings.ts';
import { isMedia } from './shared/operations.ts';
import { channelSetting } from './shared/outgoing.ts';
import type { TranslatingAdapter } from './translate.ts';
import { translatingProviders as fromAbroad } from './translating-a.ts';
import { translatingProviders as kinAndChina } from './translating-b.ts';
import type { EnvelopedAdapter, PassThroughAdapter, Provider, TextCall } from './types.ts';
import { vertexEnvelope } from './vertex/native.ts';

const translating: ReadonlyMap<number, TranslatingAdapter> = new Map([
  ...fromAbroad,
  ...kinAndChina,
]);

const plain = new Map<number, Provider>(openAiProviders);

type Natives = Pick<Provider, 'claude' | 'gemini' | 'enveloped' | 'media'>;

/** Providers whose own protocol callers speak as well. */
const natives: ReadonlyMap<number, Natives> = new Map<number, Natives>([
  [3, { media: mediaOf(azureListening) }],
  [14, { claude: messagesPassThrough }],
  [24, { gemini: contentPassThrough }],
  [33, { enveloped: bedrockEnvelope }],
  [41, { enveloped: vertexEnvelope }],
]);

const providerWith = (type: number, translate: TranslatingAdapter): Provider => {
  const owner = translatedOwners.get(type) ?? 'custom';
  const known = plain.get(type) ?? { name: owner, owner };
  return { ...known, ...natives.get(type), translate };
};

const byType: ReadonlyMap<number, Provider> = new Map([
  ...plain,
  ...[...translating].map(([type, adapter]) => [type, providerWith(type, adapter)] as const),
]);

/** The provider behind a channel type; undefined for types that this relay does not speak. */
export const providerOf = (channelType: number): Provider | undefined => byType.get(channelType);

/** How a call reaches a provider: as the caller's own bytes, or translated. */
export type Way =
  | Readonly<{ kind: 'bytes'; adapter: PassThroughAdapter }>
  | Readonly<{ kind: 'enveloped'; adapter: EnvelopedAdapter }>
  | Readonly<{ kind: 'translated'; adapter: TranslatingAdapter }>;

/** Providers of OpenAI's shapes that refuse what OpenAI's clients say (provider sheet, 3). */
const quirky: ReadonlySet<number> = new Set([42, 43, 48]);
/** OpenAI and its resellers, whose reasoning models want other bodies than chat models. */
const openAiItself: ReadonlySet<number> = new Set([1, 6, 7, 9, 10, 12, 13]);
const reasoning = /^(?:o[134]|gpt-5)/;

/** The upstream name by the channel's mapping; as asked where the mapping cannot be used. */
const upstreamName = ({ modelMapping }: UpstreamChannel, { model }: TextCall): string => {
  if (modelMapping === null || modelMapping.size === 0) return model;
  const mapped = mapModel(modelMapping, model);
  return mapped === 'mapping-cycle' ? model : mapped;
};

const rewritesChat = (channel: UpstreamChannel, call: TextCall): boolean => {
  if (quirky.has(channel.type)) return true;
  if (openAiItself.has(channel.type)) {
    if (reasoning.test(upstreamName(channel, call))) return true;
  }
  if (channel.settings.setting === '') return false;
  const { force_format: format, thinking_to_content: thinking } = channelSetting(channel);
  return format === true || thinking === true || systemPromptOf(channel) !== null;
};

/** Streams as one list are not how events pass. */
const rewritesNative = ({ protocol, isStream, path }: TextCall): boolean =>
  protocol === 'gemini' && isStream && !path.includes('alt=sse');

const ways = new WeakMap<PassThroughAdapter | TranslatingAdapter, Way>();

const wayOver = (make: () => Way, adapter: PassThroughAdapter | TranslatingAdapter): Way => {
  const known = ways.get(adapter);
  if (known !== undefined) return known;
  const way = make();
  ways.set(adapter, way);
  return way;
};

const bytes = (adapter: PassThroughAdapter): Way =>
  wayOver(() => ({ kind: 'bytes', adapter }), adapter);
const translated = (adapter: TranslatingAdapter): Way =>
  wayOver(() => ({ kind: 'translated', adapter }), adapter);

/** OpenAI's own APIs for pictures and sound, as the caller wrote the call. */
const ownMedia: ReadonlySet<number> = new Set([...openAiItself, 8, 47]);

/** Azure writes transcripts down as it hears them; its other pictures and sounds come whole. */
const isReadAtOnce = ({ type }: UpstreamChannel, { operation, isStream }: TextCall): boolean =>
  type === 3 && operation === 'transcription' && isStream;

const mediaWay = (provider: Provider, channel: UpstreamChannel, call: TextCall): Way | null => {
  const { media, translate } = provider;
  const { operation } = call;
  const isRead = isReadAtOnce(channel, call);
  if (media !== undefined && (isRead || ownMedia.has(channel.type))) return bytes(media);
  if (translate === undefined || operation === 'responses') return null;
  if (!translate.operations.includes(operation)) return null;
  const isMaking = operation !== 'images' || call.path.startsWith('/v1/images/generations');
  return isMaking || translate.editsPictures === true ? translated(translate) : null;
};

const passing = (
  provider: Provider,
  channel: UpstreamChannel,
  call: TextCall,
): PassThroughAdapter | undefined => {
  if (call.protocol !== 'openai') {
    const own = provider[call.protocol];
    return own === undefined || rewritesNative(call) ? undefined : own;
  }
  if (call.operation === 'responses') return provider.responses;
  const { text } = provider;
  if (text === undefined || provider.translate === undefined || call.operation !== 'chat') {
    return text;
  }
  return rewritesChat(channel, call) ? undefined : text;
};

const envelopeFor = (
  { enveloped }: Provider,
  channel: UpstreamChannel,
  call: TextCall,
): EnvelopedAdapter | null => {
  if (enveloped === undefined || call.protocol === 'openai' || call.operation !== 'chat')
    return null;
  return rewritesNative(call) ? null : enveloped(call.protocol, upstreamName(channel, call));
};

/**
 * A provider that speaks the caller's own protocol, for a stream that is wanted as one list. null: it
 * is another call, or another provider.
 */
export const listedWayFor = (channel: UpstreamChannel, call: TextCall): Way | null => {
  if (!rewritesNative(call) || call.operation !== 'chat') return null;
  const { gemini, enveloped } = byType.get(channel.type) ?? {};
  if (gemini !== undefined) return bytes(gemini);
  const envelope = enveloped?.('gemini', upstreamName(channel, call)) ?? null;
  return envelope === null ? null : { kind: 'enveloped', adapter: envelope };
};

/** null: the provider does not offer this kind of call. */
export const wayFor = (channel: UpstreamChannel, call: TextCall): Way | null => {
  const provider = byType.get(channel.type);
  if (provider === undefined) return null;
  if (isMedia(call.operation)) return mediaWay(provider, channel, call);
  const own = passing(provider, channel, call);
  if (own !== undefined) return bytes(own);
  const envelope = envelopeFor(provider, channel, call);
  if (envelope !== null) return { kind: 'enveloped', adapter: envelope };
  const { translate } = provider;
  // Answers of the Responses API come from providers that have it.
  if (translate === undefined || call.operation === 'responses') return null;
  return translate.operations.includes(call.operation) ? translated(translate) : null;
};
