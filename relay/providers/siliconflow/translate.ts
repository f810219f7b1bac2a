import { siliconflow as facts } from '../../../domain/channel/providers/siliconflow.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, numberAt, objectsAt, textAt } from '../../protocol/json.ts';
import { redact } from '../shared/failure.ts';
import { picturesAsAsked } from '../shared/images.ts';
import { createdNow } from '../shared/openai-chunks.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter, TranslationContext } from '../translate.ts';

const fine = 20_000;

const statusOf = (code: number): number => {
  if (code >= 50_000) return 503;
  return code >= 30_000 ? 403 : 400;
};

/** Errors may have HTTP status 200; answers have no code. */
const refusal = (body: JsonObject): ApiError | null => {
  const code = numberAt(body, 'code');
  if (code === null || code === fine || typeof body.message !== 'string') return null;
  return {
    status: statusOf(code),
    message: redact(textAt(body, 'message') || `error ${code}`),
    type: 'upstream_error',
    code,
  };
};

const imageBody = ({ size, n, response_format: _, ...own }: JsonObject): JsonObject =>
  defined({
    ...own,
    image_size: own.image_size ?? size,
    batch_size: own.batch_size ?? n,
  });

const reply = async (body: JsonObject, context: TranslationContext): Promise<JsonObject> => {
  if (context.call.operation !== 'images') return body;
  const pictures = objectsAt(body, 'images');
  const data = await picturesAsAsked(pictures, context);
  return { created: createdNow(context.io), data };
};

/** SiliconFlow (type 40). Usage is on every chunk; the last one counts. */
export const siliconFlow: TranslatingAdapter = openAiLike({
  operations: ['chat', 'completions', 'embeddings', 'images', 'rerank', 'speech', 'transcription'],
  baseUrl: facts.baseUrl,
  streamUsage: 'ask',
  body: (own, { call }) => (call.operation === 'images' ? imageBody(own) : own),
  reply,
  refusal,
});
