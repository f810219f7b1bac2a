import type { JsonObject, OpenAiCall } from '../../protocol/canonical.ts';
import { defined, isObject, objectAt } from '../../protocol/json.ts';
import type { ProviderIo } from '../../upstream/types.ts';

/** What every chunk of an answer repeats. `created` in seconds. */
export type ReplyHead = Readonly<{ id: string; created: number; model: string }>;

/**
 * Tokens in OpenAI's terms: cache reads and writes are part of `prompt`, reasoning of `completion`.
 */
export type UsageCounts = Readonly<{
  prompt: number;
  completion: number;
  total?: number;
  cached?: number;
  cacheCreation?: number;
  reasoning?: number;
}>;

export const createdNow = (io: ProviderIo): number => Math.floor(io.now().getTime() / 1_000);

/** For providers that give an answer no id. */
export const newHead = (io: ProviderIo, model: string): ReplyHead => ({
  id: `chatcmpl-${io.newId()}`,
  created: createdNow(io),
  model,
});

/** Whether the caller requested the usage chunk at the end of the stream. */
export const wantsUsage = ({ body }: OpenAiCall): boolean =>
  objectAt(body, 'stream_options').include_usage === true;

const detailsOf = (members: JsonObject): JsonObject | undefined => {
  const present = defined(members);
  return Object.keys(present).length === 0 ? undefined : present;
};

/** The `usage` object of a reply or of the last chunk. */
export const usageObject = (counts: UsageCounts): JsonObject =>
  defined({
    prompt_tokens: counts.prompt,
    completion_tokens: counts.completion,
    total_tokens: counts.total ?? counts.prompt + counts.completion,
    prompt_tokens_details: detailsOf({
      cached_tokens: counts.cached,
      cached_creation_tokens: counts.cacheCreation,
    }),
    completion_tokens_details: detailsOf({ reasoning_tokens: counts.reasoning }),
  });

const chunkOf = (head: ReplyHead, choices: readonly JsonObject[]): JsonObject => ({
  id: head.id,
  object: 'chat.completion.chunk',
  created: head.created,
  model: head.model,
  choices,
});

export type ChunkPlace = Readonly<{ choice?: number; finish?: string | null }>;

/** One delta of one choice. */
export const deltaChunk = (
  head: ReplyHead,
  delta: JsonObject,
  { choice = 0, finish = null }: ChunkPlace = {},
): JsonObject => chunkOf(head, [{ index: choice, delta, finish_reason: finish }]);

export const roleChunk = (head: ReplyHead, choice = 0): JsonObject =>
  deltaChunk(head, { role: 'assistant', content: '' }, { choice });

export const finishChunk = (head: ReplyHead, finish: string, choice = 0): JsonObject =>
  deltaChunk(head, {}, { choice, finish });

export const usageChunk = (head: ReplyHead, usage: JsonObject): JsonObject => ({
  ...chunkOf(head, []),
  usage,
});

/** First delta of a tool call: it alone carries id and name. `arguments` may be "" or whole. */
export const toolStart = (
  index: number,
  call: Readonly<{ id: string; name: string; arguments: string }>,
): JsonObject => ({
  tool_calls: [
    {
      index,
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    },
  ],
});

export const toolArguments = (index: number, text: string): JsonObject => ({
  tool_calls: [{ index, function: { arguments: text } }],
});

/** A whole tool call inside a message. */
export const toolCall = (id: string, name: string, args: string): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

export type MessageParts = Readonly<{
  content: string;
  reasoning?: string;
  toolCalls?: readonly JsonObject[];
  /** Further members of the message. */
  extras?: JsonObject;
}>;

/** Content is null only where tool calls replace it. */
export const assistantMessage = (parts: MessageParts): JsonObject => {
  const toolCalls = parts.toolCalls ?? [];
  return defined({
    role: 'assistant',
    content: parts.content === '' && toolCalls.length > 0 ? null : parts.content,
    reasoning_content: parts.reasoning === '' ? undefined : parts.reasoning,
    tool_calls: toolCalls.length === 0 ? undefined : toolCalls,
    ...parts.extras,
  });
};

export const choiceOf = (message: JsonObject, finish: string, index = 0): JsonObject => ({
  index,
  message,
  finish_reason: finish,
});

/** A whole answer; without `usage` where the provider reported none. */
export const chatReply = (
  head: ReplyHead,
  choices: readonly JsonObject[],
  usage: JsonObject | null,
): JsonObject => ({
  id: head.id,
  object: 'chat.completion',
  created: head.created,
  model: head.model,
  choices,
  ...(usage === null ? {} : { usage }),
});

/** Text of a message whose content is text or a list of parts. */
export const contentText = (content: unknown, separator = ''): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join(separator);
};
