import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, numberAt, objectsAt, parseObject, textAt } from '../../protocol/json.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { embeddingReply } from '../shared/embeddings.ts';
import { unusableReply } from '../shared/failure.ts';
import {
  assistantMessage,
  chatReply,
  choiceOf,
  newHead,
  toolCall,
} from '../shared/openai-chunks.ts';
import { inputUsage, usageReport } from '../shared/usage-report.ts';
import type { OpenAiReply, TranslationContext } from '../translate.ts';
import { baiduError } from './failure.ts';

/** The finish reason as OpenAI calls it. */
export const finishOf = (body: JsonObject): string => {
  if (isObject(body.function_call)) return 'tool_calls';
  const reason = textAt(body, 'finish_reason');
  if (reason === 'content_filter' || body.need_clear_history === true) return 'content_filter';
  return reason === 'length' || body.is_truncated === true ? 'length' : 'stop';
};

/** Content that has no place in OpenAI's shape. */
export const extrasOf = (body: JsonObject): JsonObject =>
  isObject(body.search_info) ? { search_info: body.search_info } : {};

const chat = (body: JsonObject, { call, io }: TranslationContext): OpenAiReply => {
  const fresh = newHead(io, call.upstreamModel);
  const head = {
    ...fresh,
    id: textAt(body, 'id') || fresh.id,
    created: numberAt(body, 'created') ?? fresh.created,
  };
  const { function_call: made } = body;
  const toolCalls = isObject(made)
    ? [toolCall(`call_${io.newId()}`, textAt(made, 'name'), textAt(made, 'arguments'))]
    : [];
  const message = assistantMessage({ content: textAt(body, 'result'), toolCalls });
  const usage = usageReport(body.usage);
  return {
    status: 200,
    contentType: 'application/json',
    body: {
      ...chatReply(head, [choiceOf(message, finishOf(body))], usage?.shown ?? null),
      ...extrasOf(body),
    },
    usage: usage?.reported ?? null,
  };
};

const embeddings = (body: JsonObject, { call }: TranslationContext): OpenAiReply => {
  const vectors = objectsAt(body, 'data').map(({ embedding }) => embedding);
  const usage = usageReport(body.usage);
  const counted = usage === null ? null : inputUsage(Number(usage.reported.promptTokens));
  return embeddingReply(vectors, counted, { model: call.upstreamModel, asked: call.body });
};

export const baiduReply = (
  { body }: HttpReply,
  context: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(body.toString('utf8'));
  if (answer === null) return unusableReply();
  const error = baiduError(answer);
  if (error !== null) return error;
  return context.call.operation === 'embeddings'
    ? embeddings(answer, context)
    : chat(answer, context);
};
