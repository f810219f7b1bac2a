import { mapModel } from '../../feeds/model-mapping.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { type ApiError, gatewayError } from '../../protocol/api-error.ts';

/** The name that goes up, or why the channel's texts cannot be used. */
export const upstreamModelOf = (channel: UpstreamChannel, model: string): string | ApiError => {
  if (channel.modelMapping === null) {
    return gatewayError(500, 'model_mapped_error', 'The model mapping of the channel is not JSON');
  }
  if (channel.paramOverride === null) {
    return gatewayError(
      500,
      'param_override_unmarshal_failed',
      'The parameter override of the channel is not JSON',
    );
  }
  const mapped = mapModel(channel.modelMapping, model);
  return mapped === 'mapping-cycle'
    ? gatewayError(500, 'model_mapped_error', 'model_mapping_contains_cycle')
    : mapped;
};
