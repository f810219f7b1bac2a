import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import {
  defined,
  numberAt,
  objectAt,
  objectsAt,
  parseObject,
  textAt,
} from '../../protocol/json.ts';
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
import { inputUsage, type UsageNames, usageReport } from '../shared/usage-report.ts';
import type { OpenAiReply, TranslationContext } from '../translate.ts';
import { tencentError } from './failure.ts';

export const usageNames: UsageNames = {
  prompt: 'PromptTokens',
  completion: 'CompletionTokens',
  total: 'TotalTokens',
};

export const finishOf = (reason: string): string =>
  reason === 'sensitive' ? 'content_filter' : reason;

export const extrasOf = (body: JsonObject): JsonObject =>
  defined({ search_info: body.SearchInfo ?? undefined });

const callOf = (call: JsonObject): JsonObject => {
  const called = objectAt(call, 'Function');
  return toolCall(textAt(call, 'Id'), textAt(called, 'Name'), textAt(called, 'Arguments'));
};

const choice = (own: JsonObject): JsonObject => {
  const message = objectAt(own, 'Message');
  const shown = assistantMessage({
    content: textAt(message, 'Content'),
    reasoning: textAt(message, 'ReasoningContent'),
    toolCalls: objectsAt(message, 'ToolCalls').map(callOf),
  });
  const finish = finishOf(textAt(own, 'FinishReason') || 'stop');
  return choiceOf(shown, finish, numberAt(own, 'Index') ?? 0);
};

const chat = (body: JsonObject, { call, io }: TranslationContext): OpenAiReply => {
  const fresh = newHead(io, call.upstreamModel);
  const head = {
    ...fresh,
    id: textAt(body, 'Id') || fresh.id,
    created: numberAt(body, 'Created') ?? fresh.created,
  };
  const usage = usageReport(body.Usage, usageNames);
  const choices = objectsAt(body, 'Choices').map(choice);
  return {
    status: 200,
    contentType: 'application/json',
    body: { ...chatReply(head, choices, usage?.shown ?? null), ...extrasOf(body) },
    usage: usage?.reported ?? null,
  };
};

const embeddings = (body: JsonObject, { call }: TranslationContext): OpenAiReply => {
  const rows = [...objectsAt(body, 'Data')];
  rows.sort((a, b) => (numberAt(a, 'Index') ?? 0) - (numberAt(b, 'Index') ?? 0));
  const counts = objectAt(body, 'Usage');
  const tokens = numberAt(counts, 'PromptTokens') || numberAt(counts, 'TotalTokens');
  return embeddingReply(
    rows.map(({ Embedding }) => Embedding),
    inputUsage(tokens),
    { model: call.upstreamModel, asked: call.body },
  );
};

export const tencentReply = (
  { body }: HttpReply,
  context: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(body.toString('utf8'));
  if (answer === null) return unusableReply();
  const error = tencentError(answer);
  if (error !== null) return error;
  const response = objectAt(answer, 'Response');
  if (context.call.operation === 'embeddings') return embeddings(response, context);
  return Array.isArray(response.Choices) ? chat(response, context) : unusableReply();
};
