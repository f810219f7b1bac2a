import { ollama as facts } from '../../../domain/channel/providers/ollama.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, isObject, numberAt, parseObject } from '../../protocol/json.ts';
import type { HttpReply, ProviderIo } from '../../upstream/types.ts';
import { embeddingReply, embeddingTexts } from '../shared/embeddings.ts';
import { unusableReply, upstreamFailure } from '../shared/failure.ts';
import { createMediaLoader } from '../shared/media.ts';
import { messagesOf, stopsOf, withMaxTokens } from '../shared/messages.ts';
import { openAiLike } from '../shared/openai-like.ts';
import { channelSetting } from '../shared/outgoing.ts';
import { inputUsage } from '../shared/usage-report.ts';
import type { OpenAiReply, TranslatingAdapter, TranslationContext } from '../translate.ts';
import { nativeReply, nativeStream } from './native-reply.ts';
import { nativeOptions, nativeRequest } from './native-request.ts';

/** It has no way to the internet: pictures go inside the request. */
const inlined = async (part: unknown, io: ProviderIo): Promise<unknown> => {
  if (!isObject(part) || part.type !== 'image_url' || !isObject(part.image_url)) return part;
  const { url } = part.image_url;
  if (typeof url !== 'string' || !/^https?:/i.test(url)) return part;
  const { mimeType, data } = await createMediaLoader(io)(url);
  return { ...part, image_url: { ...part.image_url, url: `data:${mimeType};base64,${data}` } };
};

const withPictures = async (message: JsonObject, io: ProviderIo): Promise<JsonObject> => {
  if (!Array.isArray(message.content)) return message;
  const content = await Promise.all(message.content.map((part) => inlined(part, io)));
  return { ...message, content };
};

const embeddingBody = (body: JsonObject): JsonObject => {
  const options = nativeOptions(body);
  const texts = embeddingTexts(body);
  return defined({
    model: body.model,
    input: typeof body.input === 'string' ? body.input : texts,
    dimensions: body.dimensions,
    options: Object.keys(options).length === 0 ? undefined : options,
    keep_alive: body.keep_alive,
    truncate: body.truncate,
  });
};

const chatBody = async (body: JsonObject, io: ProviderIo): Promise<JsonObject> => {
  const stops = stopsOf(body);
  const limited = withMaxTokens(body);
  return {
    ...limited,
    ...(stops.length === 0 ? {} : { stop: stops }),
    messages: await Promise.all(messagesOf(body).map((message) => withPictures(message, io))),
  };
};

const bodyOf = (
  body: JsonObject,
  { call, io }: TranslationContext,
): JsonObject | Promise<JsonObject> => {
  if (call.operation === 'embeddings') return embeddingBody(body);
  return call.operation === 'chat' ? chatBody(body, io) : body;
};

const sameProtocol = openAiLike({
  operations: ['chat', 'completions', 'embeddings'],
  baseUrl: facts.baseUrl,
  path: ({ call }) => (call.operation === 'embeddings' ? '/api/embed' : call.path),
  body: bodyOf,
  streamUsage: 'ask',
});

/** One vector for each text. */
const embedded = (reply: HttpReply, { call }: TranslationContext): OpenAiReply | ApiError => {
  const answer = parseObject(reply.body.toString('utf8'));
  if (answer === null || !Array.isArray(answer.embeddings)) return unusableReply();
  const usage = inputUsage(numberAt(answer, 'prompt_eval_count'));
  return embeddingReply(answer.embeddings, usage, { model: call.upstreamModel, asked: call.body });
};

/**
 * The caller or the operator chose the server's own protocol, which has thinking and sizes of
 * context.
 */
const isNative = ({ call, channel }: TranslationContext): boolean =>
  call.operation === 'chat' && (call.isOwn === true || channelSetting(channel).native === true);

const replyFor = async (
  reply: HttpReply,
  context: TranslationContext,
): Promise<OpenAiReply | ApiError> => {
  if (context.call.operation === 'embeddings') return embedded(reply, context);
  return isNative(context) ? nativeReply(reply, context) : sameProtocol.reply(reply, context);
};

export const ollama: TranslatingAdapter = {
  operations: ['chat', 'completions', 'embeddings'],
  request: (context) =>
    isNative(context) ? nativeRequest(context) : sameProtocol.request(context),
  reply: replyFor,
  stream: (context) => (isNative(context) ? nativeStream(context) : sameProtocol.stream(context)),
  failure: upstreamFailure,
};
