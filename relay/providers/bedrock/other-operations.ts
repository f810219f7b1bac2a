import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, isObject, numberAt, objectAt, parseObject, textAt } from '../../protocol/json.ts';
import { refuseRequest } from '../../protocol/refusal.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { embeddingReply, embeddingTexts } from '../shared/embeddings.ts';
import { unusableReply } from '../shared/failure.ts';
import { createdNow } from '../shared/openai-chunks.ts';
import { ranking } from '../shared/rerank.ts';
import { inputUsage } from '../shared/usage-report.ts';
import type { OpenAiReply, TranslationContext } from '../translate.ts';

type Call = TranslationContext['call'];

/** The protocols of embeddings, which follow the house of the model. */
const isTitanText = (model: string): boolean => model.includes('amazon.titan-embed');
const isCohereText = (model: string): boolean => model.includes('cohere.embed');
const isRanking = (model: string): boolean => model.includes('rerank');
const isDrawing = (model: string): boolean => /amazon\.(nova-canvas|titan-image)/.test(model);

const titanBody = ({ body, upstreamModel }: Call): JsonObject => {
  const [inputText = '', ...more] = embeddingTexts(body);
  if (more.length > 0) refuseRequest(`${upstreamModel} embeds one text in a call`);
  return defined({ inputText, dimensions: numberAt(body, 'dimensions') ?? undefined });
};

const cohereBody = ({ body }: Call): JsonObject =>
  defined({
    texts: embeddingTexts(body),
    input_type: textAt(body, 'input_type') || 'search_document',
    embedding_types: ['float'],
    output_dimension: numberAt(body, 'dimensions') ?? undefined,
    truncate: body.truncate,
  });

const textsBody = (call: Call): JsonObject => {
  if (isTitanText(call.upstreamModel)) return titanBody(call);
  return isCohereText(call.upstreamModel)
    ? cohereBody(call)
    : refuseRequest(`${call.upstreamModel} embeds no texts`);
};

const rankingBody = ({ body, upstreamModel }: Call): JsonObject => {
  if (!isRanking(upstreamModel)) refuseRequest(`${upstreamModel} ranks no documents`);
  return defined({
    query: body.query,
    documents: body.documents,
    top_n: numberAt(body, 'top_n') || undefined,
    api_version: upstreamModel.includes('cohere.') ? 2 : undefined,
  });
};

const finer: ReadonlySet<string> = new Set(['hd', 'high']);

const drawingBody = ({ body, upstreamModel }: Call): JsonObject => {
  if (!isDrawing(upstreamModel)) refuseRequest(`${upstreamModel} makes no pictures`);
  const [width, height] = textAt(body, 'size').split('x').map(Number);
  return {
    taskType: 'TEXT_IMAGE',
    textToImageParams: { text: textAt(body, 'prompt') },
    imageGenerationConfig: defined({
      numberOfImages: numberAt(body, 'n') ?? 1,
      width: width || undefined,
      height: height || undefined,
      quality: finer.has(textAt(body, 'quality')) ? 'premium' : 'standard',
      seed: numberAt(body, 'seed') ?? undefined,
    }),
  };
};

/** A call that is no chat, in the words of its model. @throws refusals */
export const otherBody = ({ call }: TranslationContext): JsonObject => {
  if (call.operation === 'embeddings') return textsBody(call);
  return call.operation === 'rerank' ? rankingBody(call) : drawingBody(call);
};

const vectorsOf = (answer: JsonObject): readonly unknown[] => {
  if (answer.embedding !== undefined) return [answer.embedding];
  const { embeddings } = answer;
  const list: unknown = isObject(embeddings) ? embeddings.float : embeddings;
  return Array.isArray(list) ? list : [];
};

/** One model counts in its answer, the host counts for all. */
const tokensOf = (answer: JsonObject, { headers }: HttpReply): number | null =>
  numberAt(answer, 'inputTextTokenCount') ??
  (Number(headers['x-amzn-bedrock-input-token-count']) || null);

const embedded = (
  answer: JsonObject,
  reply: HttpReply,
  { upstreamModel: model, body: asked }: Call,
): OpenAiReply =>
  embeddingReply(vectorsOf(answer), inputUsage(tokensOf(answer, reply)), { model, asked });

const pictures = (answer: JsonObject, { io }: TranslationContext): OpenAiReply | ApiError => {
  const images = Array.isArray(answer.images) ? answer.images : [];
  if (images.length === 0) {
    const message = textAt(answer, 'error') || 'The provider made no image';
    return { status: 400, message, type: 'upstream_error', code: 'no_images' };
  }
  const body = { created: createdNow(io), data: images.map((b64_json) => ({ b64_json })) };
  return { status: 200, contentType: 'application/json', body, usage: null };
};

export const otherReply = (
  reply: HttpReply,
  context: TranslationContext,
): OpenAiReply | ApiError => {
  const { call } = context;
  const answer = parseObject(reply.body.toString('utf8'));
  if (answer === null) return unusableReply();
  if (call.operation === 'embeddings') return embedded(answer, reply, call);
  if (call.operation === 'images') return pictures(answer, context);
  const counted = {
    ...answer,
    usage: { prompt_tokens: tokensOf(objectAt(answer, 'usage'), reply) },
  };
  const { body, usage } = ranking(counted, call);
  return { status: 200, contentType: 'application/json', body, usage: usage?.reported ?? null };
};
