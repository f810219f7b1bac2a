import { isSystem, plainText, refuseForcedTools, unknownMembers } from '../shared/chat-request.ts';
import { defined, numberAt } from '../shared/json.ts';
import { messagesOf } from '../shared/messages.ts';
import { baseOf, jsonRequest } from '../shared/outgoing.ts';
import type { HttpRequest, JsonObject, TranslationContext } from '../translate.ts';
import { signedToken } from './token.ts';

export const zhipuBase = 'https://open.bigmodel.cn';

/** Upstream takes less than 1 only. */
export const clampedTopP = (body: JsonObject): number | undefined => {
  const value = numberAt(body, 'top_p');
  return value === null ? undefined : Math.min(value, 0.99);
};

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
export const legacyRequest = (context: TranslationContext): HttpRequest => {
  const { call, channel } = context;
  refuseForcedTools(call.body);
  const method = call.isStream ? 'sse-invoke' : 'invoke';
  const model = encodeURIComponent(call.upstreamModel);
  return jsonRequest(context, {
    url: `${baseOf(channel, zhipuBase)}/api/paas/v3/model-api/${model}/${method}`,
    headers: { authorization: signedToken(context) },
    body: defined({
      ...unknownMembers(call.body),
      prompt: promptOf(messagesOf(call.body)),
      temperature: call.body.temperature,
      top_p: clampedTopP(call.body),
    }),
  });
};
