import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { numberAt, objectAt, parseObject } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { embeddingReply } from '../shared/embeddings.ts';
import { unusableReply, upstreamFailure } from '../shared/failure.ts';
import { inputUsage } from '../shared/usage-report.ts';
import type { OpenAiReply, TranslatingAdapter, TranslationContext } from '../translate.ts';
import { firstReply, firstStream } from './first-protocol.ts';
import { cohereRequest, isSecond } from './request.ts';
import { secondReply, secondStream } from './second-protocol.ts';

const billedInput = (answer: JsonObject): ReturnType<typeof inputUsage> =>
  inputUsage(numberAt(objectAt(objectAt(answer, 'meta'), 'billed_units'), 'input_tokens'));

/** Ranking is sold by the search: where no tokens are reported the gateway counts them. */
const ranked = (answer: JsonObject): OpenAiReply | ApiError => {
  if (!Array.isArray(answer.results)) return unusableReply();
  const usage = billedInput(answer);
  return {
    status: 200,
    contentType: 'application/json',
    body: { results: answer.results, ...(usage === null ? {} : { usage: usage.shown }) },
    usage: usage?.reported ?? null,
  };
};

const embedded = (answer: JsonObject, { call }: TranslationContext): OpenAiReply | ApiError => {
  const { float: vectors } = objectAt(answer, 'embeddings');
  if (!Array.isArray(vectors)) return unusableReply();
  const names = { model: call.upstreamModel, asked: call.body };
  return embeddingReply(vectors, billedInput(answer), names);
};

const replyFor = (reply: HttpReply, context: TranslationContext): OpenAiReply | ApiError => {
  const { operation } = context.call;
  const answer = parseObject(reply.body.toString('utf8')) ?? {};
  if (operation === 'rerank') return ranked(answer);
  if (operation === 'embeddings') return embedded(answer, context);
  return isSecond(context) ? secondReply(reply, context) : firstReply(reply, context);
};

export const cohere: TranslatingAdapter = {
  operations: ['chat', 'rerank', 'embeddings'],
  request: (context) => orRefusal(() => cohereRequest(context)),
  reply: async (reply, context) => replyFor(reply, context),
  stream: (context) => (isSecond(context) ? secondStream(context) : firstStream(context)),
  failure: upstreamFailure,
};
