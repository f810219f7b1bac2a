import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import { isApiError } from '../../protocol/api-error.ts';
import type { TextCall } from '../../protocol/calls.ts';
import type { UpstreamRequest } from '../../upstream/types.ts';
import { baseAddress } from '../shared/base-address.ts';
import { bodyFailure } from '../shared/failure.ts';
import { formWithModel } from '../shared/form-model.ts';
import { upstreamModelOf } from '../shared/mapped-model.ts';
import type { AdapterOptions, PassThroughAdapter } from '../types.ts';
import { deploymentPath } from './deployment-path.ts';

const request = (
  call: TextCall,
  channel: UpstreamChannel,
  _options: AdapterOptions,
): UpstreamRequest | ApiError => {
  const upstreamModel = upstreamModelOf(channel, call.model);
  if (typeof upstreamModel !== 'string') return upstreamModel;
  const base = baseAddress(channel, '');
  if (isApiError(base)) return base;
  const { body, form, path, contentType, accept } = call;
  return {
    origin: base.origin,
    path: base.prefix + deploymentPath(channel, { path, upstreamModel }),
    headers: [
      ...['api-key', channel.key, 'content-type', contentType],
      ...['accept', accept || 'text/event-stream'],
    ],
    body: form === undefined ? body : formWithModel(body, form, upstreamModel),
    proxy: channel.proxy,
    upstreamModel,
    addedUsage: false,
  };
};

/** Transcripts that are read while they are written: the caller's form, at a deployment. */
export const azureListening: Pick<PassThroughAdapter, 'request' | 'failure'> = {
  request,
  failure: bodyFailure,
};
