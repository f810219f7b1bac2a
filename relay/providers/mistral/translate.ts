import { hash } from 'node:crypto';
import { mistral as facts } from '../../../domain/channel/providers/mistral.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, objectsAt, textAt, without } from '../../protocol/json.ts';
import { developerAsSystem, messagesOf, withMaxTokens } from '../shared/messages.ts';
import { contentText } from '../shared/openai-chunks.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter, TranslationContext } from '../translate.ts';

/** Members of OpenAI that are refused here; everything else is passed on. */
const refused = [
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'user',
  'store',
  'service_tier',
  'modalities',
  'audio',
  'verbosity',
  'prompt_cache_key',
  'safety_identifier',
  'seed',
] as const;

/** Nine letters and digits; others are replaced, the same each time. */
const callId = (id: string): string =>
  /^[A-Za-z0-9]{9}$/.test(id) ? id : hash('sha256', id, 'hex').slice(0, 9);

const partOf = (part: unknown): unknown => {
  if (!isObject(part) || part.type !== 'image_url' || !isObject(part.image_url)) return part;
  return { ...part, image_url: part.image_url.url };
};

const messageUp = (message: JsonObject): JsonObject => {
  const own: JsonObject = { ...developerAsSystem(message) };
  if (own.role !== 'tool') delete own.name;
  delete own.reasoning_content;
  if (Array.isArray(own.content)) own.content = own.content.map(partOf);
  if (typeof own.tool_call_id === 'string') own.tool_call_id = callId(own.tool_call_id);
  if (Array.isArray(own.tool_calls)) {
    own.tool_calls = objectsAt(own, 'tool_calls').map((call) => ({
      ...call,
      id: callId(textAt(call, 'id')),
    }));
  }
  return own;
};

/** After a tool's result an assistant turn must precede the user's. */
const inOrder = (messages: readonly JsonObject[]): readonly JsonObject[] =>
  messages.flatMap((message, at) =>
    message.role === 'user' && messages[at - 1]?.role === 'tool'
      ? [{ role: 'assistant', content: 'OK' }, message]
      : [message],
  );

const chatBody = (body: JsonObject): JsonObject => ({
  ...withMaxTokens(without(body, refused)),
  ...(body.seed === undefined || body.seed === null ? {} : { random_seed: body.seed }),
  ...(body.tool_choice === 'required' ? { tool_choice: 'any' } : {}),
  messages: inOrder(messagesOf(body).map(messageUp)),
});

const bodyOf = (body: JsonObject, { call }: TranslationContext): JsonObject =>
  call.operation === 'chat' ? chatBody(body) : body;

const thinkingOf = (part: JsonObject): string =>
  typeof part.thinking === 'string' ? part.thinking : contentText(part.thinking);

/** Reasoning models answer a list of thoughts, texts and references. */
const messageDown = (message: JsonObject): JsonObject => {
  if (!Array.isArray(message.content)) return message;
  const parts = objectsAt(message, 'content');
  const reasoning = parts.map(thinkingOf).join('');
  const others = parts.filter(({ type }) => type !== 'thinking' && type !== 'text');
  return {
    ...message,
    content: contentText(parts.filter(({ type }) => type === 'text')),
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(others.length === 0 ? {} : { provider_content: others }),
  };
};

const fimPath = ({ call }: TranslationContext): string =>
  call.operation === 'completions' ? '/v1/fim/completions' : call.path;

/** Usage is always sent with the last chunk; requesting it is refused. */
export const mistral: TranslatingAdapter = openAiLike({
  operations: ['chat', 'completions', 'embeddings', 'transcription', 'moderations'],
  baseUrl: facts.baseUrl,
  path: fimPath,
  body: bodyOf,
  streamUsage: 'refused',
  finishes: { model_length: 'length' },
  message: messageDown,
});
