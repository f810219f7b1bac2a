import type { ApiError } from '../../protocol/api-error.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { claudeReply } from '../shared/claude/reply.ts';
import { upstreamFailure } from '../shared/failure.ts';
import type { OpenAiReply, TranslatingAdapter, TranslationContext } from '../translate.ts';
import { converseReply } from './converse-reply.ts';
import { isClaude, modelId } from './models.ts';
import { otherReply } from './other-operations.ts';
import { bedrockRequest } from './request.ts';
import { bedrockStream } from './stream.ts';

/** A header contains the name of the error, before a colon and an address. */
const failure = (reply: HttpReply): ApiError => {
  const error = upstreamFailure(reply);
  const name = reply.headers['x-amzn-errortype']?.split(':')[0];
  return name === undefined || name === '' ? error : { ...error, code: name };
};

const chatReply = (reply: HttpReply, context: TranslationContext): OpenAiReply | ApiError =>
  isClaude(modelId(context.call.upstreamModel, ''))
    ? claudeReply(reply, context)
    : converseReply(reply, context);

/** Claude by its own protocol, every other model by the one that the host offers for all. */
export const bedrock: TranslatingAdapter = {
  operations: ['chat', 'embeddings', 'rerank', 'images'],
  request: (context) => orRefusal(() => bedrockRequest(context)),
  reply: async (reply, context) =>
    context.call.operation === 'chat' ? chatReply(reply, context) : otherReply(reply, context),
  stream: bedrockStream,
  failure,
};
