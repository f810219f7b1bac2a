import { randomUUID } from 'node:crypto';
import { errorText } from '../protocol/api-error.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import {
  type ChatEvent,
  chatReplyOf as cohereReply,
  embeddingsReplyOf as cohereVectors,
  createChatEvents,
  encodeEvent,
  rankingReplyOf,
} from '../protocol/cohere/translate.ts';
import {
  createLines,
  type LineHead,
  chatReplyOf as ollamaReply,
  embeddingsReplyOf as ollamaVectors,
} from '../protocol/ollama/translate.ts';
import type { AnswerEncoder, EncoderFacts } from './encoder.ts';

/** Events of Cohere's v2 chat. */
export const cohereEncoder = ({ call, requestId }: EncoderFacts): AnswerEncoder => {
  const id = randomUUID();
  const stream = createChatEvents(id);
  const written = (events: readonly ChatEvent[]): string => events.map(encodeEvent).join('');
  return {
    contentType: 'text/event-stream; charset=utf-8',
    chunk: (chunk) => written(stream.push(chunk)),
    end: () => written(stream.end()),
    fail: ({ message }) => written(stream.fail(`${message} (request id: ${requestId})`)),
    whole: (reply) => {
      if (call.operation === 'rerank') return rankingReplyOf(reply, id);
      return call.operation === 'embeddings' ? cohereVectors(reply, id) : cohereReply(reply, id);
    },
  };
};

/** Lines of JSON, as Ollama answers. */
export const ollamaEncoder = ({ call, requestId, startedAtMs }: EncoderFacts): AnswerEncoder => {
  const isPrompt = call.path.startsWith('/api/generate');
  const head: LineHead = { model: call.model, created_at: new Date(startedAtMs).toISOString() };
  const stream = createLines(head, isPrompt);
  const written = (lines: readonly JsonObject[]): string =>
    lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return {
    contentType: 'application/x-ndjson',
    chunk: (chunk) => written(stream.push(chunk)),
    end: () => written(stream.end()),
    fail: (error) => `${errorText(error, requestId, 'ollama')}\n`,
    whole: (reply) =>
      call.operation === 'embeddings'
        ? ollamaVectors(reply, head)
        : ollamaReply(reply, head, isPrompt),
  };
};
