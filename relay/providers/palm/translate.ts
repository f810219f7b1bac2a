import { palm as facts } from '../../../domain/channel/providers/palm.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, objectsAt, parseObject, textAt } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpReply, HttpRequest } from '../../upstream/types.ts';
import { unusableReply, upstreamFailure } from '../shared/failure.ts';
import { messagesOf } from '../shared/messages.ts';
import {
  assistantMessage,
  chatReply,
  choiceOf,
  contentText,
  deltaChunk,
  finishChunk,
  newHead,
  roleChunk,
} from '../shared/openai-chunks.ts';
import { baseOf, jsonRequest } from '../shared/outgoing.ts';
import type {
  OpenAiReply,
  StreamTranslation,
  TranslatingAdapter,
  TranslationContext,
} from '../translate.ts';

const authored = ({ role, content }: JsonObject): JsonObject => ({
  author: role === 'user' ? '0' : '1',
  content: contentText(content, '\n'),
});

const request = (context: TranslationContext): HttpRequest => {
  const { call, channel } = context;
  const { body } = call;
  const base = baseOf(channel, facts.baseUrl);
  return jsonRequest(context, {
    url: `${base}/v1beta2/models/chat-bison-001:generateMessage`,
    headers: { 'x-goog-api-key': channel.key },
    body: defined({
      prompt: { messages: messagesOf(body).map(authored) },
      temperature: body.temperature ?? undefined,
      candidateCount: body.n ?? undefined,
      topP: body.top_p ?? undefined,
      topK: body.top_k ?? undefined,
    }),
  });
};

const textsIn = (body: Buffer): readonly string[] | ApiError => {
  const answer = parseObject(body.toString('utf8')) ?? {};
  const texts = objectsAt(answer, 'candidates').map((candidate) => textAt(candidate, 'content'));
  return texts.length === 0 ? unusableReply('no candidates returned') : texts;
};

const isTexts = (produced: readonly string[] | ApiError): produced is readonly string[] =>
  Array.isArray(produced);

const replyFor = (reply: HttpReply, { call, io }: TranslationContext): OpenAiReply | ApiError => {
  const texts = textsIn(reply.body);
  if (!isTexts(texts)) return texts;
  const choices = texts.map((content, at) => choiceOf(assistantMessage({ content }), 'stop', at));
  const body = chatReply(newHead(io, call.upstreamModel), choices, null);
  return { status: 200, contentType: 'application/json', body, usage: null };
};

/** An answer in one piece, written as a stream; bounded like any other line. */
const streamOf = ({ call, io }: TranslationContext): StreamTranslation => {
  const pieces: Buffer[] = [];
  let size = 0;
  return {
    push: (bytes) => {
      size += bytes.length;
      if (size > 8 * 1024 * 1024) return unusableReply('The provider sent an endless answer');
      pieces.push(bytes);
      return [];
    },
    end: () => {
      const texts = textsIn(Buffer.concat(pieces));
      if (!isTexts(texts)) return texts;
      const head = newHead(io, call.upstreamModel);
      return texts.flatMap((content, choice) => [
        roleChunk(head, choice),
        deltaChunk(head, { content }, { choice }),
        finishChunk(head, 'stop', choice),
      ]);
    },
    usage: () => null,
  };
};

/** Gone from Google in 2024; channels that are stored keep their meaning. Reports no usage. */
export const palm: TranslatingAdapter = {
  operations: ['chat'],
  request: (context) => orRefusal(() => request(context)),
  reply: async (reply, context) => replyFor(reply, context),
  stream: streamOf,
  failure: upstreamFailure,
};
