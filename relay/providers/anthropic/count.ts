import { isApiError } from '../../protocol/api-error.ts';
import { numberAt } from '../../protocol/json.ts';
import { withoutMembers } from '../shared/byte-overrides.ts';
import type { PromptCounter } from '../types.ts';
import { messagesPassThrough } from './native.ts';

/** Members of the Messages API that its count refuses. */
const refused = [
  ...['max_tokens', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'stream', 'metadata'],
  ...['service_tier', 'container', 'inference_geo'],
];

/** https://docs.anthropic.com/en/api/messages-count-tokens */
export const messagesCounter: PromptCounter = {
  request: (call, channel, options) => {
    const request = messagesPassThrough.request(call, channel, options);
    if (isApiError(request)) return request;
    return { ...request, body: withoutMembers(request.body, refused) };
  },
  tokens: (answer) => numberAt(answer, 'input_tokens'),
};
