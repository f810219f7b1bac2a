import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { textAt } from '../../protocol/json.ts';
import { redact } from '../shared/failure.ts';

/** Ranges of codes and their HTTP status. */
const ranges: readonly (readonly [from: number, to: number, status: number])[] = [
  [400, 599, 0],
  [1000, 1004, 401],
  [1113, 1113, 429],
  [1110, 1121, 401],
  [1210, 1215, 400],
  [1301, 1301, 400],
  [1302, 1305, 429],
];

const statusOfCode = (code: number): number => {
  const range = ranges.find(([from, to]) => code >= from && code <= to);
  if (range === undefined) return 500;
  return range[2] === 0 ? code : range[2];
};

/** The older interface answers HTTP 200 with `success: false`; null when it succeeded. */
export const zhipuError = (body: JsonObject): ApiError | null => {
  if (body.success !== false) return null;
  const code = Number(body.code);
  return {
    status: statusOfCode(code),
    message: redact(textAt(body, 'msg') || `error ${code}`),
    type: 'zhipu_error',
    code: Number.isFinite(code) ? code : null,
  };
};
