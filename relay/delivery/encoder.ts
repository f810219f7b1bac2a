import { randomUUID } from 'node:crypto';
import type { Admitted } from '../admission/admitted.ts';
import {
  createMessageStream,
  encodeEvent,
  type MessageEvent,
  messageOf,
} from '../protocol/anthropic/translate.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { errorText } from '../protocol/api-error.ts';
import type { TextCall } from '../protocol/calls.ts';
import type { JsonObject, OpenAiCall, ResponseTerms } from '../protocol/canonical.ts';
import {
  contentReplyOf,
  createContentStream,
  embeddingsReplyOf,
} from '../protocol/gemini/translate.ts';
import { isObject, objectAt } from '../protocol/json.ts';
import {
  createResponseStream,
  encodeEvent as encodeResponseEvent,
  type ResponseEvent,
  type ResponseNames,
  responseOf,
} from '../protocol/responses/translate.ts';
import { withAgreedUsage } from '../providers/shared/openai-usage.ts';
import type { Settled } from '../settlement/charge.ts';
import { listedSources, withListedSources } from './listed-sources.ts';
import { cohereEncoder, ollamaEncoder } from './native-encoders.ts';
import { dataEvent, shownUsage, usageChunk } from './stream-events.ts';

/** What writing the answer needs of a request. */
export type EncoderFacts = Pick<Admitted, 'requestId' | 'startedAtMs' | 'path' | 'wantsUsage'> &
  Readonly<{
    call: TextCall;
    /** Set where the caller uses the Responses API. */
    response?: ResponseTerms;
    /** Keeps a finished response for its caller. */
    keep?: (response: JsonObject) => void;
  }>;

/** The same of a call whose body was read. */
export const factsOf = (admitted: EncoderFacts, { response }: Read): EncoderFacts =>
  response === undefined
    ? admitted
    : {
        requestId: admitted.requestId,
        startedAtMs: admitted.startedAtMs,
        path: admitted.path,
        wantsUsage: admitted.wantsUsage,
        call: admitted.call,
        response,
      };
type Read = Pick<OpenAiCall, 'response'>;

/** Writes an answer in OpenAI's shape in the caller's protocol. */
export type AnswerEncoder = Readonly<{
  /** Of a stream. */
  contentType: string;
  chunk: (chunk: JsonObject) => string;
  /** The end of an answer; null when nothing was charged. */
  end: (settled: Settled | null) => string;
  /** An error in the middle of a stream, which ends it. */
  fail: (error: ApiError) => string;
  whole: (reply: JsonObject) => JsonObject;
}>;

const isUsageAlone = ({ choices, usage }: JsonObject): boolean =>
  Array.isArray(choices) && choices.length === 0 && isObject(usage);

const openAiEncoder = (admitted: EncoderFacts): AnswerEncoder => {
  const { wantsUsage, requestId } = admitted;
  let hasUsage = false;
  return {
    contentType: 'text/event-stream',
    chunk: (chunk) => {
      if (isUsageAlone(chunk)) {
        if (!wantsUsage) return '';
        hasUsage = true;
      }
      return dataEvent(chunk);
    },
    end: (settled) => {
      const isOwed = wantsUsage && !hasUsage && settled !== null;
      return `${isOwed ? dataEvent(usageChunk(admitted, settled.usage)) : ''}data: [DONE]\n\n`;
    },
    fail: (error) => `data: ${errorText(error, requestId, 'openai')}\n\ndata: [DONE]\n\n`,
    whole: (reply) => reply,
  };
};

const messagesEncoder = ({ call, requestId }: EncoderFacts): AnswerEncoder => {
  const names = { id: `msg_${randomUUID().replaceAll('-', '')}`, model: call.model };
  const stream = createMessageStream({ ...names, inputTokens: 0 });
  const written = (events: readonly MessageEvent[]): string => events.map(encodeEvent).join('');
  return {
    contentType: 'text/event-stream; charset=utf-8',
    chunk: (chunk) => written(stream.push(chunk)),
    end: () => written(stream.end()),
    fail: (error) => {
      const event: JsonObject = JSON.parse(errorText(error, requestId, 'claude'));
      return encodeEvent({ ...event, type: 'error' });
    },
    whole: (reply) => messageOf(reply, names),
  };
};

/** Answers of a stream follow each other as events, or as members of one list. */
const contentEncoder = ({ call, path, requestId }: EncoderFacts): AnswerEncoder => {
  const stream = createContentStream(call.model);
  const isSse = call.path.includes('alt=sse');
  let writtenCount = 0;
  const written = (answer: object): string => {
    if (isSse) return dataEvent(answer).replaceAll('\n', '\r\n');
    writtenCount += 1;
    return `${writtenCount === 1 ? '[' : ',\r\n'}${JSON.stringify(answer)}`;
  };
  const all = (answers: readonly JsonObject[]): string => answers.map(written).join('');
  return {
    contentType: isSse ? 'text/event-stream' : 'application/json; charset=UTF-8',
    chunk: (chunk) => all(stream.push(chunk)),
    end: () => all(stream.end()) + (isSse ? '' : ']'),
    fail: (error) => {
      const failure: JsonObject = JSON.parse(errorText(error, requestId, 'gemini'));
      return written(failure) + (isSse ? '' : ']');
    },
    whole: (reply) =>
      call.operation === 'embeddings'
        ? embeddingsReplyOf(reply, path.endsWith(':batchEmbedContents'))
        : contentReplyOf(reply, call.model),
  };
};

const noTerms: ResponseTerms = { echo: {}, tools: [] };
const newId = (): string => randomUUID().replaceAll('-', '');

const namesOf = ({ call, startedAtMs }: EncoderFacts): ResponseNames => {
  const number = `tg${newId()}`;
  let items = 0;
  return {
    id: `resp_${number}`,
    model: call.model,
    createdAt: Math.floor(startedAtMs / 1_000),
    newId: () => {
      items += 1;
      return `${number}_${items}`;
    },
  };
};

const responseEncoder = (facts: EncoderFacts): AnswerEncoder => {
  const { requestId, response: terms = noTerms, keep } = facts;
  const names = namesOf(facts);
  const stream = createResponseStream(names, terms);
  const written = (events: readonly ResponseEvent[]): string =>
    events.map(encodeResponseEvent).join('');
  return {
    contentType: 'text/event-stream; charset=utf-8',
    chunk: (chunk) => written(stream.push(chunk)),
    end: () => {
      const events = stream.end();
      keep?.(objectAt(events.at(-1) ?? {}, 'response'));
      return written(events);
    },
    fail: ({ status, message }) =>
      written(stream.fail({ status, message: `${message} (request id: ${requestId})` })),
    whole: (reply) => {
      const response = responseOf(reply, names, terms);
      keep?.(response);
      return response;
    },
  };
};

const ownEncoder = (admitted: EncoderFacts): AnswerEncoder => {
  if (admitted.call.operation === 'responses') return responseEncoder(admitted);
  switch (admitted.call.protocol) {
    case 'claude':
      return messagesEncoder(admitted);
    case 'cohere':
      return cohereEncoder(admitted);
    case 'ollama':
      return ollamaEncoder(admitted);
    default:
      return contentEncoder(admitted);
  }
};

const withOpenAiUsage = (answer: JsonObject): JsonObject =>
  isObject(answer.usage) ? { ...answer, usage: withAgreedUsage(answer.usage) } : answer;

export const encoderFor = (admitted: EncoderFacts): AnswerEncoder => {
  const { operation, protocol } = admitted.call;
  if (protocol === 'openai' && operation !== 'responses') return openAiEncoder(admitted);
  const own = ownEncoder(admitted);
  const annotated = listedSources();
  let hasUsage = false;
  return {
    ...own,
    chunk: (chunk) => {
      if (isObject(chunk.usage)) hasUsage = true;
      return own.chunk(annotated(withOpenAiUsage(chunk)));
    },
    end: (settled) => {
      const isCounted = !hasUsage && settled !== null;
      const counted = isCounted ? own.chunk({ choices: [], usage: shownUsage(settled.usage) }) : '';
      return counted + own.end(settled);
    },
    whole: (reply) => own.whole(withListedSources(withOpenAiUsage(reply))),
  };
};

/** A whole answer with the counted usage where the provider reported none. */
export const withUsage = (reply: JsonObject, { usage }: Pick<Settled, 'usage'>): JsonObject =>
  isObject(reply.usage) || !Array.isArray(reply.choices)
    ? reply
    : { ...reply, usage: shownUsage(usage) };
