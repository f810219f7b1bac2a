import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { numberAt, objectAt, parseObject, textAt } from '../../protocol/json.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { unusableReply } from '../shared/failure.ts';
import { assistantMessage, chatReply, choiceOf, newHead } from '../shared/openai-chunks.ts';
import { usageReport } from '../shared/usage-report.ts';
import type { OpenAiReply, TranslationContext } from '../translate.ts';

/** Sources of the app's answer; nothing when it searched nowhere. */
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
  const usage = usageReport(metadata.usage);
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
