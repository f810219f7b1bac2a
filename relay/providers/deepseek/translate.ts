import { deepseek as facts } from '../../../domain/channel/providers/deepseek.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, numberAt, objectAt } from '../../protocol/json.ts';
import { developerAsSystem, messagesOf, withMaxTokens } from '../shared/messages.ts';
import { contentText } from '../shared/openai-chunks.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter, TranslationContext } from '../translate.ts';

const isPrefix = (body: JsonObject): boolean => messagesOf(body).at(-1)?.prefix === true;

const path = ({ call }: TranslationContext): string => {
  if (call.operation === 'completions') return '/beta/completions';
  // Continuing the assistant's own words is a beta of theirs.
  return isPrefix(call.body) ? '/beta/v1/chat/completions' : '/v1/chat/completions';
};

const textOnly = (message: JsonObject): JsonObject => {
  const { role, content } = message;
  if (role === 'tool' && Array.isArray(content))
    return { ...message, content: contentText(content) };
  const isCalling = role === 'assistant' && Array.isArray(message.tool_calls);
  return isCalling && (content === null || content === undefined)
    ? { ...message, content: '' }
    : message;
};

/** Reasoning belongs to the turn it was made in: later turns refuse it, this one demands it. */
const conversation = (body: JsonObject): readonly JsonObject[] => {
  const messages = messagesOf(body);
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, at) => {
    const own = textOnly(developerAsSystem(message));
    if (at >= lastUser || own.reasoning_content === undefined) return own;
    const { reasoning_content: _, ...rest } = own;
    return rest;
  });
};

const schemaNote = (schema: unknown): JsonObject => ({
  role: 'system',
  content: `Answer with one JSON object that matches this JSON schema: ${JSON.stringify(schema)}`,
});

/** Schemas are unknown here: the format becomes plain JSON and the schema an instruction. */
const withFormat = (body: JsonObject, messages: readonly JsonObject[]): JsonObject => {
  const format = body.response_format;
  if (!isObject(format) || format.type !== 'json_schema') return { ...body, messages };
  const { schema } = objectAt(format, 'json_schema');
  return {
    ...body,
    messages: [schemaNote(schema), ...messages],
    response_format: { type: 'json_object' },
  };
};

const bodyOf = (body: JsonObject, { call }: TranslationContext): JsonObject =>
  call.operation === 'chat' ? withFormat(withMaxTokens(body), conversation(body)) : body;

const usage = (reported: JsonObject): JsonObject => {
  const hits = numberAt(reported, 'prompt_cache_hit_tokens');
  if (hits === null) return reported;
  const details = { cached_tokens: hits, ...objectAt(reported, 'prompt_tokens_details') };
  return { ...reported, prompt_tokens_details: details };
};

export const deepSeek: TranslatingAdapter = openAiLike({
  operations: ['chat', 'completions'],
  baseUrl: facts.baseUrl,
  path,
  body: bodyOf,
  streamUsage: 'ask',
  finishes: { insufficient_system_resource: 'error' },
  usage,
});
