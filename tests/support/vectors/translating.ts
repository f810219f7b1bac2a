import type { ApiError } from '../../../relay/protocol/api-error.ts';
import type { JsonObject } from '../../../relay/protocol/canonical.ts';
import type {
  OpenAiReply,
  TranslatingAdapter,
  TranslationContext,
} from '../../../relay/providers/translate.ts';
import type { HttpRequest } from '../../../relay/upstream/types.ts';
import { aCall, aTranslatingChannel, type FakeIo, fakeIo, familySettings } from './context.ts';
import { type FoldedStream, foldStream } from './fold.ts';
import type { ChannelExample } from './types.ts';

type Situation = Readonly<{
  body: JsonObject;
  channel?: Partial<ChannelExample>;
  endpoint?: string;
  io?: FakeIo;
}>;

/** One adapter under test, spoken to in OpenAI's shapes. */
export type Translating = Readonly<{
  context: (situation: Situation) => TranslationContext;
  /** The body that goes up, or the error instead of it. */
  up: (situation: Situation) => Promise<JsonObject>;
  request: (situation: Situation) => Promise<HttpRequest | ApiError>;
  down: (answer: JsonObject, situation: Situation) => Promise<OpenAiReply | ApiError>;
  /** What a client understands of a stream, the error that ended it, and the reported usage. */
  streamed: (
    text: string,
    situation: Situation,
  ) => Readonly<{ produced: FoldedStream; error: ApiError | null; usage: unknown }>;
}>;

const bodyOf = (request: HttpRequest | ApiError): JsonObject => {
  if (!('url' in request)) throw new Error(request.message);
  const body: JsonObject = JSON.parse(String(request.body));
  return body;
};

export const translating = (adapter: TranslatingAdapter, type: number): Translating => {
  const context = ({ body, channel, endpoint, io }: Situation): TranslationContext => ({
    call: aCall({ model: 'some-model', ...body }, endpoint),
    channel: aTranslatingChannel({ type, ...channel }),
    settings: familySettings,
    io: io ?? fakeIo(),
  });
  return {
    context,
    request: (situation) => adapter.request(context(situation)),
    up: async (situation) => bodyOf(await adapter.request(context(situation))),
    down: (answer, situation) =>
      adapter.reply(
        { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) },
        context(situation),
      ),
    streamed: (text, situation) => {
      const stream = adapter.stream(context(situation));
      const chunks: JsonObject[] = [];
      for (const step of [() => stream.push(Buffer.from(text)), () => stream.end()]) {
        const produced = step();
        if ('message' in produced) {
          return { produced: foldStream(chunks), error: produced, usage: stream.usage() };
        }
        chunks.push(...produced);
      }
      return { produced: foldStream(chunks), error: null, usage: stream.usage() };
    },
  };
};

export const sseText = (events: readonly JsonObject[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
