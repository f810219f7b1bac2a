import { randomUUID } from 'node:crypto';
import type { Usage } from '../../domain/pricing/types.ts';
import {
  createMessageStream,
  encodeEvent,
  type MessageEvent,
  messageOf,
} from '../ingress/anthropic-messages/translate.ts';
import type { ApiError } from '../ingress/api-error.ts';
import { errorText } from '../ingress/api-error.ts';
import {
  contentReplyOf,
  createContentStream,
  embeddingsReplyOf,
} from '../ingress/gemini/translate.ts';
import { isObject } from '../providers/shared/json.ts';
import type { JsonObject } from '../providers/translate.ts';
import type { TextCall } from '../providers/types.ts';
import type { Admitted } from './admitted.ts';
import type { Settled } from './booking.ts';
import { type CutReason, cutOffParts } from './stream-events.ts';

/** What must be known of a request to write its answer. */
export type VoiceFacts = Pick<Admitted, 'requestId' | 'startedAtMs' | 'path' | 'wantsUsage'> &
  Readonly<{ call: TextCall }>;

/** How an answer in OpenAI's shape is told in the caller's protocol. */
export type Voice = Readonly<{
  /** Of a stream. */
  contentType: string;
  chunk: (chunk: JsonObject) => string;
  /** The end of an answer; null when nothing was charged. */
  end: (settled: Settled | null) => string;
  /** An error in the middle of a stream, which ends it. */
  fail: (error: ApiError) => string;
  whole: (reply: JsonObject) => JsonObject;
}>;

const shownUsage = (usage: Usage): JsonObject => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.promptTokens + usage.completionTokens,
});

const dataEvent = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

const chunkHead = ({ requestId, call, startedAtMs }: VoiceFacts): JsonObject => ({
  id: `chatcmpl-${requestId}`,
  object: call.operation === 'completions' ? 'text_completion' : 'chat.completion.chunk',
  created: Math.floor(startedAtMs / 1_000),
  model: call.model,
});

/** The end of an answer that may not go on, in OpenAI's shape. */
export const cutOffChunk = (admitted: Admitted, reason: CutReason): JsonObject => ({
  ...chunkHead(admitted),
  ...cutOffParts(admitted, reason),
});

const isUsageAlone = ({ choices, usage }: JsonObject): boolean =>
  Array.isArray(choices) && choices.length === 0 && isObject(usage);

const openAiVoice = (admitted: VoiceFacts): Voice => {
  const { wantsUsage, requestId } = admitted;
  let toldUsage = false;
  return {
    contentType: 'text/event-stream',
    chunk: (chunk) => {
      if (isUsageAlone(chunk)) {
        if (!wantsUsage) return '';
        toldUsage = true;
      }
      return dataEvent(chunk);
    },
    end: (settled) => {
      const usage =
        wantsUsage && !toldUsage && settled !== null
          ? dataEvent({
              ...chunkHead(admitted),
              choices: [],
              usage: shownUsage(settled.usage),
            })
          : '';
      return `${usage}data: [DONE]\n\n`;
    },
    fail: (error) => `data: ${errorText(error, requestId, 'openai')}\n\ndata: [DONE]\n\n`,
    whole: (reply) => reply,
  };
};

const messagesVoice = ({ call, requestId }: VoiceFacts): Voice => {
  const names = { id: `msg_${randomUUID().replaceAll('-', '')}`, model: call.model };
  const stream = createMessageStream({ ...names, inputTokens: 0 });
  const written = (events: readonly MessageEvent[]): string => events.map(encodeEvent).join('');
  let toldUsage = false;
  return {
    contentType: 'text/event-stream; charset=utf-8',
    chunk: (chunk) => {
      if (isObject(chunk.usage)) toldUsage = true;
      return written(stream.push(chunk));
    },
    end: (settled) => {
      if (!toldUsage && settled !== null) {
        stream.push({ choices: [], usage: shownUsage(settled.usage) });
      }
      return written(stream.end());
    },
    fail: (error) => {
      const event: JsonObject = JSON.parse(errorText(error, requestId, 'claude'));
      return encodeEvent({ ...event, type: 'error' });
    },
    whole: (reply) => messageOf(reply, names),
  };
};

/** Answers of a stream stand one after the other as events, or as members of one list. */
const contentVoice = ({ call, path, requestId }: VoiceFacts): Voice => {
  const stream = createContentStream(call.model);
  const isSse = call.path.includes('alt=sse');
  let told = 0;
  let toldUsage = false;
  const written = (answer: object): string => {
    if (isSse) return dataEvent(answer).replaceAll('\n', '\r\n');
    told += 1;
    return `${told === 1 ? '[' : ',\r\n'}${JSON.stringify(answer)}`;
  };
  const all = (answers: readonly JsonObject[]): string => answers.map(written).join('');
  return {
    contentType: isSse ? 'text/event-stream' : 'application/json; charset=UTF-8',
    chunk: (chunk) => {
      if (isObject(chunk.usage)) toldUsage = true;
      return all(stream.push(chunk));
    },
    end: (settled) => {
      if (!toldUsage && settled !== null) {
        stream.push({ choices: [], usage: shownUsage(settled.usage) });
      }
      return all(stream.end()) + (isSse ? '' : ']');
    },
    fail: (error) => {
      const said: JsonObject = JSON.parse(errorText(error, requestId, 'gemini'));
      return written(said) + (isSse ? '' : ']');
    },
    whole: (reply) =>
      call.operation === 'embeddings'
        ? embeddingsReplyOf(reply, path.endsWith(':batchEmbedContents'))
        : contentReplyOf(reply, call.model),
  };
};

export const voiceFor = (admitted: VoiceFacts): Voice => {
  switch (admitted.call.protocol) {
    case 'openai':
      return openAiVoice(admitted);
    case 'claude':
      return messagesVoice(admitted);
    case 'gemini':
      return contentVoice(admitted);
  }
};

/** A whole answer with the usage that was counted where the provider told none. */
export const withUsage = (reply: JsonObject, { usage }: Pick<Settled, 'usage'>): JsonObject =>
  isObject(reply.usage) || !Array.isArray(reply.choices)
    ? reply
    : { ...reply, usage: shownUsage(usage) };
