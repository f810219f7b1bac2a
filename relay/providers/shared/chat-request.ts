import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt, without } from '../../protocol/json.ts';
import { refuseRequest } from '../../protocol/refusal.ts';
import { toolChoiceOf, toolsOf } from './tools.ts';

/** Members of OpenAI's chat request; everything else in a body is meant for the provider. */
const chatMembers: readonly string[] = [
  'model',
  'messages',
  'stream',
  'stream_options',
  'temperature',
  'top_p',
  'n',
  'stop',
  'max_tokens',
  'max_completion_tokens',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'user',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'response_format',
  'seed',
  'metadata',
  'store',
  'reasoning_effort',
  'modalities',
  'audio',
  'prediction',
  'service_tier',
  'web_search_options',
  'verbosity',
  'safety_identifier',
  'prompt_cache_key',
];

/** Members that the caller added for this provider; they go up untouched. */
export const unknownMembers = (body: JsonObject): JsonObject => without(body, chatMembers);

/** undefined when the caller gave none; a number at the border stays. */
export const clampedAt = (
  body: JsonObject,
  member: string,
  [low, high]: readonly [number, number],
): number | undefined => {
  const value = numberAt(body, member);
  return value === null ? undefined : Math.min(high, Math.max(low, value));
};

/** The parts of a message; a plain text is one part. */
export const partsOf = (content: unknown): readonly JsonObject[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
};

/**
 * Text for providers that take nothing else.
 * @throws a refusal for pictures and files: an answer that ignores them would be wrong.
 */
export const plainText = (content: unknown): string =>
  partsOf(content)
    .map((part) =>
      typeof part.text === 'string' || typeof part.refusal === 'string'
        ? String(part.text ?? part.refusal)
        : refuseRequest('This model takes text only'),
    )
    .join('\n');

/** The address or data URL of a picture part; null when it is none. */
export const imageSource = (part: JsonObject): string | null => {
  if (part.type !== 'image_url' && part.type !== 'input_image') return null;
  const { image_url: image } = part;
  return typeof image === 'string' ? image : textAt(objectAt(part, 'image_url'), 'url') || null;
};

export const isSystem = ({ role }: JsonObject): boolean =>
  role === 'system' || role === 'developer';

/** The text of all system messages, wherever they are; "" when there are none. */
export const systemText = (messages: readonly JsonObject[]): string =>
  messages
    .filter(isSystem)
    .map(({ content }) => plainText(content))
    .join('\n');

/** The functions that the model may call: name, description, parameters. */
export const functionsOf = (body: JsonObject): readonly JsonObject[] => {
  if (toolChoiceOf(body)?.kind === 'none') return [];
  const functions = toolsOf(body).map((tool) => objectAt(tool, 'function'));
  return functions.filter((own) => textAt(own, 'name') !== '');
};

/** Where only a certain tool can be demanded, any tool can be only if there is just one. */
export const forcedTool = (body: JsonObject): string | undefined => {
  const choice = toolChoiceOf(body);
  if (choice?.kind === 'function') return choice.name;
  const [only, ...more] = functionsOf(body);
  if (choice?.kind !== 'required' || only === undefined || more.length > 0) return undefined;
  return textAt(only, 'name');
};

/**
 * For providers without tools: definitions that may be ignored are, a demand may not.
 * @throws a refusal when the caller insists on a tool call.
 */
export const refuseForcedTools = (body: JsonObject): void => {
  const kind = toolChoiceOf(body)?.kind;
  if (kind === 'required' || kind === 'function') {
    refuseRequest('This model cannot be made to call a tool');
  }
};

export type FunctionCall = Readonly<{ id: string; name: string; arguments: string }>;

/** The tool calls of an assistant's message; arguments "" count as {}. */
export const callsOf = (message: JsonObject): readonly FunctionCall[] => {
  const calls = objectsAt(message, 'tool_calls').map((call) => ({
    id: textAt(call, 'id'),
    called: objectAt(call, 'function'),
  }));
  const legacy = isObject(message.function_call) ? [{ id: '', called: message.function_call }] : [];
  return [...calls, ...legacy].map(({ id, called }) => ({
    id,
    name: textAt(called, 'name'),
    arguments: textAt(called, 'arguments') || '{}',
  }));
};
