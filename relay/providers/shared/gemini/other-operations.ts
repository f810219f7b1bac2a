import type { ApiError } from '../../../protocol/api-error.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import {
  defined,
  numberAt,
  objectAt,
  objectsAt,
  parseObject,
  textAt,
} from '../../../protocol/json.ts';
import { refuseRequest } from '../../../protocol/refusal.ts';
import type { HttpReply } from '../../../upstream/types.ts';
import type { OpenAiReply, TranslationContext } from '../../translate.ts';
import { embeddingReply as embeddingList, embeddingTexts } from '../embeddings.ts';
import { unusableReply } from '../failure.ts';
import { createdNow } from '../openai-chunks.ts';
import { inputUsage } from '../usage-report.ts';
import { aspectRatioOf, isEdit } from './pictures.ts';

const embeddingOf = (
  text: string,
  { body, upstreamModel }: TranslationContext['call'],
): JsonObject => {
  const takesSize = !upstreamModel.endsWith('embedding-001') || upstreamModel.startsWith('gemini');
  return defined({
    model: `models/${upstreamModel}`,
    content: { parts: [{ text }] },
    outputDimensionality: takesSize ? (numberAt(body, 'dimensions') ?? undefined) : undefined,
    taskType: body.task_type ?? body.taskType,
    title: body.title,
  });
};

const isList = ({ body }: TranslationContext['call']): boolean => Array.isArray(body.input);

export const embeddingAction = (call: TranslationContext['call']): string =>
  isList(call) ? 'batchEmbedContents' : 'embedContent';

export const embeddingBody = ({ call }: TranslationContext): JsonObject => {
  const requests = embeddingTexts(call.body).map((text) => embeddingOf(text, call));
  return isList(call) ? { requests } : (requests[0] ?? {});
};

/** Nothing is reported for embeddings: the gateway counts by itself. */
export const embeddingReply = (
  reply: HttpReply,
  { call }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(reply.body.toString('utf8'));
  if (answer === null) return unusableReply();
  const many = objectsAt(answer, 'embeddings');
  const vectors = (many.length > 0 ? many : [objectAt(answer, 'embedding')]).map(
    ({ values }) => values,
  );
  return embeddingList(vectors, null, { model: call.upstreamModel, asked: call.body });
};

/** @throws a refusal of pictures that are to be changed */
export const imageBody = ({ call }: TranslationContext): JsonObject => {
  const { body, upstreamModel } = call;
  if (isEdit(call)) refuseRequest(`${upstreamModel} makes pictures and changes none`);
  return {
    instances: [{ prompt: textAt(body, 'prompt') }],
    parameters: {
      sampleCount: numberAt(body, 'n') ?? 1,
      aspectRatio: aspectRatioOf(body) ?? '1:1',
      personGeneration: 'allow_adult',
    },
  };
};

/** Tokens that the provider counts for one picture. */
const tokensOfImage = 258;

/** Pictures that the provider held back are left out. */
export const imageReply = (
  reply: HttpReply,
  { io }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(reply.body.toString('utf8'));
  if (answer === null) return unusableReply();
  const data = objectsAt(answer, 'predictions')
    .filter((prediction) => textAt(prediction, 'bytesBase64Encoded') !== '')
    .map((prediction) => ({ b64_json: prediction.bytesBase64Encoded }));
  if (data.length === 0) {
    const message = 'The provider made no image: all were filtered';
    return { status: 400, message, type: 'upstream_error', code: 'no_images' };
  }
  const body = { created: createdNow(io), data };
  const usage = { promptTokens: tokensOfImage * data.length, completionTokens: 0 };
  return { status: 200, contentType: 'application/json', body, usage };
};

/** The older prediction protocol, by which the cloud host serves embeddings. */
export const predictEmbeddings = ({ call }: TranslationContext): JsonObject => {
  const { body } = call;
  const instance = (content: string): JsonObject =>
    defined({ content, task_type: body.task_type ?? body.taskType, title: body.title });
  const outputDimensionality = numberAt(body, 'dimensions');
  return {
    instances: embeddingTexts(body).map(instance),
    ...(outputDimensionality === null ? {} : { parameters: { outputDimensionality } }),
  };
};

export const predictedEmbeddings = (
  reply: HttpReply,
  { call }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(reply.body.toString('utf8'));
  if (answer === null) return unusableReply();
  const embeddings = objectsAt(answer, 'predictions').map((own) => objectAt(own, 'embeddings'));
  const tokens = embeddings
    .map((own) => numberAt(objectAt(own, 'statistics'), 'token_count') ?? 0)
    .reduce((sum, count) => sum + count, 0);
  const names = { model: call.upstreamModel, asked: call.body };
  return embeddingList(
    embeddings.map(({ values }) => values),
    inputUsage(tokens),
    names,
  );
};
