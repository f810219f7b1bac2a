import { mapModel } from '../../feeds/model-mapping.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import { relayError } from '../../protocol/relay-errors.ts';

/** The name that goes up, or why the channel's texts cannot be used. */
export const upstreamModelOf = (channel: UpstreamChannel, model: string): string | ApiError => {
  if (channel.modelMapping === null) {
    return relayError('model_mapped_error');
  }
  if (channel.paramOverride === null) {
    return relayError('param_override_unmarshal_failed');
  }
  const mapped = mapModel(channel.modelMapping, model);
  return mapped === 'mapping-cycle'
    ? relayError('model_mapped_error', 'model_mapping_contains_cycle')
    : mapped;
};
