import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { numberAt, objectAt, textAt } from '../../protocol/json.ts';
import { redact } from '../shared/failure.ts';

const statuses: ReadonlyMap<number, number> = new Map([
  [1000, 500],
  [1001, 504],
  [1002, 429],
  [1004, 401],
  [1008, 402],
  [1013, 500],
  [1026, 400],
  [1027, 400],
  [1039, 429],
  [1041, 429],
  [2013, 400],
  [2049, 401],
]);

/** Errors have HTTP status 200, next to an empty answer; null when there is none. */
export const refusal = (body: JsonObject): ApiError | null => {
  const base = objectAt(body, 'base_resp');
  const code = numberAt(base, 'status_code') ?? 0;
  if (code === 0) return null;
  return {
    status: statuses.get(code) ?? 500,
    message: redact(textAt(base, 'status_msg') || `error ${code}`),
    type: 'minimax_error',
    code,
  };
};
