import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, numberAt, textAt } from '../../protocol/json.ts';
import { redact } from '../shared/failure.ts';

const statuses: ReadonlyMap<number, number> = new Map([
  [4000, 400],
  [4100, 401],
  [4101, 401],
  [4200, 404],
  [4013, 429],
  [4028, 429],
  [5000, 500],
]);

const errorOf = (answer: JsonObject): ApiError => {
  const code = numberAt(answer, 'code') ?? 0;
  return {
    status: statuses.get(code) ?? 502,
    message: redact(textAt(answer, 'msg') || `error ${code}`),
    type: 'coze_error',
    code,
  };
};

/** Errors have HTTP status 200; null when it is an answer. */
export const cozeError = (body: JsonObject): ApiError | null =>
  (numberAt(body, 'code') ?? 0) === 0 ? null : errorOf(body);

/** A conversation that ended without an answer. */
export const failedChat = (chat: JsonObject): ApiError => {
  const { last_error: last } = chat;
  if (isObject(last) && (numberAt(last, 'code') ?? 0) !== 0) return errorOf(last);
  const status = textAt(chat, 'status') || 'failed';
  return {
    status: 502,
    message: `The agent ended with status ${status}`,
    type: 'coze_error',
    code: status,
  };
};
