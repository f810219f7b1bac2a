import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject } from '../../protocol/json.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { channelSetting } from './outgoing.ts';

/** What a chunk of OpenAI's own holds; everything else is the provider's addition. */
const chunkMembers = [
  ...['id', 'object', 'created', 'model', 'system_fingerprint', 'service_tier', 'choices', 'usage'],
] as const;
const choiceMembers = ['index', 'delta', 'text', 'logprobs', 'finish_reason'] as const;
const deltaMembers = [
  ...['role', 'content', 'reasoning_content', 'reasoning', 'refusal', 'tool_calls'],
  ...['function_call', 'audio'],
] as const;

const picked = (value: JsonObject, members: readonly string[]): JsonObject => {
  const own: JsonObject = {};
  for (const member of members) if (value[member] !== undefined) own[member] = value[member];
  return own;
};

const choiceOf = (choice: unknown): unknown => {
  if (!isObject(choice)) return choice;
  const own = picked(choice, choiceMembers);
  return isObject(own.delta) ? { ...own, delta: picked(own.delta, deltaMembers) } : own;
};

const canonical = (chunk: JsonObject): JsonObject => {
  const own = picked(chunk, chunkMembers);
  return Array.isArray(own.choices)
    ? { ...own, object: own.object ?? 'chat.completion.chunk', choices: own.choices.map(choiceOf) }
    : own;
};

const isList = (produced: readonly JsonObject[] | ApiError): produced is readonly JsonObject[] =>
  Array.isArray(produced);

/** For clients that stumble over additions (channel setting `force_format`). */
export const withCanonicalChunks = (
  stream: StreamTranslation,
  { channel }: TranslationContext,
): StreamTranslation => {
  if (channelSetting(channel).force_format !== true) return stream;
  const edited = (produced: readonly JsonObject[] | ApiError): readonly JsonObject[] | ApiError =>
    isList(produced) ? produced.map(canonical) : produced;
  return {
    push: (bytes) => edited(stream.push(bytes)),
    end: () => edited(stream.end()),
    usage: () => stream.usage(),
  };
};
