import { anthropic as facts } from '../../../domain/channel/providers/anthropic.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import { isApiError } from '../../protocol/api-error.ts';
import type { TextCall } from '../../protocol/calls.ts';
import { isObject } from '../../protocol/json.ts';
import type { UpstreamRequest } from '../../upstream/types.ts';
import { baseAddress } from '../shared/base-address.ts';
import { nativeClaudeBody } from '../shared/claude/native-body.ts';
import { reportedClaude } from '../shared/claude/usage.ts';
import { messagesWire } from '../shared/claude/wire.ts';
import { bodyFailure } from '../shared/failure.ts';
import { upstreamModelOf } from '../shared/mapped-model.ts';
import type { AdapterOptions, PassThroughAdapter } from '../types.ts';

const version = '2023-06-01';

/** The operator's headers override the caller's; lists of both are joined. */
const headersOf = (
  call: TextCall,
  channel: UpstreamChannel,
  added: Readonly<Record<string, readonly string[]>>,
): string[] => {
  const headers = new Map<string, string>([
    ['x-api-key', channel.key],
    ['content-type', 'application/json'],
    ['accept', call.isStream ? 'text/event-stream' : 'application/json'],
    ['anthropic-version', version],
  ]);
  const own = call.ownHeaders ?? [];
  for (let at = 0; at + 1 < own.length; at += 2) headers.set(own[at] ?? '', own[at + 1] ?? '');
  for (const [name, values] of Object.entries(added)) {
    const lower = name.toLowerCase();
    const known = lower === 'anthropic-beta' ? headers.get(lower) : undefined;
    headers.set(lower, [...(known === undefined ? [] : [known]), ...values].join(','));
  }
  return [...headers].flat();
};

const request = (
  call: TextCall,
  channel: UpstreamChannel,
  options: AdapterOptions,
): UpstreamRequest | ApiError => {
  const upstreamModel = upstreamModelOf(channel, call.model);
  if (typeof upstreamModel !== 'string') return upstreamModel;
  const base = baseAddress(channel, facts.baseUrl);
  if (isApiError(base)) return base;
  const added = options.families.claude.modelHeaders[call.model] ?? {};
  return {
    origin: base.origin,
    path: base.prefix + call.path,
    headers: headersOf(call, channel, added),
    body: nativeClaudeBody(call, upstreamModel, { channel, options }),
    proxy: channel.proxy,
    upstreamModel,
    addedUsage: false,
  };
};

/** Callers of the Messages API on a channel of the same: their bytes pass through. */
export const messagesPassThrough: PassThroughAdapter = {
  request,
  usage: (reported) => (isObject(reported) ? reportedClaude(reported) : null),
  failure: bodyFailure,
  wire: messagesWire,
};
