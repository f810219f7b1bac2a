import { cohere as facts } from '../../../domain/channel/providers/cohere.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, isObject, numberAt, objectAt, textAt, without } from '../../protocol/json.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import { unknownMembers } from '../shared/chat-request.ts';
import { embeddingTexts } from '../shared/embeddings.ts';
import {
  developerAsSystem,
  maxTokensOf,
  messagesOf,
  refuseChoices,
  stopsOf,
} from '../shared/messages.ts';
import { contentText } from '../shared/openai-chunks.ts';
import { baseOf, bearer, channelSetting, jsonRequest } from '../shared/outgoing.ts';
import { jsonFormatOf } from '../shared/structured.ts';
import { toolChoiceOf, toolsOf } from '../shared/tools.ts';
import type { TranslationContext } from '../translate.ts';

const given = (value: unknown): unknown => value ?? undefined;

const sampling = (body: JsonObject): JsonObject => {
  const stops = stopsOf(body);
  return {
    temperature: given(body.temperature),
    p: given(body.top_p),
    k: given(body.top_k),
    seed: given(body.seed),
    frequency_penalty: given(body.frequency_penalty),
    presence_penalty: given(body.presence_penalty),
    stop_sequences: stops.length === 0 ? undefined : stops,
    ...without(unknownMembers(body), ['top_k']),
  };
};

const historyRole = (role: unknown): string => {
  if (role === 'assistant') return 'CHATBOT';
  return role === 'system' || role === 'developer' ? 'SYSTEM' : 'USER';
};

const withoutSuffix = (model: string): string => model.replace(/-internet$/, '');

/** The last text of the user is separate; everything else is history, in order. */
const firstBody = ({ call, channel }: TranslationContext): JsonObject => {
  const { body, upstreamModel } = call;
  const messages = messagesOf(body);
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const history = messages.filter((_, at) => at !== last);
  const searches = upstreamModel.endsWith('-internet');
  return defined({
    model: withoutSuffix(upstreamModel),
    message: contentText(messages[last]?.content, '\n'),
    chat_history: history.map(({ role, content }) => ({
      role: historyRole(role),
      message: contentText(content, '\n'),
    })),
    stream: call.isStream,
    max_tokens: maxTokensOf(body) ?? 4_000,
    safety_mode: channelSetting(channel).safety_mode,
    connectors: searches ? [{ id: 'web-search' }] : undefined,
    ...sampling(body),
  });
};

const toolName = (tool: JsonObject): string => textAt(objectAt(tool, 'function'), 'name');

/** A tool cannot be forced by name: it is forced by being the only one. */
const toolMembers = (body: JsonObject): JsonObject => {
  const tools = toolsOf(body);
  const choice = toolChoiceOf(body);
  if (tools.length === 0) return {};
  if (choice?.kind === 'function') {
    const forced = tools.filter((tool) => toolName(tool) === choice.name);
    return { tools: forced, tool_choice: 'REQUIRED' };
  }
  if (choice?.kind === 'required') return { tools, tool_choice: 'REQUIRED' };
  return choice?.kind === 'none' ? { tools, tool_choice: 'NONE' } : { tools };
};

const formatOf = (body: JsonObject): JsonObject | undefined => {
  const format = jsonFormatOf(body);
  return format === null
    ? undefined
    : defined({ type: 'json_object', json_schema: format.schema ?? undefined });
};

const secondMessage = (message: JsonObject): JsonObject => {
  const { reasoning_content: plan, ...own } = developerAsSystem(message);
  const isCalling = Array.isArray(own.tool_calls) && own.tool_calls.length > 0;
  if (!isCalling) return own;
  const { content, ...rest } = own;
  const spoken = content === null || content === '' ? {} : { content };
  return { ...rest, ...spoken, ...(typeof plan === 'string' ? { tool_plan: plan } : {}) };
};

const secondBody = ({ call }: TranslationContext): JsonObject => {
  const { body } = call;
  return defined({
    model: withoutSuffix(call.upstreamModel),
    stream: call.isStream ? true : undefined,
    messages: messagesOf(body).map(secondMessage),
    max_tokens: maxTokensOf(body) ?? undefined,
    logprobs: body.logprobs === true ? true : undefined,
    response_format: formatOf(body),
    ...toolMembers(body),
    ...sampling(body),
  });
};

const needsSecond = (body: JsonObject): boolean =>
  toolsOf(body).length > 0 ||
  jsonFormatOf(body) !== null ||
  messagesOf(body).some(
    ({ role, content }) =>
      role === 'tool' ||
      (Array.isArray(content) && content.some((part) => isObject(part) && part.type !== 'text')),
  );

/**
 * The first protocol has texts only: calls that need more, or channels configured so, use the
 * second.
 */
export const isSecond = ({ call, channel }: TranslationContext): boolean =>
  call.operation === 'chat' &&
  (call.isOwn === true || channelSetting(channel).api === 'v2' || needsSecond(call.body));

const embedBody = ({ call }: TranslationContext): JsonObject =>
  defined({
    model: call.upstreamModel,
    texts: embeddingTexts(call.body),
    input_type: textAt(call.body, 'input_type') || 'search_document',
    embedding_types: ['float'],
    output_dimension: numberAt(call.body, 'dimensions') ?? undefined,
    truncate: call.body.truncate,
  });

/** No number of results means all of them, and so does none. */
const rerankBody = ({ call }: TranslationContext): JsonObject => ({
  ...(call.body.top_n === 0 ? without(call.body, ['top_n']) : call.body),
  model: call.upstreamModel,
});

const older = facts.baseUrl;
const newer = 'https://api.cohere.com';

/** @throws refusals */
export const cohereRequest = (context: TranslationContext): HttpRequest => {
  const { call, channel } = context;
  const post = (fallback: string, path: string, body: JsonObject): HttpRequest =>
    jsonRequest(context, { url: baseOf(channel, fallback) + path, headers: bearer(channel), body });
  if (call.operation === 'rerank') {
    return call.isOwn === true
      ? post(newer, '/v2/rerank', rerankBody(context))
      : post(older, '/v1/rerank', rerankBody(context));
  }
  if (call.operation === 'embeddings') return post(newer, '/v2/embed', embedBody(context));
  refuseChoices(call.body);
  return isSecond(context)
    ? post(newer, '/v2/chat', secondBody(context))
    : post(older, '/v1/chat', firstBody(context));
};
