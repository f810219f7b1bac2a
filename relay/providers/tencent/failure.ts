import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, objectAt, textAt } from '../../protocol/json.ts';
import { redact } from '../shared/failure.ts';

const statuses: readonly (readonly [start: string, status: number])[] = [
  ['AuthFailure', 401],
  ['UnauthorizedOperation', 403],
  ['RequestLimitExceeded', 429],
  ['LimitExceeded', 429],
  ['InvalidParameter', 400],
];

const statusOf = (code: string): number =>
  statuses.find(([start]) => code.startsWith(start))?.[1] ?? 500;

const errorOf = (code: unknown, message: string): ApiError => ({
  status: statusOf(String(code)),
  message: redact(message || `error ${String(code)}`),
  type: 'tencent_error',
  code: typeof code === 'string' || typeof code === 'number' ? code : null,
});

/** Errors have HTTP status 200, in streams a separate shape; null when there is none. */
export const tencentError = (body: JsonObject): ApiError | null => {
  const error = objectAt(body, 'Response').Error;
  if (isObject(error)) return errorOf(error.Code, textAt(error, 'Message'));
  const { ErrorMsg: reported } = body;
  return isObject(reported) ? errorOf(reported.Code, textAt(reported, 'Msg')) : null;
};
