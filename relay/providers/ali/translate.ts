import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, numberAt, objectAt, objectsAt, parseObject } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpReply, HttpRequest } from '../../upstream/types.ts';
import { embeddingReply, embeddingTexts } from '../shared/embeddings.ts';
import { unusableReply } from '../shared/failure.ts';
import { baseOf, jsonRequest } from '../shared/outgoing.ts';
import { ranking } from '../shared/rerank.ts';
import { inputUsage } from '../shared/usage-report.ts';
import type { OpenAiReply, TranslatingAdapter, TranslationContext } from '../translate.ts';
import { aliBase, aliChat, aliHeaders } from './chat.ts';
import { aliError, aliFailure } from './failure.ts';
import { imageReply, imageRequest } from './images.ts';

const noneAsAbsent = (members: JsonObject): JsonObject | undefined =>
  Object.keys(members).length === 0 ? undefined : members;

const embeddingBody = (body: JsonObject): JsonObject => ({
  input: { texts: embeddingTexts(body) },
  parameters: noneAsAbsent(
    defined({
      dimension: body.dimensions,
      text_type: body.text_type,
      ...objectAt(body, 'parameters'),
    }),
  ),
});

const rerankBody = (body: JsonObject): JsonObject => ({
  input: { query: body.query, documents: body.documents },
  parameters: noneAsAbsent(defined({ return_documents: body.return_documents, top_n: body.top_n })),
});

const services = {
  embeddings: '/api/v1/services/embeddings/text-embedding/text-embedding',
  rerank: '/api/v1/services/rerank/text-rerank/text-rerank',
} as const;

const serviceRequest = (
  context: TranslationContext,
  service: keyof typeof services,
): HttpRequest => {
  const { body, upstreamModel: model } = context.call;
  const own = service === 'rerank' ? rerankBody(body) : embeddingBody(body);
  return jsonRequest(context, {
    url: baseOf(context.channel, aliBase) + services[service],
    headers: aliHeaders(context),
    body: defined({ model, ...own }),
  });
};

/** Only a total is counted, and all of it is input. */
const serviceReply = (
  { body }: HttpReply,
  { call }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(body.toString('utf8'));
  if (answer === null) return unusableReply();
  const error = aliError(answer, 200);
  if (error !== null) return error;
  if (call.operation === 'rerank') {
    const { body: ranked, usage } = ranking(answer, call);
    return {
      status: 200,
      contentType: 'application/json',
      body: ranked,
      usage: usage?.reported ?? null,
    };
  }
  const rows = [...objectsAt(objectAt(answer, 'output'), 'embeddings')];
  rows.sort((a, b) => (numberAt(a, 'text_index') ?? 0) - (numberAt(b, 'text_index') ?? 0));
  const usage = inputUsage(numberAt(objectAt(answer, 'usage'), 'total_tokens'));
  const vectors = rows.map(({ embedding }) => embedding);
  return embeddingReply(vectors, usage, { model: call.upstreamModel, asked: call.body });
};

const request = (context: TranslationContext): Promise<HttpRequest | ApiError> => {
  const { operation } = context.call;
  if (operation === 'images') return orRefusal(() => imageRequest(context));
  if (operation === 'embeddings' || operation === 'rerank') {
    return orRefusal(() => serviceRequest(context, operation));
  }
  return aliChat.request(context);
};

const reply = (answer: HttpReply, context: TranslationContext): Promise<OpenAiReply | ApiError> => {
  const { operation } = context.call;
  if (operation === 'images') return orRefusal(() => imageReply(answer, context));
  if (operation === 'chat') return aliChat.reply(answer, context);
  return orRefusal(() => serviceReply(answer, context));
};

/** Alibaba DashScope (type 17): chat in OpenAI's shapes, everything else in its own. */
export const ali: TranslatingAdapter = {
  operations: ['chat', 'embeddings', 'images', 'rerank'],
  request,
  reply,
  stream: aliChat.stream,
  failure: aliFailure,
};
