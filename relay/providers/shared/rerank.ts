import type { JsonObject, OpenAiCall } from '../../protocol/canonical.ts';
import { isObject, numberAt, objectAt, objectsAt } from '../../protocol/json.ts';
import { inputUsage, type UsageReport } from './usage-report.ts';

/** Providers may leave the text out although it was requested; the request still has it. */
const withDocument = (result: JsonObject, { body }: OpenAiCall): JsonObject => {
  const isMissing = result.document === undefined || result.document === null;
  if (body.return_documents !== true || !isMissing || !Array.isArray(body.documents)) return result;
  const document: unknown = body.documents[numberAt(result, 'index') ?? -1];
  return document === undefined ? result : { ...result, document };
};

const tokensOf = (answer: JsonObject): number | null => {
  const usage = objectAt(answer, 'usage');
  const meta = objectAt(objectAt(answer, 'meta'), 'tokens');
  return (
    numberAt(usage, 'prompt_tokens') ||
    numberAt(usage, 'total_tokens') ||
    numberAt(meta, 'input_tokens')
  );
};

/** A ranking as all clients of the field read it: results and usage, whatever the provider. */
export const ranking = (
  answer: JsonObject,
  call: OpenAiCall,
): Readonly<{ body: JsonObject; usage: UsageReport | null }> => {
  const usage = inputUsage(tokensOf(answer));
  const list = isObject(answer.output) ? answer.output : answer;
  const results = objectsAt(list, 'results').map((result) => withDocument(result, call));
  return { body: { results, ...(usage === null ? {} : { usage: usage.shown }) }, usage };
};
