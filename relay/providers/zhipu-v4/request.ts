import type { JsonObject, TranslatedOperation } from '../../protocol/canonical.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt, without } from '../../protocol/json.ts';
import { imageSource } from '../shared/chat-request.ts';
import { messagesOf, stopsOf, withMaxTokens } from '../shared/messages.ts';
import { toolChoiceOf } from '../shared/tools.ts';
import { clampedTopP } from '../shared/zhipu/top-p.ts';
import type { TranslationContext } from '../translate.ts';

/** Refused or without meaning upstream. */
const unknownUpstream = [
  'stream_options',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'n',
  'parallel_tool_calls',
  'store',
  'metadata',
  'service_tier',
  'prompt_cache_key',
  'safety_identifier',
] as const;

const paths: Readonly<Partial<Record<TranslatedOperation, string>>> = {
  chat: '/chat/completions',
  embeddings: '/embeddings',
  images: '/images/generations',
  rerank: '/rerank',
  speech: '/audio/speech',
  transcription: '/audio/transcriptions',
};

/** Plans for coding have a base that already ends with its version. */
export const zhipuPath = ({ call, channel }: TranslationContext): string => {
  const hasVersion = /\/paas\/v4\/*$/.test(channel.settings.baseUrl);
  return (hasVersion ? '' : '/api/paas/v4') + (paths[call.operation] ?? '/chat/completions');
};

/** Pictures inside the request are bare base64 upstream. */
const barePart = (part: JsonObject): JsonObject => {
  const source = imageSource(part);
  if (source === null || !source.startsWith('data:image/')) return part;
  const image = isObject(part.image_url) ? part.image_url : {};
  return { ...part, image_url: { ...image, url: source.slice(source.indexOf(',') + 1) } };
};

const messageOf = (message: JsonObject): JsonObject => {
  const { content } = message;
  const role = message.role === 'developer' ? 'system' : message.role;
  if (!Array.isArray(content)) return { ...message, role };
  return { ...message, role, content: content.map((p) => (isObject(p) ? barePart(p) : p)) };
};

/** Upstream has `auto` alone: the list of tools contains only those that may be called instead. */
const toolMembers = (body: JsonObject): JsonObject => {
  const choice = toolChoiceOf(body);
  if (choice === null) return {};
  if (choice.kind === 'none') return { tools: undefined, tool_choice: undefined };
  if (choice.kind !== 'function') return { tool_choice: 'auto' };
  const tools = objectsAt(body, 'tools').filter(
    (tool) => textAt(objectAt(tool, 'function'), 'name') === choice.name,
  );
  return { tools, tool_choice: 'auto' };
};

/** Older models refuse temperature 0; no sampling is what it requests. */
const samplingMembers = (body: JsonObject): JsonObject => {
  const topP = clampedTopP(body);
  const members: JsonObject = topP === undefined ? {} : { top_p: topP };
  if (numberAt(body, 'temperature') !== 0) return members;
  return { ...members, temperature: undefined, do_sample: body.do_sample ?? false };
};

export const zhipuBody = (body: JsonObject, { call }: TranslationContext): JsonObject => {
  const { user, ...named } = without(body, unknownUpstream);
  const known = user === undefined ? named : { ...named, user_id: body.user_id ?? user };
  if (call.operation !== 'chat') return call.operation === 'embeddings' ? named : known;
  const stops = stopsOf(body);
  return {
    ...withMaxTokens(known),
    ...samplingMembers(body),
    ...toolMembers(body),
    ...(stops.length === 0 ? {} : { stop: stops }),
    messages: messagesOf(body).map(messageOf),
  };
};
