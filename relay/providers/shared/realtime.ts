import type { ReportedUsage } from '../../../domain/pricing/bound-usage.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import { relayError } from '../../protocol/relay-errors.ts';
import type { SocketRequest } from '../../upstream/types.ts';
import { mappedModelOf } from './mapped-model.ts';
import type { OpenAiRules } from './openai/rules.ts';

/** A realtime session as the caller opens it. */
export type RealtimeCall = Readonly<{
  model: string;
  /** Of Azure's or Google's API; "" when the caller names none. */
  apiVersion: string;
  /** The caller uses the protocol's first edition; "" for the present one. */
  beta: string;
}>;

/** Opens the upstream side of a session; an error where the channel cannot be used. */
export type RealtimeAdapter = (
  channel: UpstreamChannel,
  session: RealtimeCall,
) => SocketRequest | ApiError;

type Address = Readonly<{
  path: (channel: UpstreamChannel, model: string, session: RealtimeCall) => string;
  headers: (channel: UpstreamChannel, session: RealtimeCall) => Readonly<Record<string, string>>;
}>;

/** A session at an address of the channel's own, or at the provider's. */
export const realtimeWith =
  (baseUrl: string, { path, headers }: Address): RealtimeAdapter =>
  (channel, session) => {
    const upstreamModel = mappedModelOf(channel, session.model);
    if (isApiError(upstreamModel)) return upstreamModel;
    const base = (channel.settings.baseUrl || baseUrl).replace(/\/+$/, '');
    if (!URL.canParse(base) || !/^https?:/.test(base)) return relayError('invalid_base_url');
    const url = base.replace(/^http/, 'ws') + path(channel, upstreamModel, session);
    return { url, headers: headers(channel, session), proxy: channel.proxy, upstreamModel };
  };

const cloudflareGateway = 'https://gateway.ai.cloudflare.com';

/** A session in OpenAI's own API. */
export const realtimeAt = (
  baseUrl: string,
  rules: Pick<OpenAiRules, 'organization' | 'cloudflareGateway'>,
): RealtimeAdapter =>
  realtimeWith(baseUrl, {
    path: ({ settings }, model) => {
      const isGateway = rules.cloudflareGateway && settings.baseUrl.startsWith(cloudflareGateway);
      return `${isGateway ? '' : '/v1'}/realtime?model=${encodeURIComponent(model)}`;
    },
    headers: ({ key, settings }, { beta }) => ({
      authorization: `Bearer ${key}`,
      ...(beta === '' ? {} : { 'openai-beta': beta }),
      ...(rules.organization && settings.organization !== ''
        ? { 'openai-organization': settings.organization }
        : {}),
    }),
  });

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const part = (usage: unknown, name: string): Fields => {
  const details = isFields(usage) ? usage[name] : undefined;
  return isFields(details) ? details : {};
};

/** Usage as `response.done` writes it; null when it contains nothing. */
export const realtimeUsage = (usage: unknown): ReportedUsage | null => {
  if (!isFields(usage)) return null;
  const input = part(usage, 'input_token_details');
  if (usage.input_tokens === undefined && usage.output_tokens === undefined) return null;
  return {
    promptTokens: usage.input_tokens,
    completionTokens: usage.output_tokens,
    cachedTokens: input.cached_tokens,
    audioInputTokens: input.audio_tokens,
    imageInputTokens: input.image_tokens,
    cachedAudioTokens: part(input, 'cached_tokens_details').audio_tokens,
    audioOutputTokens: part(usage, 'output_token_details').audio_tokens,
  };
};
