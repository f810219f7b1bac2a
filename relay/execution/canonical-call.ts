import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { chatFromMessages } from '../protocol/anthropic/translate.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { TextCall } from '../protocol/calls.ts';
import type { JsonObject, OpenAiCall, ResponseTerms } from '../protocol/canonical.ts';
import type { ChatDialect } from '../protocol/chat-dialect.ts';
import { openAiFromV2 } from '../protocol/cohere/translate.ts';
import { chatFromContents, embeddingsOf } from '../protocol/gemini/translate.ts';
import { parseObject } from '../protocol/json.ts';
import { notJson } from '../protocol/normalise.ts';
import { openAiFromOllama } from '../protocol/ollama/translate.ts';
import { isMedia } from '../protocol/operations.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { chatFromResponse, termsOf } from '../protocol/responses/translate.ts';
import { type FormScan, formDataOf } from '../protocol/scan-form.ts';
import { dialectOf, providerOf } from '../providers/registry.ts';
import { withSystemPrompt } from '../providers/shared/channel-settings.ts';
import { upstreamModelOf } from '../providers/shared/mapped-model.ts';

const paths = {
  chat: '/v1/chat/completions',
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  rerank: '/v1/rerank',
  responses: '/v1/chat/completions',
} as const;

const pathOf = ({ operation, protocol, path }: TextCall): string =>
  (protocol !== 'openai' || operation === 'responses') && operation in paths
    ? paths[operation as keyof typeof paths]
    : path;

/** Apart from errors: a caller's body may have any content. */
type Canonical = Readonly<{ body: JsonObject; response?: ResponseTerms }>;

const given = (body: JsonObject | ApiError): Canonical | ApiError =>
  isApiError(body) ? body : { body };

/** The plain fields of a form; files are read by the adapters that use them. */
const fieldsOf = (body: Buffer, { parts }: FormScan): JsonObject =>
  Object.fromEntries(
    parts
      .filter(({ fileName }) => fileName === null)
      .map(({ name, start, end }) => [name, body.toString('utf8', start, end)]),
  );

/** Adapters make pictures and sound whole. */
const inOnePiece = ({ stream: _, partial_images: __, stream_format: ___, ...body }: JsonObject) =>
  body;

const formOf = ({ operation, body, form }: TextCall): FormData | null => {
  if (form === undefined) return null;
  const data = formDataOf(body, form);
  if (operation === 'images') for (const name of ['stream', 'partial_images']) data.delete(name);
  return data;
};

/** What a request may hold many of; each is translated by itself. */
const lists = ['messages', 'contents', 'input', 'requests', 'documents', 'texts', 'tools'] as const;

const tooMany = (name: string, max: number): ApiError => ({
  ...relayError('too_many_messages', `${name} must hold at most ${max} entries`),
  type: 'invalid_request_error',
  param: name,
});

const lengthProblem = (body: JsonObject, maxMessages: number): ApiError | null => {
  for (const name of lists) {
    const list = body[name];
    if (!Array.isArray(list) || list.length <= maxMessages) continue;
    // Texts to embed may be given as token numbers.
    if (typeof list[0] !== 'number') return tooMany(name, maxMessages);
  }
  return null;
};

const responseCall = async (
  body: JsonObject,
  dialect: ChatDialect,
): Promise<Canonical | ApiError> => {
  const chat = await chatFromResponse(body, dialect);
  return isApiError(chat) ? chat : { body: chat, response: termsOf(body) };
};

/** Whether the provider's protocol is the caller's. */
const speaks = ({ type }: UpstreamChannel, { protocol }: TextCall): boolean =>
  providerOf(type)?.speaks === protocol;

type Reader = Readonly<{ dialect: ChatDialect; isOwn: boolean }>;

const nativeCall = async (
  { operation, protocol, path, isStream }: TextCall,
  body: JsonObject,
  reader: Reader,
): Promise<Canonical | ApiError> => {
  const read = { body, isStream, ...reader };
  if (protocol === 'cohere') {
    const isList = operation === 'rerank' || operation === 'embeddings';
    return given(await openAiFromV2(isList ? operation : 'chat', read));
  }
  const isPrompt = path.startsWith('/api/generate');
  const own = operation === 'embeddings' ? operation : 'chat';
  return given(await openAiFromOllama(own, { ...read, isPrompt }));
};

/** The body in OpenAI's shape, whatever its protocol was. */
const canonicalBody = async (
  call: TextCall,
  { channel, maxMessages }: CanonicalTerms,
  upstreamModel: string,
): Promise<Canonical | ApiError> => {
  if (call.form !== undefined) return { body: fieldsOf(call.body, call.form) };
  const parsed = parseObject(call.body.toString('utf8'));
  if (parsed === null) return notJson;
  const problem = lengthProblem(parsed, maxMessages);
  if (problem !== null) return problem;
  const body = isMedia(call.operation) ? inOnePiece(parsed) : parsed;
  const dialect = dialectOf(channel.type, upstreamModel);
  // What a model accepts depends on the one that answers, whatever name was requested.
  const own = { ...body, model: upstreamModel };
  switch (call.protocol) {
    case 'openai':
      return call.operation === 'responses' ? responseCall(own, dialect) : { body };
    case 'claude':
      return given(await chatFromMessages(own, dialect));
    case 'gemini': {
      if (call.operation === 'embeddings') return { body: embeddingsOf(body, call.model) };
      const { isStream } = call;
      return given(await chatFromContents({ body, model: upstreamModel, isStream, dialect }));
    }
    case 'cohere':
    case 'ollama':
      return nativeCall(call, own, { dialect, isOwn: speaks(channel, call) });
  }
};

export type CanonicalTerms = Readonly<{
  channel: UpstreamChannel;
  /** Messages, and tools, that one request may hold. */
  maxMessages: number;
}>;

/** A call in OpenAI's own shape, or why it has none. */
export const canonicalCall = async (
  call: TextCall,
  terms: CanonicalTerms,
): Promise<OpenAiCall | ApiError> => {
  const { channel } = terms;
  const upstreamModel = upstreamModelOf(channel, call.model);
  if (typeof upstreamModel !== 'string') return upstreamModel;
  const canonical = await canonicalBody(call, terms, upstreamModel);
  if (isApiError(canonical)) return canonical;
  const operation = call.operation === 'responses' ? 'chat' : call.operation;
  const { response } = canonical;
  return {
    operation,
    path: pathOf(call),
    requestedModel: call.model,
    upstreamModel,
    body: { ...withSystemPrompt(canonical.body, channel), model: upstreamModel },
    isStream: call.isStream && !isMedia(operation),
    form: formOf(call),
    ...(response === undefined ? {} : { response }),
    ...(speaks(channel, call) ? { isOwn: true } : {}),
  };
};
