import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject, OpenAiCall } from '../../protocol/canonical.ts';
import { isObject, objectAt, parseObject, without } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpReply, HttpRequest } from '../../upstream/types.ts';
import type { OpenAiReply, TranslatingAdapter, TranslationContext } from '../translate.ts';
import { withCanonicalChunks } from './canonical-chunks.ts';
import { inAskedEncoding } from './embeddings.ts';
import { unusableReply, upstreamFailure } from './failure.ts';
import { createdNow } from './openai-chunks.ts';
import { editedChoice, gaveUp, type OpenAiLikeRules, refusalIn } from './openai-like-rules.ts';
import { openAiLikeStream } from './openai-like-stream.ts';
import { reportedUsage } from './openai-usage.ts';
import { baseOf, bearer, jsonRequest } from './outgoing.ts';
import { ranking } from './rerank.ts';
import { withThinkingInContent } from './thinking-to-content.ts';

const isText = ({ call }: TranslationContext): boolean =>
  call.operation === 'chat' || call.operation === 'completions';

const withStreamOptions = (
  body: JsonObject,
  context: TranslationContext,
  rules: OpenAiLikeRules,
): JsonObject => {
  if (rules.streamUsage === 'refused') return without(body, ['stream_options']);
  if (rules.streamUsage === 'keep' || !isText(context) || !context.call.isStream) return body;
  const options = { ...objectAt(body, 'stream_options'), include_usage: true };
  return { ...body, stream_options: options };
};

/** The upload unchanged, with the upstream name of the model. */
const formBody = ({ call }: TranslationContext, form: FormData): FormData => {
  const copy = new FormData();
  for (const [name, value] of form) {
    if (typeof value === 'string') copy.append(name, name === 'model' ? call.upstreamModel : value);
    else copy.append(name, value, value.name);
  }
  return copy;
};

const requestOf = async (
  context: TranslationContext,
  rules: OpenAiLikeRules,
): Promise<HttpRequest> => {
  const { call, channel } = context;
  const url =
    rules.url?.(context) ?? baseOf(channel, rules.baseUrl) + (rules.path?.(context) ?? call.path);
  const headers = rules.headers?.(context) ?? bearer(channel);
  if (call.form !== null) {
    const accept = { accept: 'application/json' };
    return {
      method: 'POST',
      url,
      headers: { ...accept, ...headers },
      body: formBody(context, call.form),
    };
  }
  const own: JsonObject = { ...call.body, model: call.upstreamModel };
  const asked = withStreamOptions(own, context, rules);
  const body = (await rules.body?.(asked, context)) ?? asked;
  return jsonRequest(context, { url, headers, body });
};

const isJson = ({ headers, body }: HttpReply): boolean => {
  const type = headers['content-type'] ?? '';
  return type === '' || type.includes('json') || type.startsWith('text/') || body[0] === 0x7b;
};

const ranked = (answer: JsonObject, call: OpenAiCall): OpenAiReply => {
  const { body, usage } = ranking(answer, call);
  return { status: 200, contentType: 'application/json', body, usage: usage?.reported ?? null };
};

const editedChoices = (
  { choices }: JsonObject,
  context: TranslationContext,
  rules: OpenAiLikeRules,
): readonly unknown[] | null =>
  Array.isArray(choices)
    ? choices.map((choice) => (isObject(choice) ? editedChoice(choice, context, rules) : choice))
    : null;

const answerOf = async (
  parsed: JsonObject,
  context: TranslationContext,
  rules: OpenAiLikeRules,
): Promise<OpenAiReply | ApiError> => {
  const { call, io } = context;
  const error = refusalIn(parsed, rules);
  if (error !== null) return error;
  if (call.operation === 'rerank') return ranked(parsed, call);
  const body: JsonObject = { ...((await rules.reply?.(parsed, context)) ?? parsed) };
  const choices = editedChoices(body, context, rules);
  const failed = gaveUp(choices ?? []);
  if (failed !== null) return failed;
  if (choices !== null) body.choices = choices;
  const usage = isObject(body.usage) ? (rules.usage?.(body.usage) ?? body.usage) : null;
  if (usage !== null) body.usage = usage;
  if (call.operation === 'images') body.created ??= createdNow(io);
  if (call.operation === 'embeddings' && Array.isArray(body.data)) {
    body.data = inAskedEncoding(body.data, call.body);
  }
  return { status: 200, contentType: 'application/json', body, usage: reportedUsage(usage) };
};

const replyOf = async (
  reply: HttpReply,
  context: TranslationContext,
  rules: OpenAiLikeRules,
): Promise<OpenAiReply | ApiError> => {
  const { status } = reply;
  const contentType = reply.headers['content-type'] ?? 'application/json';
  const { operation } = context.call;
  const isFile = operation === 'speech' || operation === 'transcription';
  const parsed = isJson(reply) ? parseObject(reply.body.toString('utf8')) : null;
  if (parsed !== null) return answerOf(parsed, context, rules);
  return isFile ? { status, contentType, body: reply.body, usage: null } : unusableReply();
};

export type { OpenAiLikeRules } from './openai-like-rules.ts';

/** An adapter for a provider with OpenAI's shapes and edits. */
export const openAiLike = (rules: OpenAiLikeRules): TranslatingAdapter => ({
  operations: rules.operations,
  ...(rules.operations.includes('images') ? { editsPictures: true } : {}),
  request: (context) => orRefusal(() => requestOf(context, rules)),
  reply: (reply, context) => orRefusal(() => replyOf(reply, context, rules)),
  stream: (context) => {
    const translated = withThinkingInContent(openAiLikeStream(context, rules), context);
    return withCanonicalChunks(translated, context);
  },
  failure: rules.failure ?? upstreamFailure,
});
