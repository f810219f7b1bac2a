import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, parseJson } from '../../protocol/json.ts';
import type { HttpReply } from '../../upstream/types.ts';

const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

const codeOf = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null;

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((owner, member) => (isObject(owner) ? owner[member] : undefined), value);

/** FastAPI servers answer `detail` as text or as a list of `{ msg }`. */
const detailText = (detail: unknown): string | null => {
  if (!Array.isArray(detail)) return text(detail) ?? text(at(detail, 'message'));
  const parts = detail.map((part) => text(at(part, 'msg')) ?? text(part));
  return text(parts.filter((part) => part !== null).join('; '));
};

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

/** Where providers put the sentence, the commonest place first. */
const sentenceOf = (body: JsonObject): string | null =>
  text(body.message) ??
  detailText(body.message) ??
  text(body.msg) ??
  text(body.err) ??
  text(body.error_msg) ??
  text(body.error) ??
  text(at(body, 'header', 'message')) ??
  text(at(body, 'response', 'error', 'message')) ??
  text(at(body, 'Response', 'Error', 'Message')) ??
  text(at(body, 'base_resp', 'status_msg')) ??
  text(at(firstOf(body.errors), 'message')) ??
  detailText(at(body, 'message', 'detail')) ??
  detailText(body.detail);

const codeIn = (body: JsonObject): string | number | null =>
  codeOf(body.code) ??
  codeOf(body.error_code) ??
  codeOf(at(body, 'header', 'code')) ??
  codeOf(at(body, 'Response', 'Error', 'Code')) ??
  codeOf(at(body, 'base_resp', 'status_code')) ??
  codeOf(at(firstOf(body.errors), 'code'));

/** Addresses and pieces of keys in an upstream's words are the operator's business. */
export const redactAddresses = (words: string): string =>
  words
    .replace(/\b(?:https?|wss?):\/\/[^\s"'<>)]+/gi, '[address]')
    .replace(/\bsk-[\w*.~+/=-]{3,}[\w*=]/g, '[key]');

/** A sentence of an upstream, as others may read it. */
export const redact = (message: string): string => redactAddresses(message).slice(0, 4_096);

/** Some gateways report only that their own upstream failed, and put its text in another member. */
const messageOf = (error: JsonObject): string | null => {
  const message = text(error.message);
  const raw = text(at(error, 'metadata', 'raw'));
  return raw !== null && (message === null || message === 'Provider returned error')
    ? raw
    : message;
};

/** Google gives in a list of details what its status leaves open. */
const reasonIn = ({ details }: JsonObject): Readonly<{ reason?: string }> => {
  const reasons = Array.isArray(details) ? details.map((detail) => text(at(detail, 'reason'))) : [];
  const reason = reasons.find((found) => found !== null);
  return typeof reason === 'string' ? { reason } : {};
};

/** An error object of a provider in OpenAI's terms; null when it contains nothing. */
export const errorObject = (error: unknown, status: number): ApiError | null => {
  if (!isObject(error)) return null;
  const message = messageOf(error);
  if (message === null) return null;
  return {
    status,
    message: redact(message),
    type: text(error.type) ?? text(error.status) ?? 'upstream_error',
    code: codeOf(error.code),
    param: text(error.param),
    ...reasonIn(error),
  };
};

/** Seconds, or a date as HTTP writes it. */
const retryAfter = (header: string | undefined): number | null => {
  if (header === undefined || header.trim() === '') return null;
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : null;
};

/** The body of an error response, whichever of the supported shapes it has. */
export const bodyFailure = (status: number, body: Buffer): ApiError => {
  const parsed = parseJson(body.toString('utf8'));
  const value = Array.isArray(parsed) ? parsed[0] : parsed;
  const silent: ApiError = {
    status,
    message: `bad response status code ${status}`,
    type: 'upstream_error',
    code: 'bad_response_status_code',
    param: String(status),
  };
  if (!isObject(value)) {
    const plain = text(parsed);
    return plain === null ? silent : { ...silent, message: redact(plain) };
  }
  const error = errorObject(value.error, status);
  if (error !== null) return error;
  const sentence = sentenceOf(value);
  if (sentence === null) return silent;
  return {
    status,
    message: redact(sentence),
    type: text(value.type) ?? silent.type,
    code: codeIn(value) ?? silent.code,
    param: text(value.param),
  };
};

/** The same with the time to retry after, where the answer has it. */
export const upstreamFailure = ({ status, headers, body }: HttpReply): ApiError => {
  const failure = bodyFailure(status, body);
  const seconds = retryAfter(headers['retry-after']);
  return seconds === null ? failure : { ...failure, retryAfterSeconds: seconds };
};

/** A success response without usable content. */
export const unusableReply = (message = 'The provider gave an unusable answer'): ApiError => ({
  status: 502,
  message,
  type: 'upstream_error',
  code: 'bad_response_body',
});

/** A stream that ended before the provider marked it as complete. */
export const interrupted = (): ApiError => ({
  status: 502,
  message: 'The provider ended the stream before the answer was complete',
  type: 'upstream_error',
  code: 'stream_interrupted',
});
