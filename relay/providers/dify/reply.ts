import type { ApiError } from '../../ingress/api-error.ts';
import { unusableReply } from '../shared/failure.ts';
import { numberAt, objectAt, parseObject, textAt } from '../shared/json.ts';
import { assistantMessage, chatReply, choiceOf, newHead } from '../shared/openai-chunks.ts';
import { saidUsage } from '../shared/said-usage.ts';
import type { HttpReply, JsonObject, OpenAiReply, TranslationContext } from '../translate.ts';

/** Where the app found what it says; nothing when it looked nowhere. */
export const sourcesOf = (metadata: JsonObject): JsonObject => {
  const { retriever_resources: found } = metadata;
  return Array.isArray(found) && found.length > 0 ? { retriever_resources: found } : {};
};

export const difyReply = (
  { body }: HttpReply,
  { call, io }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(body.toString('utf8'));
  if (answer === null || typeof answer.answer !== 'string') return unusableReply();
  const fresh = newHead(io, call.upstreamModel);
  const head = {
    ...fresh,
    id: textAt(answer, 'conversation_id') || fresh.id,
    created: numberAt(answer, 'created_at') ?? fresh.created,
  };
  const metadata = objectAt(answer, 'metadata');
  const usage = saidUsage(metadata.usage);
  const message = assistantMessage({ content: answer.answer });
  return {
    status: 200,
    contentType: 'application/json',
    body: {
      ...chatReply(head, [choiceOf(message, 'stop')], usage?.shown ?? null),
      ...sourcesOf(metadata),
    },
    usage: usage?.reported ?? null,
  };
};
