import { isApiError } from '../../protocol/api-error.ts';
import { numberAt } from '../../protocol/json.ts';
import { withoutMembers } from '../shared/byte-overrides.ts';
import type { PassThroughAdapter, PromptCounter } from '../types.ts';

/** Members of the Responses API that its count refuses. */
const refused = [
  ...['max_output_tokens', 'temperature', 'top_p', 'stream', 'stream_options', 'store', 'include'],
  ...['metadata', 'service_tier', 'user', 'background', 'prompt_cache_key', 'safety_identifier'],
  ...['prompt_cache_retention', 'max_tool_calls', 'top_logprobs', 'client_metadata'],
];

/** https://platform.openai.com/docs/api-reference/responses/input-tokens */
export const responsesCounter = (responses: PassThroughAdapter): PromptCounter => ({
  request: (call, channel, options) => {
    const request = responses.request(call, channel, options);
    if (isApiError(request)) return request;
    return { ...request, body: withoutMembers(request.body, refused) };
  },
  tokens: (answer) => numberAt(answer, 'input_tokens'),
});
