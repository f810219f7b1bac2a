import { z } from 'zod';

/**
 * Instructions of a test to the stub in the body field `stub`. Relays forward unknown fields
 * unchanged, so that they arrive here through any client library.
 */
const stubWishes = z.object({
  /** Answer with this HTTP status and an OpenAI-shaped error. */
  status: z.number().int().optional(),
  errorCode: z.string().optional(),
  message: z.string().optional(),
  /** Milliseconds before the first byte. */
  delayMs: z.number().optional(),
  /** Milliseconds between two chunks of a stream. */
  chunkDelayMs: z.number().optional(),
  /** Content chunks of a stream. */
  chunks: z.number().int().optional(),
  /** Replaces the reported usage; null reports none. */
  usage: z.record(z.string(), z.unknown()).nullable().optional(),
  /** Cuts the connection after so many chunks. */
  resetAfter: z.number().int().optional(),
  /** The text of the answer. */
  text: z.string().optional(),
});

export const chatBody = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })).optional(),
  prompt: z.unknown().optional(),
  input: z.unknown().optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  stub: stubWishes.optional(),
});
export type StubBody = z.infer<typeof chatBody>;

/** Words replace tokens: same text, same count, easy to check. */
const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;

const asText = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content ?? '');

export const promptWords = (body: StubBody): number =>
  (body.messages ?? []).reduce((sum, { content }) => sum + countWords(asText(content)), 0) ||
  countWords(asText(body.prompt ?? body.input));

const defaultText = (body: StubBody): string => {
  const last = body.messages?.at(-1)?.content;
  return `You said: ${asText(last ?? body.prompt ?? body.input ?? '').slice(0, 200)}`;
};

export type StubAnswer = Readonly<{ text: string; usage: Record<string, unknown> | null }>;

export const answerFor = (body: StubBody): StubAnswer => {
  const text = body.stub?.text ?? defaultText(body);
  const prompt = promptWords(body);
  const completion = countWords(text);
  const counted = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
  return { text, usage: body.stub?.usage === undefined ? counted : body.stub.usage };
};

/** The text in `count` pieces that join to the whole again. */
export const piecesOf = (text: string, count: number): string[] => {
  const size = Math.max(1, Math.ceil(text.length / count));
  return Array.from({ length: count }, (_, i) => text.slice(i * size, (i + 1) * size));
};
