import { gemini as facts } from '../../../domain/channel/providers/gemini.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import { isApiError } from '../../protocol/api-error.ts';
import type { TextCall } from '../../protocol/calls.ts';
import { isObject } from '../../protocol/json.ts';
import type { UpstreamRequest } from '../../upstream/types.ts';
import { baseAddress } from '../shared/base-address.ts';
import { withMembers } from '../shared/byte-overrides.ts';
import { bodyFailure } from '../shared/failure.ts';
import { nativeGeminiBody, nativeGeminiModel } from '../shared/gemini/native-body.ts';
import { reportedGemini } from '../shared/gemini/usage.ts';
import { contentWire } from '../shared/gemini/wire.ts';
import { upstreamModelOf } from '../shared/mapped-model.ts';
import type { AdapterOptions, PassThroughAdapter } from '../types.ts';

const actionOf = ({ clientPath, isStream }: TextCall): string => {
  const action = clientPath.slice(clientPath.lastIndexOf(':') + 1);
  return isStream ? `${action}?alt=sse` : action;
};

const bodyOf = (
  call: TextCall,
  upstreamModel: string,
  terms: Readonly<{ channel: UpstreamChannel; options: AdapterOptions }>,
): Buffer => {
  if (call.operation !== 'chat') {
    const own = call.scan.members.model === undefined || upstreamModel === call.model;
    const name = JSON.stringify(`models/${upstreamModel}`);
    return own ? call.body : withMembers(call.body, new Map([['model', name]]));
  }
  return nativeGeminiBody(call, upstreamModel, terms);
};

const request = (
  call: TextCall,
  channel: UpstreamChannel,
  options: AdapterOptions,
): UpstreamRequest | ApiError => {
  const mapped = upstreamModelOf(channel, call.model);
  if (typeof mapped !== 'string') return mapped;
  const upstreamModel = nativeGeminiModel(mapped, options);
  const base = baseAddress(channel, facts.baseUrl);
  if (isApiError(base)) return base;
  const versions = options.families.gemini.versionSettings;
  const version = versions[upstreamModel] ?? versions.default ?? 'v1beta';
  const name = encodeURIComponent(upstreamModel);
  return {
    origin: base.origin,
    path: `${base.prefix}/${version}/models/${name}:${actionOf(call)}`,
    headers: ['x-goog-api-key', channel.key, 'content-type', 'application/json'],
    body: bodyOf(call, mapped, { channel, options }),
    proxy: channel.proxy,
    upstreamModel: mapped,
    addedUsage: false,
  };
};

/** Callers of generateContent on a channel of the same: their bytes pass through. */
export const contentPassThrough: PassThroughAdapter = {
  request,
  usage: (reported) => (isObject(reported) ? reportedGemini(reported) : null),
  failure: bodyFailure,
  wire: contentWire,
};
