import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import { isApiError } from '../../protocol/api-error.ts';
import type { TextCall } from '../../protocol/calls.ts';
import type { UpstreamRequest } from '../../upstream/types.ts';
import { baseAddress } from '../shared/base-address.ts';
import { passesBody } from '../shared/channel-settings.ts';
import { bodyFailure } from '../shared/failure.ts';
import { upstreamModelOf } from '../shared/mapped-model.ts';
import { outgoingBody } from '../shared/openai/body.ts';
import { withInstructions } from '../shared/openai/instructions.ts';
import { responsesOf } from '../shared/openai/responses.ts';
import { openAiUsage } from '../shared/openai/usage.ts';
import type { AdapterOptions } from '../types.ts';
import { azureResponses } from './deployment-path.ts';

const rules = { baseUrl: '', streamOptions: 'keep' } as const;

const request = (
  call: TextCall,
  channel: UpstreamChannel,
  options: AdapterOptions,
): UpstreamRequest | ApiError => {
  const upstreamModel = upstreamModelOf(channel, call.model);
  if (typeof upstreamModel !== 'string') return upstreamModel;
  const base = baseAddress(channel, '');
  if (isApiError(base)) return base;
  const { path, deployment } = azureResponses(channel, { path: call.path, upstreamModel });
  const body = passesBody(call, channel, options)
    ? call.body
    : outgoingBody(call, channel, { rules, upstreamModel: deployment }).body;
  const accept = call.accept || (call.isStream ? 'text/event-stream' : '*/*');
  return {
    origin: base.origin,
    path: base.prefix + path,
    headers: [...['api-key', channel.key, 'content-type', call.contentType], ...['accept', accept]],
    body: withInstructions(body, channel),
    proxy: channel.proxy,
    upstreamModel,
    addedUsage: false,
  };
};

/** The caller's bytes, with the deployment in the place of the model. */
export const azureResponsesAdapter = responsesOf({
  request,
  usage: openAiUsage,
  failure: bodyFailure,
});
