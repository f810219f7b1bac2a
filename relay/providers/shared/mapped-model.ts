import { mapModel } from '../../feeds/model-mapping.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import { relayError } from '../../protocol/relay-errors.ts';

const mappingNotJson = relayError(
  'model_mapped_error',
  'The model mapping of the channel is not JSON',
);
const mappingCycle = relayError('model_mapped_error', 'model_mapping_contains_cycle');

/** The model that the mapping of the channel names, or why the mapping cannot be used. */
export const mappedModelOf = (
  { modelMapping }: UpstreamChannel,
  model: string,
): string | ApiError => {
  if (modelMapping === null) return mappingNotJson;
  const mapped = mapModel(modelMapping, model);
  return mapped === 'mapping-cycle' ? mappingCycle : mapped;
};

/** The model name that is sent, or why the mapping or the override of the channel cannot be used. */
export const upstreamModelOf = (channel: UpstreamChannel, model: string): string | ApiError =>
  channel.modelMapping !== null && channel.paramOverride === null
    ? relayError('param_override_unmarshal_failed')
    : mappedModelOf(channel, model);
