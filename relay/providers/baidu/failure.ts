import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { textAt } from '../../protocol/json.ts';
import { redact } from '../shared/failure.ts';

const limits = new Set([17, 18, 19, 336501, 336502]);
const credentials = new Set([6, 13, 14, 100, 110, 111]);
const tokens = new Set([110, 111]);

const isParameter = (code: number): boolean =>
  (code >= 336003 && code <= 336007) || (code >= 336103 && code <= 336105);

const statusOf = (code: number): number => {
  if (limits.has(code)) return 429;
  if (credentials.has(code)) return 401;
  return isParameter(code) ? 400 : 500;
};

/** Errors have HTTP status 200; null when the body is an answer. */
export const baiduError = (body: JsonObject): ApiError | null => {
  const code = Number(body.error_code ?? 0);
  if (!Number.isFinite(code) || code === 0) return null;
  return {
    status: statusOf(code),
    message: redact(textAt(body, 'error_msg') || `error ${code}`),
    type: 'baidu_error',
    code,
  };
};

/** The access token is no longer taken, though it was not yet due. */
export const isStaleToken = ({ code }: ApiError): boolean =>
  typeof code === 'number' && tokens.has(code);
