import { expect, test } from 'vitest';
import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import { thinCall } from '../../relay/execution/thin-call.ts';
import type { ApiError } from '../../relay/protocol/api-error.ts';
import type { JsonObject } from '../../relay/protocol/canonical.ts';
import type {
  OpenAiReply,
  TranslatingAdapter,
  TranslationContext,
} from '../../relay/providers/translate.ts';
import type { HttpReply, HttpRequest } from '../../relay/upstream/types.ts';
import { expectBelieved, streamedAnswer, wholeAnswer } from './vectors/believed.ts';
import { contextOf, fakeIo, uploadedBytes } from './vectors/context.ts';
import { type FoldedStream, foldStream, withTestIds } from './vectors/fold.ts';
import type { RequestExample, VectorCase, VectorFile } from './vectors/types.ts';

export { loadVectors } from './vectors/types.ts';

export type ReplayOptions = Readonly<{
  /** Stands in for a key that the recording leaves open. */
  key?: string;
  /** An access token that is already known where the recording has no call for one. */
  cachedValue?: string;
}>;

const isError = (value: object): value is ApiError => 'message' in value && 'code' in value;

const shownError = ({ message, type, param, code }: ApiError): JsonObject => ({
  message,
  type,
  param: param ?? null,
  code,
});

/** An upstream that names no type is given the general one; params may be left open. */
const expectedError = (error: unknown): JsonObject => {
  const fields: JsonObject = { ...Object(error) };
  return { ...fields, type: fields.type ?? 'upstream_error' };
};

const bodyOf = ({ body, headers }: HttpRequest): unknown => {
  if (typeof body !== 'string') return body;
  const isJson = headers['content-type']?.includes('json') === true || 'upgrade' in headers;
  return isJson ? JSON.parse(body) : body;
};

const expectBody = (request: HttpRequest, example: RequestExample): void => {
  if (example.body_raw !== undefined) expect(request.body).toBe(example.body_raw);
  if (example.body === '<raw audio bytes>') {
    expect(Buffer.from(uploadedBytes).equals(Buffer.from(Object(request.body)))).toBe(true);
  } else if (typeof example.body === 'string' && example.body.includes('<')) {
    const start = example.body.slice(0, example.body.indexOf('<'));
    expect(String(request.body).startsWith(start)).toBe(true);
  } else if (example.body !== undefined && !(request.body instanceof FormData)) {
    expect(bodyOf(request)).toEqual(example.body);
  }
};

const expectHeaders = (request: HttpRequest, example: RequestExample): void => {
  const headers: Record<string, string> = { host: new URL(request.url).host, ...request.headers };
  for (const [name, value] of Object.entries(example.headers ?? {})) {
    if (value.startsWith('<')) expect(headers[name], name).toBeTruthy();
    else expect(headers[name], name).toBe(value);
  }
};

const pathOf = ({ url }: HttpRequest): string => url.slice(new URL(url).origin.length);

const expectRequest = (request: HttpRequest, example: RequestExample): void => {
  if (example.method !== undefined) expect(request.method).toBe(example.method);
  if (example.path !== undefined) expect(pathOf(request)).toBe(example.path);
  if (example.origin !== undefined) expect(new URL(request.url).origin).toBe(example.origin);
  expectHeaders(request, example);
  expectBody(request, example);
};

type Cut = readonly [name: string, cut: (bytes: Buffer) => readonly Buffer[]];

const inPieces = (bytes: Buffer, size: number): readonly Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );

const cuts: readonly Cut[] = [
  ['in one read', (bytes) => [bytes]],
  ['byte by byte', (bytes) => inPieces(bytes, 1)],
  ['in pieces of 7', (bytes) => inPieces(bytes, 7)],
  ['in pieces of 64', (bytes) => inPieces(bytes, 64)],
];

const upstreamBytes = (example: VectorCase): readonly Buffer[] => {
  if (example.upstream_frames_base64 !== undefined) {
    return [
      Buffer.concat(example.upstream_frames_base64.map((text) => Buffer.from(text, 'base64'))),
    ];
  }
  const lines = example.upstream_stream ?? [];
  return ['\n', '\r\n'].map((end) => Buffer.from(lines.map((line) => line + end).join('')));
};

const played = (
  adapter: TranslatingAdapter,
  context: TranslationContext,
  pieces: readonly Buffer[],
): Readonly<{ chunks: JsonObject[]; error: ApiError | null; usage: ReportedUsage | null }> => {
  const stream = adapter.stream(context);
  const chunks: JsonObject[] = [];
  const steps = [...pieces.map((piece) => () => stream.push(piece)), () => stream.end()];
  for (const step of steps) {
    const said = step();
    if (!Array.isArray(said)) {
      const error: ApiError = Object(said);
      return { chunks, error, usage: stream.usage() };
    }
    chunks.push(...said);
  }
  return { chunks, error: null, usage: stream.usage() };
};

const expectedChunks = (example: VectorCase): readonly JsonObject[] =>
  (example.openai_stream ?? [])
    .filter((line) => line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice('data: '.length)));

const expectUsage = (usage: unknown, expected: unknown): void => {
  if (expected === null || expected === undefined) return;
  expect(Object(usage)).toMatchObject(Object(expected));
};

const expectStream = (
  example: VectorCase,
  { chunks, error }: Readonly<{ chunks: JsonObject[]; error: ApiError | null }>,
): void => {
  const said: FoldedStream = withTestIds(foldStream(chunks));
  const due = foldStream(expectedChunks(example));
  expectUsage(said.usage, due.usage);
  if (due.usage === null) expect(said.usage).toBeNull();
  const plain = { usage: null, error: null };
  expect({ ...said, ...plain }).toEqual({ ...due, ...plain });
  const errorDue = due.error ?? example.openai_response?.error ?? null;
  if (errorDue === null) expect(error).toBeNull();
  else expect(error === null ? null : shownError(error)).toEqual(expectedError(errorDue));
  if (example.openai_status !== undefined) expect(error?.status).toBe(example.openai_status);
};

const replayStream = (
  adapter: TranslatingAdapter,
  example: VectorCase,
  { reading, request }: Readonly<{ reading: () => TranslationContext; request: HttpRequest }>,
): void => {
  for (const bytes of upstreamBytes(example)) {
    for (const [, cut] of cuts) {
      const told = played(adapter, reading(), cut(bytes));
      expectStream(example, told);
      const seen = streamedAnswer(told.chunks);
      if (told.error === null) expectBelieved(told.usage, reading(), { request, outputSize: seen });
    }
  }
};

const upstreamReply = (example: VectorCase): HttpReply => {
  // Frames of a websocket come one on a line, streamed or not.
  const frames = example.upstream_stream?.join('\n');
  const response = example.upstream_response ?? frames;
  return {
    status: example.upstream_status ?? 200,
    headers: { 'content-type': 'application/json', ...example.upstream_response_headers },
    body: Buffer.from(typeof response === 'string' ? response : JSON.stringify(response)),
  };
};

const expectReply = (reply: OpenAiReply, due: JsonObject): void => {
  const said: JsonObject = withTestIds(Object(reply.body));
  // Without a report the gateway counts by itself, after the translation.
  if (reply.usage !== null) expectUsage(said.usage, due.usage);
  const { usage: _, ...body } = said;
  const { usage: __, ...bodyDue } = due;
  expect(body).toEqual(bodyDue);
};

const replayReply = async (
  adapter: TranslatingAdapter,
  example: VectorCase,
  { context, request }: Readonly<{ context: TranslationContext; request: HttpRequest }>,
): Promise<void> => {
  const reply = upstreamReply(example);
  const isOk = reply.status >= 200 && reply.status <= 299;
  const answer = isOk ? await adapter.reply(reply, context) : adapter.failure(reply);
  const due = example.openai_response ?? {};
  if ('error' in due) {
    expect(isError(answer) ? shownError(answer) : answer).toEqual(expectedError(due.error));
    expect(answer.status).toBe(example.openai_status);
    return;
  }
  if (isError(answer)) throw new Error(`answered with an error: ${answer.message}`);
  expectReply(answer, due);
  expectBelieved(answer.usage, context, { request, outputSize: wholeAnswer(reply.body.length) });
};

const same = (context: TranslationContext): TranslationContext => context;

/** As answers to long requests are read, whose own words another thread has kept. */
const thin = (context: TranslationContext): TranslationContext =>
  context.call.form === null ? { ...context, call: thinCall(context.call) } : context;

type Replay = Readonly<{
  options: ReplayOptions;
  clock: number;
  /** What of a call its answer is read by; all of it when absent. */
  reads?: (context: TranslationContext) => TranslationContext;
}>;

const replay = async (
  adapter: TranslatingAdapter,
  example: VectorCase,
  { options, clock, reads = same }: Replay,
): Promise<void> => {
  const exchanges = example.extra_exchanges ?? [];
  const known = exchanges.length === 0 ? options.cachedValue : undefined;
  const io = fakeIo({ clock, exchanges, ...(known === undefined ? {} : { cachedValue: known }) });
  const context = contextOf(example, options.key, io);
  expect(adapter.operations).toContain(context.call.operation);
  const request = await adapter.request(context);
  if (isError(request)) throw new Error(`made no request: ${request.message}`);
  const firstPath = example.upstream_request?.path;
  const main = [...io.sent, request].find((sent) => pathOf(sent) === firstPath) ?? request;
  if (example.upstream_request !== null) expectRequest(main, example.upstream_request);
  const isStreamed = example.upstream_stream !== null && context.call.isStream;
  const reading = (): TranslationContext => reads(contextOf(example, options.key, io));
  if (isStreamed) replayStream(adapter, example, { reading, request });
  else await replayReply(adapter, example, { context: reads(context), request });
  expect(io.sent).toHaveLength(exchanges.length);
  exchanges.forEach((exchange, at) => {
    const sent = io.sent[at];
    if (sent !== undefined) expectRequest(sent, exchange.request);
  });
};

/** One test for each recorded call of a family: up as it went up, back as the client saw it. */
export const replayVectors = (
  adapter: TranslatingAdapter,
  { family, clock, cases }: VectorFile,
  options: ReplayOptions = {},
): void => {
  test.each(cases.map((example) => [example.name, example] as const))(
    `${family} is spoken as recorded: %s`,
    (_name, example) => replay(adapter, example, { options, clock }),
  );
  test.each(cases.map((example) => [example.name, example] as const))(
    `${family} is understood without the words of the request: %s`,
    (_name, example) => replay(adapter, example, { options, clock, reads: thin }),
  );
};
