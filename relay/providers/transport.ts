import { mapModel } from '../feeds/model-mapping.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { Protocol } from '../protocol/caller-protocol.ts';
import type { TextCall } from '../protocol/calls.ts';
import { compactPath } from '../protocol/compact-path.ts';
import { isMedia } from '../protocol/operations.ts';
import { providerOf } from './registry.ts';
import { systemPromptOf } from './shared/channel-settings.ts';
import { channelSetting } from './shared/outgoing.ts';
import type { TranslatingAdapter } from './translate.ts';
import type { EnvelopedAdapter, PassThroughAdapter, Provider } from './types.ts';

/** How a call reaches a provider: as the caller's own bytes, in an envelope, or translated. */
export type Transport =
  | Readonly<{ kind: 'bytes'; adapter: PassThroughAdapter }>
  | Readonly<{ kind: 'enveloped'; adapter: EnvelopedAdapter }>
  | Readonly<{ kind: 'translated'; adapter: TranslatingAdapter }>;

/** The upstream name by the channel's mapping; as requested where the mapping cannot be used. */
const upstreamName = ({ modelMapping }: UpstreamChannel, { model }: TextCall): string => {
  if (modelMapping === null || modelMapping.size === 0) return model;
  const mapped = mapModel(modelMapping, model);
  return mapped === 'mapping-cycle' ? model : mapped;
};

const rewritesChat = (provider: Provider, channel: UpstreamChannel, call: TextCall): boolean => {
  if (provider.rewritesChat?.(upstreamName(channel, call))) return true;
  if (channel.settings.setting === '') return false;
  const { force_format: format, thinking_to_content: thinking } = channelSetting(channel);
  return format === true || thinking === true || systemPromptOf(channel) !== null;
};

/**
 * Native streams are passed on as events; one that is requested as a single JSON list is rewritten.
 */
const rewritesNative = ({ protocol, isStream, path }: TextCall): boolean =>
  protocol === 'gemini' && isStream && !path.includes('alt=sse');

const transports = new WeakMap<PassThroughAdapter | TranslatingAdapter, Transport>();

const transportOver = (
  make: () => Transport,
  adapter: PassThroughAdapter | TranslatingAdapter,
): Transport => {
  const known = transports.get(adapter);
  if (known !== undefined) return known;
  const transport = make();
  transports.set(adapter, transport);
  return transport;
};

const bytes = (adapter: PassThroughAdapter): Transport =>
  transportOver(() => ({ kind: 'bytes', adapter }), adapter);
const translated = (adapter: TranslatingAdapter): Transport =>
  transportOver(() => ({ kind: 'translated', adapter }), adapter);

/** Who can chat can answer callers of the Responses API. */
const translation = ({ translate }: Provider, { operation, path }: TextCall): Transport | null => {
  if (path.startsWith(compactPath)) return null;
  const asked = operation === 'responses' ? 'chat' : operation;
  return translate?.operations.includes(asked) ? translated(translate) : null;
};

const mediaTransport = (provider: Provider, call: TextCall): Transport | null => {
  const { media, translate } = provider;
  if (media !== undefined && (media.takes?.(call) ?? true)) return bytes(media.adapter);
  const isCreated = call.operation !== 'images' || call.path.startsWith('/v1/images/generations');
  return isCreated || translate?.editsPictures === true ? translation(provider, call) : null;
};

/** Protocols besides OpenAI's whose bytes some providers take as they are. */
const isNative = (protocol: Protocol): protocol is 'claude' | 'gemini' =>
  protocol === 'claude' || protocol === 'gemini';

const passing = (
  provider: Provider,
  channel: UpstreamChannel,
  call: TextCall,
): PassThroughAdapter | undefined => {
  if (isNative(call.protocol)) {
    const own = provider[call.protocol];
    return own === undefined || rewritesNative(call) ? undefined : own;
  }
  if (call.protocol !== 'openai') return undefined;
  if (call.operation === 'responses') {
    return provider.takesResponses?.(channel) === false ? undefined : provider.responses;
  }
  const { text } = provider;
  if (text === undefined || provider.translate === undefined || call.operation !== 'chat') {
    return text;
  }
  return rewritesChat(provider, channel, call) ? undefined : text;
};

const envelopeFor = (
  { enveloped }: Provider,
  channel: UpstreamChannel,
  call: TextCall,
): EnvelopedAdapter | null => {
  if (enveloped === undefined || !isNative(call.protocol) || call.operation !== 'chat') return null;
  return rewritesNative(call) ? null : enveloped(call.protocol, upstreamName(channel, call));
};

/**
 * A provider with the caller's own protocol, for a stream that is requested as one list. null: it
 * is another call, or another provider.
 */
export const resolveListTransport = (
  channel: UpstreamChannel,
  call: TextCall,
): Transport | null => {
  if (!rewritesNative(call) || call.operation !== 'chat') return null;
  const { gemini, enveloped } = providerOf(channel.type) ?? {};
  if (gemini !== undefined) return bytes(gemini);
  const envelope = enveloped?.('gemini', upstreamName(channel, call)) ?? null;
  return envelope === null ? null : { kind: 'enveloped', adapter: envelope };
};

/** null: the provider does not offer this kind of call. */
export const resolveTransport = (channel: UpstreamChannel, call: TextCall): Transport | null => {
  const provider = providerOf(channel.type);
  if (provider === undefined) return null;
  if (isMedia(call.operation)) return mediaTransport(provider, call);
  const own = passing(provider, channel, call);
  if (own !== undefined) return bytes(own);
  const envelope = envelopeFor(provider, channel, call);
  return envelope === null ? translation(provider, call) : { kind: 'enveloped', adapter: envelope };
};
