import type { JsonObject } from '../canonical.ts';
import { defined, objectAt, objectsAt, textAt } from '../json.ts';

const textOf = (request: JsonObject): string =>
  objectsAt(objectAt(request, 'content'), 'parts')
    .map((part) => textAt(part, 'text'))
    .join('\n');

/** An embedContent or batchEmbedContents body as OpenAI's; a batch is a list of texts. */
export const embeddingsOf = (body: JsonObject, model: string): JsonObject => {
  const requests = objectsAt(body, 'requests');
  const [first = body] = requests;
  return defined({
    model,
    input: requests.length === 0 ? textOf(body) : requests.map(textOf),
    dimensions: first.outputDimensionality ?? first.output_dimensionality,
    encoding_format: 'float',
  });
};

/** The answer in the form of the question: one embedding, or one for each request. */
export const embeddingsReplyOf = (reply: JsonObject, isBatch: boolean): JsonObject => {
  const embeddings = objectsAt(reply, 'data').map(({ embedding }) => ({ values: embedding }));
  return isBatch ? { embeddings } : { embedding: embeddings[0] ?? { values: [] } };
};
