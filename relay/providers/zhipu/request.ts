import { zhipu as facts } from '../../../domain/channel/providers/zhipu.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { defined } from '../../protocol/json.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import { isSystem, plainText, refuseForcedTools, unknownMembers } from '../shared/chat-request.ts';
import { messagesOf } from '../shared/messages.ts';
import { baseOf, jsonRequest } from '../shared/outgoing.ts';
import { signedToken } from '../shared/zhipu/token.ts';
import { clampedTopP } from '../shared/zhipu/top-p.ts';
import type { TranslationContext } from '../translate.ts';

/** Instructions are taken only with a word of the user's after them. */
const promptOf = (messages: readonly JsonObject[]): readonly JsonObject[] =>
  messages.flatMap((message) => {
    const content = plainText(message.content);
    if (isSystem(message)) {
      return [
        { role: 'system', content },
        { role: 'user', content: 'Okay' },
      ];
    }
    return [{ role: message.role === 'assistant' ? 'assistant' : 'user', content }];
  });

/** @throws a refusal for forced tools, pictures and malformed keys. */
export const zhipuRequest = (context: TranslationContext): HttpRequest => {
  const { call, channel } = context;
  refuseForcedTools(call.body);
  const method = call.isStream ? 'sse-invoke' : 'invoke';
  const model = encodeURIComponent(call.upstreamModel);
  return jsonRequest(context, {
    url: `${baseOf(channel, facts.baseUrl)}/api/paas/v3/model-api/${model}/${method}`,
    headers: { authorization: signedToken(context) },
    body: defined({
      ...unknownMembers(call.body),
      prompt: promptOf(messagesOf(call.body)),
      temperature: call.body.temperature,
      top_p: clampedTopP(call.body),
    }),
  });
};
