import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import { type ApiError, gatewayError } from '../ingress/api-error.ts';
import { mapModel } from '../routing/model-mapping.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import { azureRealtimePath } from './azure/deployment-path.ts';

/** A spoken session as the caller asks for it. */
export type RealtimeAsk = Readonly<{
  model: string;
  /** Of Azure's API; "" when the caller names none. */
  apiVersion: string;
  /** The caller speaks the protocol's first edition; "" for the present one. */
  beta: string;
}>;

/** Where a session goes, and with which headers. */
export type SocketRequest = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  /** "" for none. */
  proxy: string;
  upstreamModel: string;
}>;

const azureType = 3;
/** OpenAI and those who sell it on under its own paths (provider sheet, section 3). */
const defaultBases: ReadonlyMap<number, string> = new Map([
  [1, 'https://api.openai.com'],
  [6, 'https://api.openaimax.com'],
  [7, 'https://api.ohmygpt.com'],
  [9, 'https://api.caipacity.com'],
  [10, 'https://api.aiproxy.io'],
  [12, 'https://api.api2gpt.com'],
  [13, 'https://api.aigc2d.com'],
  [azureType, ''],
]);
const cloudflareGateway = 'https://gateway.ai.cloudflare.com';

const pathOf = (channel: UpstreamChannel, ask: RealtimeAsk, model: string): string => {
  if (channel.type === azureType) return azureRealtimePath(channel, model, ask.apiVersion);
  const isGateway = channel.type === 1 && channel.settings.baseUrl.startsWith(cloudflareGateway);
  return `${isGateway ? '' : '/v1'}/realtime?model=${encodeURIComponent(model)}`;
};

const headersOf = (channel: UpstreamChannel, { beta }: RealtimeAsk): Record<string, string> => {
  if (channel.type === azureType) return { 'api-key': channel.key };
  const headers: Record<string, string> = { authorization: `Bearer ${channel.key}` };
  if (beta !== '') headers['openai-beta'] = beta;
  const { organization } = channel.settings;
  if (channel.type === 1 && organization !== '') headers['openai-organization'] = organization;
  return headers;
};

/** null: the provider of the channel has no spoken sessions. */
export const realtimeRequest = (
  channel: UpstreamChannel,
  ask: RealtimeAsk,
): SocketRequest | ApiError | null => {
  const usual = defaultBases.get(channel.type);
  if (usual === undefined) return null;
  if (channel.modelMapping === null) {
    return gatewayError(500, 'model_mapped_error', 'The model mapping of the channel is not JSON');
  }
  const upstreamModel = mapModel(channel.modelMapping, ask.model);
  if (upstreamModel === 'mapping-cycle') {
    return gatewayError(500, 'model_mapped_error', 'model_mapping_contains_cycle');
  }
  const base = (channel.settings.baseUrl || usual).replace(/\/+$/, '');
  if (!URL.canParse(base) || !/^https?:/.test(base)) {
    return gatewayError(500, 'invalid_base_url', 'The channel has no usable base URL');
  }
  const url = base.replace(/^http/, 'ws') + pathOf(channel, ask, upstreamModel);
  return { url, headers: headersOf(channel, ask), proxy: channel.proxy, upstreamModel };
};

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const part = (usage: unknown, name: string): Fields => {
  const details = isFields(usage) ? usage[name] : undefined;
  return isFields(details) ? details : {};
};

/** Usage as `response.done` writes it; null when it says nothing. */
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
