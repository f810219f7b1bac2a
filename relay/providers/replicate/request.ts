import { replicate as facts } from '../../../domain/channel/providers/replicate.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, numberAt, objectAt, parseObject, textAt, without } from '../../protocol/json.ts';
import { refuse } from '../../protocol/refusal.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import {
  isSystem,
  plainText,
  refuseForcedTools,
  systemText,
  unknownMembers,
} from '../shared/chat-request.ts';
import { unusableReply, upstreamFailure } from '../shared/failure.ts';
import { maxTokensOf, messagesOf } from '../shared/messages.ts';
import { baseOf, bearer, jsonRequest } from '../shared/outgoing.ts';
import type { TranslationContext } from '../translate.ts';
import { keyFor } from './prediction.ts';

const ratios: Readonly<Record<string, string>> = {
  '1024x1024': '1:1',
  '1792x1024': '16:9',
  '1024x1792': '9:16',
  '1536x1024': '3:2',
  '1024x1536': '2:3',
};

/** Members of OpenAI's image request for which these models have no input. */
const imageMembers = [
  'model',
  'prompt',
  'n',
  'size',
  'response_format',
  'quality',
  'style',
  'user',
];

const imageInput = (body: JsonObject): JsonObject =>
  defined({
    prompt: body.prompt,
    num_outputs: numberAt(body, 'n') ?? 1,
    aspect_ratio: ratios[textAt(body, 'size')],
    ...without(body, imageMembers),
  });

const chatInput = (body: JsonObject): JsonObject => {
  refuseForcedTools(body);
  const messages = messagesOf(body);
  const system = systemText(messages);
  const lines = messages
    .filter((message) => !isSystem(message))
    .map(({ role, content }) => `${String(role)}: ${plainText(content)}\n`);
  return defined({
    prompt: lines.join(''),
    system_prompt: system === '' ? undefined : system,
    max_tokens: maxTokensOf(body) ?? 500,
    temperature: body.temperature ?? undefined,
    top_p: body.top_p ?? undefined,
    seed: body.seed ?? undefined,
    stop_sequences: Array.isArray(body.stop) ? body.stop.join(',') : (body.stop ?? undefined),
    ...unknownMembers(body),
  });
};

/** A version after a colon is named in the body, a model by its owner and name in the path. */
const targetOf = (model: string): Readonly<{ path: string; pinned: JsonObject }> => {
  const version = model.split(':')[1];
  return version === undefined
    ? { path: `/v1/models/${model}/predictions`, pinned: {} }
    : { path: '/v1/predictions', pinned: { version } };
};

const predict = (context: TranslationContext): HttpRequest => {
  const { call, channel } = context;
  const { path, pinned } = targetOf(call.upstreamModel);
  const input = call.operation === 'images' ? imageInput(call.body) : chatInput(call.body);
  return jsonRequest(context, {
    url: baseOf(channel, facts.baseUrl) + path,
    headers: {
      ...bearer(channel),
      accept: 'application/json',
      ...(call.isStream ? {} : { prefer: 'wait' }),
    },
    body: { ...pinned, ...(call.isStream ? { stream: true } : {}), input },
  });
};

/** A stream is read from an address that the provider gives when the prediction begins. */
const streamRequest = async (context: TranslationContext): Promise<HttpRequest> => {
  const reply = await context.io.fetch(predict(context));
  if (reply.status < 200 || reply.status > 299) return refuse(upstreamFailure(reply));
  const prediction = parseObject(reply.body.toString('utf8')) ?? {};
  const url = textAt(objectAt(prediction, 'urls'), 'stream');
  if (url === '') return refuse(unusableReply('This model cannot be streamed'));
  const headers = { accept: 'text/event-stream', ...keyFor(url, context) };
  return { method: 'GET', url, headers, body: null };
};

export const replicateRequest = async (context: TranslationContext): Promise<HttpRequest> =>
  context.call.isStream ? streamRequest(context) : predict(context);
