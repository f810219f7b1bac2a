import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject } from '../../protocol/json.ts';
import { refuseRequest } from '../../protocol/refusal.ts';
import type { OpenAiReply } from '../translate.ts';
import type { UsageReport } from './usage-report.ts';

/**
 * The texts of an embedding request.
 * @throws a refusal for lists of token ids, which only their own tokenizer understands.
 */
export const embeddingTexts = ({ input }: JsonObject): readonly string[] => {
  const inputs: readonly unknown[] = Array.isArray(input) ? input : [input];
  return inputs.map((text) =>
    typeof text === 'string' ? text : refuseRequest('This model embeds text only'),
  );
};

const isNumbers = (value: unknown): value is readonly number[] => Array.isArray(value);

/** Client libraries request base64 of little-endian 32-bit floats by default. */
const asBase64 = (vector: readonly number[]): string =>
  Buffer.from(new Float32Array(vector).buffer).toString('base64');

/** The vectors in the encoding that the caller requested. */
export const inAskedEncoding = (
  data: readonly unknown[],
  { encoding_format: format }: JsonObject,
): readonly unknown[] =>
  format !== 'base64'
    ? data
    : data.map((entry) =>
        isObject(entry) && isNumbers(entry.embedding)
          ? { ...entry, embedding: asBase64(entry.embedding) }
          : entry,
      );

/** `vectors` in the order of the inputs. */
export const embeddingReply = (
  vectors: readonly unknown[],
  usage: UsageReport | null,
  { model, asked }: Readonly<{ model: string; asked: JsonObject }>,
): OpenAiReply => {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  const { completion_tokens: _, ...shown } = usage?.shown ?? {};
  return {
    status: 200,
    contentType: 'application/json',
    body: {
      object: 'list',
      model,
      data: inAskedEncoding(data, asked),
      ...(usage === null ? {} : { usage: shown }),
    },
    usage: usage?.reported ?? null,
  };
};
