import { ollama as facts } from '../../../domain/channel/providers/ollama.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import {
  defined,
  isObject,
  objectAt,
  objectsAt,
  parseObject,
  textAt,
} from '../../protocol/json.ts';
import { orRefusal, refuseRequest } from '../../protocol/refusal.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import { createMediaLoader, type MediaLoader } from '../shared/media.ts';
import { developerAsSystem, maxTokensOf, messagesOf, stopsOf } from '../shared/messages.ts';
import { contentText } from '../shared/openai-chunks.ts';
import { baseOf, bearer, jsonRequest } from '../shared/outgoing.ts';
import { jsonFormatOf } from '../shared/structured.ts';
import { toolChoiceOf, toolsOf } from '../shared/tools.ts';
import type { TranslationContext } from '../translate.ts';

const given = (value: unknown): unknown => value ?? undefined;

/** Sampling, under the names of the server. */
export const nativeOptions = (body: JsonObject): JsonObject => {
  const stops = stopsOf(body);
  return defined({
    temperature: given(body.temperature),
    top_p: given(body.top_p),
    top_k: given(body.top_k),
    min_p: given(body.min_p),
    seed: given(body.seed),
    num_predict: maxTokensOf(body) ?? undefined,
    num_ctx: given(body.num_ctx),
    stop: stops.length === 0 ? undefined : stops,
    frequency_penalty: given(body.frequency_penalty),
    presence_penalty: given(body.presence_penalty),
    repeat_penalty: given(body.repeat_penalty),
    ...objectAt(body, 'options'),
  });
};

const imagesOf = async (content: unknown, load: MediaLoader): Promise<readonly string[]> => {
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  const urls = parts
    .filter(({ type }) => type === 'image_url')
    .map(({ image_url: image }) => (isObject(image) ? textAt(image, 'url') : String(image)));
  return Promise.all(urls.map(async (url) => (await load(url)).data));
};

/** Arguments are an object here, not a text. */
const callOf = (call: JsonObject): JsonObject => {
  const own = objectAt(call, 'function');
  const text = textAt(own, 'arguments').trim() || '{}';
  const args = parseObject(text) ?? refuseRequest('The arguments of a tool call are not JSON');
  return { function: { name: own.name, arguments: args } };
};

const messageOf = async (message: JsonObject, load: MediaLoader): Promise<JsonObject> => {
  const images = await imagesOf(message.content, load);
  const calls = objectsAt(message, 'tool_calls').map(callOf);
  return defined({
    role: developerAsSystem(message).role,
    content: contentText(message.content, '\n'),
    images: images.length === 0 ? undefined : images,
    tool_calls: calls.length === 0 ? undefined : calls,
    thinking: message.role === 'assistant' ? given(message.reasoning_content) : undefined,
    tool_name: message.role === 'tool' ? given(message.name) : undefined,
  });
};

const thinkOf = (body: JsonObject): unknown => {
  if (body.think !== undefined) return body.think;
  const effort = textAt(body, 'reasoning_effort');
  return effort === '' ? undefined : effort !== 'none';
};

const formatOf = (body: JsonObject): unknown => {
  const format = jsonFormatOf(body);
  return format === null ? undefined : (format.schema ?? 'json');
};

const request = async (context: TranslationContext): Promise<HttpRequest> => {
  const { call, channel, io } = context;
  const { body } = call;
  const load = createMediaLoader(io);
  const tools = toolChoiceOf(body)?.kind === 'none' ? [] : toolsOf(body);
  const options = nativeOptions(body);
  return jsonRequest(context, {
    url: `${baseOf(channel, facts.baseUrl)}/api/chat`,
    headers: bearer(channel),
    body: defined({
      model: call.upstreamModel,
      messages: await Promise.all(messagesOf(body).map((message) => messageOf(message, load))),
      stream: call.isStream,
      tools: tools.length === 0 ? undefined : tools,
      format: formatOf(body),
      options: Object.keys(options).length === 0 ? undefined : options,
      think: thinkOf(body),
      keep_alive: body.keep_alive,
    }),
  });
};

export const nativeRequest = (context: TranslationContext): Promise<HttpRequest | ApiError> =>
  orRefusal(() => request(context));
