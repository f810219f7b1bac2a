import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, objectAt, textAt } from '../../protocol/json.ts';

export type JsonFormat = Readonly<{ name: string; schema: JsonObject | null }>;

/**
 * The JSON that the caller requested as an answer; null when he requested text. `schema` null: any
 * JSON.
 */
export const jsonFormatOf = (body: JsonObject): JsonFormat | null => {
  const format = body.response_format;
  if (!isObject(format)) return null;
  if (format.type === 'json_object') return { name: 'json', schema: null };
  if (format.type !== 'json_schema') return null;
  const own = objectAt(format, 'json_schema');
  const schema = isObject(own.schema) ? own.schema : {};
  return { name: textAt(own, 'name') || 'answer', schema };
};

/** For providers and situations without structured output of their own. */
export const formatNote = ({ schema }: JsonFormat): string =>
  schema === null
    ? 'Answer with one JSON object and nothing else.'
    : `Answer with nothing but JSON that matches this JSON schema: ${JSON.stringify(schema)}`;
