import type { ApiError } from '../../ingress/api-error.ts';
import { discreet } from '../shared/failure.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

const codeOf = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null;

/** FastAPI servers answer `detail` as text or as a list of `{ msg }`. */
const detailText = (detail: unknown): string | null => {
  if (!Array.isArray(detail)) return text(detail);
  const parts = detail.map((part) => (isFields(part) ? text(part.msg) : text(part)));
  return text(parts.filter((part) => part !== null).join('; '));
};

const nested = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isFields(at) ? at[key] : undefined), value);

/** Where providers put the sentence, in the order of the provider sheet, section 2.7. */
const plainMessage = (body: Fields): string | null =>
  text(body.message) ??
  text(body.msg) ??
  text(body.err) ??
  text(body.error_msg) ??
  text(body.error) ??
  text(nested(body, 'header', 'message')) ??
  text(nested(body, 'response', 'error', 'message')) ??
  text(nested(body, 'Response', 'Error', 'Message')) ??
  text(nested(body, 'base_resp', 'status_msg')) ??
  text(nested(Array.isArray(body.errors) ? body.errors[0] : undefined, 'message')) ??
  detailText(body.detail);

const parsed = (body: Buffer): unknown => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return Array.isArray(value) ? value[0] : value;
  } catch {
    return null;
  }
};

/** An upstream's error in OpenAI's shape; its own object is kept where it has one. */
export const openAiFailure = (status: number, body: Buffer): ApiError => {
  const value = parsed(body);
  const fallback = {
    status,
    type: 'upstream_error',
    code: 'bad_response_status_code',
    param: String(status),
  };
  if (!isFields(value)) return { ...fallback, message: `bad response status code ${status}` };
  const error = value.error;
  const message = isFields(error) ? text(error.message) : null;
  if (isFields(error) && message !== null) {
    return {
      status,
      message: discreet(message),
      type: text(error.type) ?? 'upstream_error',
      code: codeOf(error.code),
      param: text(error.param) ?? '',
    };
  }
  const sentence = plainMessage(value);
  return {
    ...fallback,
    message: discreet(sentence ?? `bad response status code ${status}`),
    code: codeOf(value.code) ?? fallback.code,
    type: text(value.type) ?? fallback.type,
  };
};
