import { isRegion } from '../../../domain/channel/settings.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { parseObject, textAt } from '../../protocol/json.ts';
import { configurationError, refuse } from '../../protocol/refusal.ts';

export type Publisher = 'claude' | 'gemini' | 'open';

/** The protocol of a model here; null: an unknown one. */
export const publisherOf = (model: string): Publisher | null => {
  if (model.startsWith('claude')) return 'claude';
  if (/^(gemini|imagen|text-embedding|text-multilingual-embedding|gemma)/.test(model))
    return 'gemini';
  return model.includes('llama') || model.includes('/') ? 'open' : null;
};

/** One text for all models, or a map by the name that the client requested. */
export const regionOf = (channel: UpstreamChannel, requestedModel: string): string => {
  const { other } = channel.settings;
  const map = other.trimStart().startsWith('{') ? parseObject(other) : null;
  const region =
    map === null ? other.trim() : textAt(map, requestedModel) || textAt(map, 'default');
  if (region === '') return refuse(configurationError('The channel has no region for this model'));
  return isRegion(region)
    ? region
    : refuse(configurationError('The region of the channel is not the name of a region'));
};

/** `global` is a separate host without a region in front. */
export const hostOf = (region: string): string =>
  region === 'global' ? 'aiplatform.googleapis.com' : `${region}-aiplatform.googleapis.com`;

/** The date of a name follows an @ here; one model has a version in front of it. */
export const claudeName = (model: string): string =>
  model === 'claude-3-5-sonnet-20241022'
    ? 'claude-3-5-sonnet-v2@20241022'
    : model.replace(/-(\d{8})$/, '@$1');
