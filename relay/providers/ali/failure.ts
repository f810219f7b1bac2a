import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { parseObject, textAt } from '../../protocol/json.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { redact, upstreamFailure } from '../shared/failure.ts';

const statuses: readonly (readonly [start: string, status: number])[] = [
  ['InvalidApiKey', 401],
  ['Throttling', 429],
  ['ModelNotFound', 404],
  ['AccessDenied', 403],
  ['Arrearage', 400],
  ['DataInspectionFailed', 400],
  ['InvalidParameter', 400],
];

/** The provider's own shape; null for answers of the compatible surface. */
export const aliError = (body: JsonObject, status: number): ApiError | null => {
  const code = textAt(body, 'code');
  if (code === '') return null;
  const known = statuses.find(([start]) => code.startsWith(start))?.[1] ?? 502;
  return {
    status: status >= 400 ? status : known,
    message: redact(textAt(body, 'message') || code),
    type: code,
    code,
    param: textAt(body, 'request_id') || null,
  };
};

export const aliFailure = (reply: HttpReply): ApiError => {
  const body = parseObject(reply.body.toString('utf8'));
  const error = body === null || 'error' in body ? null : aliError(body, reply.status);
  return error ?? upstreamFailure(reply);
};
