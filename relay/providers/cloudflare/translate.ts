import { cloudflare as facts } from '../../../domain/channel/providers/cloudflare.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, objectAt, parseObject, textAt, without } from '../../protocol/json.ts';
import { orRefusal, refuseRequest } from '../../protocol/refusal.ts';
import { relayError } from '../../protocol/relay-errors.ts';
import type { HttpReply, HttpRequest } from '../../upstream/types.ts';
import { interrupted, unusableReply, upstreamFailure } from '../shared/failure.ts';
import { developerAsSystem, messagesOf } from '../shared/messages.ts';
import { createdNow, wantsUsage } from '../shared/openai-chunks.ts';
import { openAiLike } from '../shared/openai-like.ts';
import { reportedUsage } from '../shared/openai-usage.ts';
import { baseOf, bearer, jsonRequest } from '../shared/outgoing.ts';
import { runSse } from '../shared/run-stream.ts';
import type {
  OpenAiReply,
  StreamTranslation,
  TranslatingAdapter,
  TranslationContext,
} from '../translate.ts';

const cloudflareGateway = 'https://gateway.ai.cloudflare.com';

/** The path contains the account; an address of the AI gateway already names it. */
const rootOf = ({ channel }: TranslationContext): string =>
  channel.settings.baseUrl.startsWith(cloudflareGateway)
    ? ''
    : `/client/v4/accounts/${encodeURIComponent(channel.settings.other)}/ai`;

const sameProtocol = openAiLike({
  operations: ['chat', 'embeddings'],
  baseUrl: facts.baseUrl,
  path: (context) => rootOf(context) + context.call.path,
  body: (body, { call }) =>
    call.operation === 'chat'
      ? { ...body, messages: messagesOf(body).map(developerAsSystem) }
      : body,
  streamUsage: 'ask',
});

const fileOf = async (form: FormData | null): Promise<Buffer> => {
  const file = form?.get('file');
  return file instanceof Blob
    ? Buffer.from(await file.arrayBuffer())
    : refuseRequest('A file is missing');
};

const imageInput = (body: JsonObject): JsonObject => {
  const [width, height] = textAt(body, 'size').split('x').map(Number);
  const size = width && height ? { width, height } : {};
  return {
    ...size,
    ...without(body, ['model', 'n', 'size', 'response_format', 'user', 'quality']),
  };
};

/** Whatever is not in OpenAI's protocol is run by the name of the model, slashes included. */
const runRequest = async (context: TranslationContext): Promise<HttpRequest> => {
  const { call, channel } = context;
  const base = baseOf(channel, facts.baseUrl) + rootOf(context);
  const url = `${base}/run/${call.upstreamModel}`;
  if (call.operation === 'transcription') {
    const audio = await fileOf(call.form);
    // The newest of these models takes JSON; the others take the bytes alone.
    if (call.upstreamModel.endsWith('turbo')) {
      const body = { audio: audio.toString('base64') };
      return jsonRequest(context, { url, headers: bearer(channel), body });
    }
    const headers = { 'content-type': 'application/octet-stream', accept: 'application/json' };
    return { method: 'POST', url, headers: { ...headers, ...bearer(channel) }, body: audio };
  }
  const body =
    call.operation === 'images'
      ? imageInput(call.body)
      : without(call.body, ['model', 'stream_options']);
  return jsonRequest(context, { url, headers: bearer(channel), body });
};

const completion = (
  text: string,
  context: TranslationContext,
  finish: string | null,
): JsonObject => ({
  id: `cmpl-${context.io.newId()}`,
  object: 'text_completion',
  created: createdNow(context.io),
  model: context.call.upstreamModel,
  choices: [{ index: 0, text, finish_reason: finish }],
});

const json = (body: JsonObject, usage: JsonObject | null = null): OpenAiReply => ({
  status: 200,
  contentType: 'application/json',
  body: usage === null ? body : { ...body, usage },
  usage: reportedUsage(usage),
});

const imageReply = (
  reply: HttpReply,
  result: JsonObject,
  context: TranslationContext,
): OpenAiReply => {
  const isFile = (reply.headers['content-type'] ?? '').startsWith('image/');
  const picture = isFile ? reply.body.toString('base64') : textAt(result, 'image');
  return json({ created: createdNow(context.io), data: [{ b64_json: picture }] });
};

const runReply = (reply: HttpReply, context: TranslationContext): OpenAiReply | ApiError => {
  const answer = parseObject(reply.body.toString('utf8')) ?? {};
  if (answer.success === false) return upstreamFailure({ ...reply, status: 502 });
  const result = objectAt(answer, 'result');
  const { operation } = context.call;
  if (operation === 'images') return imageReply(reply, result, context);
  if (operation === 'transcription') {
    return typeof result.text === 'string' ? json(transcript(result)) : unusableReply();
  }
  if (typeof result.response !== 'string') return unusableReply();
  const usage = isObject(result.usage) ? result.usage : null;
  return json(completion(result.response, context, 'stop'), usage);
};

/** The text, and the words with their times where the model returns them. */
const transcript = (result: JsonObject): JsonObject => ({
  text: result.text,
  ...without(result, ['text', 'word_count', 'vtt', 'transcription_info']),
});

const runStream = (context: TranslationContext): StreamTranslation => {
  const head = completion('', context, null);
  let usage: JsonObject | null = null;
  let isDone = false;
  const say = (text: string, finish: string | null): JsonObject => ({
    ...head,
    choices: [{ index: 0, text, finish_reason: finish }],
  });
  return runSse({
    done: () => {
      isDone = true;
    },
    message: ({ data }, out) => {
      const event = parseObject(data);
      if (event === null) return null;
      if (event.success === false) {
        return upstreamFailure({ status: 502, headers: {}, body: Buffer.from(data) });
      }
      if (isObject(event.usage)) usage = event.usage;
      if (textAt(event, 'response') !== '') out.push(say(textAt(event, 'response'), null));
      return null;
    },
    end: (out) => {
      if (!isDone) return interrupted();
      out.push(say('', 'stop'));
      if (usage !== null && wantsUsage(context.call)) out.push({ ...head, choices: [], usage });
      return null;
    },
    usage: () => reportedUsage(usage),
  });
};

const isSame = ({ call }: TranslationContext): boolean =>
  call.operation === 'chat' || call.operation === 'embeddings';

const needsAccount = ({ channel }: TranslationContext): boolean =>
  channel.settings.other === '' && !channel.settings.baseUrl.startsWith(cloudflareGateway);

/** Workers AI: OpenAI's protocol for chats and embeddings, its own for everything else. */
export const cloudflare: TranslatingAdapter = {
  operations: ['chat', 'completions', 'embeddings', 'transcription', 'images'],
  request: async (context) => {
    if (needsAccount(context)) {
      return relayError('channel_configuration_error', 'The channel has no account id');
    }
    return isSame(context) ? sameProtocol.request(context) : orRefusal(() => runRequest(context));
  },
  reply: async (reply, context) =>
    isSame(context) ? sameProtocol.reply(reply, context) : runReply(reply, context),
  stream: (context) => (isSame(context) ? sameProtocol.stream(context) : runStream(context)),
  failure: upstreamFailure,
};
