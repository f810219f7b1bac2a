import type { UpstreamChannel } from '../../../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../../../protocol/api-error.ts';
import type { TextCall } from '../../../protocol/calls.ts';
import { relayError } from '../../../protocol/relay-errors.ts';
import type { UpstreamRequest } from '../../../upstream/types.ts';
import type { AdapterOptions } from '../../types.ts';
import { passesBody } from '../channel-settings.ts';
import { upstreamModelOf } from '../mapped-model.ts';
import { addressOf } from './address.ts';
import { outgoingBody } from './body.ts';
import { withInstructions } from './instructions.ts';
import type { OpenAiRules } from './rules.ts';

const isHeaderSafe = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

const headersOf = (
  call: TextCall,
  channel: UpstreamChannel,
  { options, rules }: Readonly<{ options: AdapterOptions; rules: OpenAiRules }>,
): string[] => {
  const accept = call.accept !== '' ? call.accept : call.isStream ? 'text/event-stream' : '*/*';
  const headers = [
    'authorization',
    `Bearer ${channel.key}`,
    'content-type',
    call.contentType,
    'accept',
    accept,
  ];
  if (rules.organization && channel.settings.organization !== '') {
    headers.push('openai-organization', channel.settings.organization);
  }
  if (rules.siteHeaders) {
    if (isHeaderSafe(options.serverAddress)) headers.push('http-referer', options.serverAddress);
    if (isHeaderSafe(options.systemName)) headers.push('x-title', options.systemName);
  }
  return headers;
};

/** The call as the rules of its provider require it, or why it cannot be made. */
export const createRequest =
  (rules: OpenAiRules) =>
  (
    call: TextCall,
    channel: UpstreamChannel,
    options: AdapterOptions,
  ): UpstreamRequest | ApiError => {
    const upstreamModel = upstreamModelOf(channel, call.model);
    if (isApiError(upstreamModel)) return upstreamModel;
    const address = addressOf(channel, rules, { path: call.path, upstreamModel });
    if (address === null) return relayError('invalid_base_url');
    const { body, addedUsage } = passesBody(call, channel, options)
      ? { body: call.body, addedUsage: false }
      : outgoingBody(call, channel, { rules, upstreamModel });
    return {
      origin: address.origin,
      path: address.path,
      headers: headersOf(call, channel, { options, rules }),
      body: call.operation === 'responses' ? withInstructions(body, channel) : body,
      proxy: channel.proxy,
      upstreamModel,
      addedUsage,
    };
  };
