import type { JsonObject } from '../../../relay/protocol/canonical.ts';
import type { Caller, Shape, Sight } from './tables.ts';

export type ReplyFeature = Readonly<{
  name: string;
  /** The whole answer of a provider, or why it never contains this. */
  says: Readonly<Record<Shape, JsonObject | string>>;
  /** How a caller receives it, or why he cannot. */
  hears: Readonly<Record<Caller, Sight | string>>;
  /** What one pair alone cannot do: `caller>shape`, or with ` streamed` behind it. */
  pairs?: Readonly<Record<string, string>>;
}>;

export const openAi = (message: object, more: object = {}, top: object = {}): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'm-1',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hi', ...message },
      finish_reason: 'stop',
      ...more,
    },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  ...top,
});
export const text = { type: 'text', text: 'Hi' };
export const claude = (content: readonly object[], more: object = {}): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm-1',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
  ...more,
});
export const gemini = (
  parts: readonly object[],
  more: object = {},
  top: object = {},
): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0, ...more }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  modelVersion: 'm-1',
  responseId: 'resp-1',
  ...top,
});
export const textPart = { text: 'Hi' };

export const picture = 'aGVsbG8=';
export const call = (id: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: `{"a":"${id}"}` },
  ...more,
});
export const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: { a: id } });
export const asked = (id: string) => ({ functionCall: { id, name: 'f', args: { a: id } } });
export const string = (value: unknown): string => JSON.stringify(value ?? '');

export const finish = 'choices.0.finish_reason';
export const reason = 'candidates.0.finishReason';
export const theirs = 'a proof is worth nothing to anybody but the provider that gave it';
export const noPlace = 'the protocol of the caller has no place for it';
export const onlyText = 'the Messages API answers with text alone';
