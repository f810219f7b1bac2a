import type { ApiError } from '../../relay/protocol/api-error.ts';
import type { JsonObject } from '../../relay/protocol/canonical.ts';
import type {
  OpenAiReply,
  TranslatingAdapter,
  TranslationContext,
} from '../../relay/providers/translate.ts';
import type { HttpRequest } from '../../relay/upstream/types.ts';
import {
  aCall,
  aTranslatingChannel,
  type FakeIo,
  fakeIo,
  familySettings,
} from './vectors/context.ts';
import { type FoldedStream, foldStream } from './vectors/fold.ts';
import type { ChannelExample, Exchange } from './vectors/types.ts';

export type PlayedCall = Readonly<{
  body: JsonObject;
  endpoint?: string;
  channel: Partial<ChannelExample> & Readonly<{ type: number }>;
  /** What helper calls are answered, in order. */
  answers?: readonly unknown[];
  cachedValue?: string;
}>;

export type PlayedContext = TranslationContext & Readonly<{ io: FakeIo }>;

export const aContext = ({
  body,
  endpoint,
  channel,
  answers = [],
  cachedValue,
}: PlayedCall): PlayedContext => {
  const exchanges: readonly Exchange[] = answers.map((response) => ({ request: {}, response }));
  return {
    call: aCall(body, endpoint),
    channel: aTranslatingChannel({ key: 'sk-test', ...channel }),
    settings: familySettings,
    io: fakeIo({ exchanges, ...(cachedValue === undefined ? {} : { cachedValue }) }),
  };
};

export const aChat = (members: JsonObject = {}): JsonObject => ({
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  ...members,
});

const isRequest = (made: HttpRequest | ApiError): made is HttpRequest => 'url' in made;

/** @throws when the adapter refuses */
export const requestOf = async (
  adapter: TranslatingAdapter,
  context: TranslationContext,
): Promise<HttpRequest> => {
  const made = await adapter.request(context);
  if (!isRequest(made)) throw new Error(`refused: ${made.message}`);
  return made;
};

/** The JSON that goes up. */
export const sentJson = async (
  adapter: TranslatingAdapter,
  context: TranslationContext,
): Promise<JsonObject> => {
  const sent: JsonObject = JSON.parse(String((await requestOf(adapter, context)).body));
  return sent;
};

export const answered = (
  adapter: TranslatingAdapter,
  context: TranslationContext,
  body: unknown,
): Promise<OpenAiReply | ApiError> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return adapter.reply({ status: 200, headers, body: Buffer.from(text) }, context);
};

export type PlayedStream = Readonly<{
  folded: FoldedStream;
  chunks: readonly JsonObject[];
  error: ApiError | null;
  usage: unknown;
}>;

const isList = (said: readonly JsonObject[] | ApiError): said is readonly JsonObject[] =>
  Array.isArray(said);

/** A whole stream in one read; objects become data lines. */
export const streamed = (
  adapter: TranslatingAdapter,
  context: TranslationContext,
  lines: readonly unknown[],
): PlayedStream => {
  const stream = adapter.stream(context);
  const text = lines.map((line) =>
    typeof line === 'string' ? `${line}\n` : `data: ${JSON.stringify(line)}\n\n`,
  );
  const chunks: JsonObject[] = [];
  let error: ApiError | null = null;
  for (const said of [stream.push(Buffer.from(text.join(''))), stream.end()]) {
    if (isList(said)) chunks.push(...said);
    else error = said;
  }
  return { folded: foldStream(chunks), chunks, error, usage: stream.usage() };
};
