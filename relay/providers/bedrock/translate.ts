import type { ApiError } from '../../protocol/api-error.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { claudeReply } from '../shared/claude/reply.ts';
import { upstreamFailure } from '../shared/failure.ts';
import type { TranslatingAdapter } from '../translate.ts';
import { converseReply } from './converse-reply.ts';
import { isClaude, modelId } from './models.ts';
import { bedrockRequest } from './request.ts';
import { bedrockStream } from './stream.ts';

/** The name of the error stands in a header, before a colon and an address. */
const failure = (reply: HttpReply): ApiError => {
  const error = upstreamFailure(reply);
  const name = reply.headers['x-amzn-errortype']?.split(':')[0];
  return name === undefined || name === '' ? error : { ...error, code: name };
};

/** Claude by its own protocol, every other model by the one that the host offers for all. */
export const bedrock: TranslatingAdapter = {
  operations: ['chat'],
  request: (context) => orRefusal(() => bedrockRequest(context)),
  reply: async (reply, context) =>
    isClaude(modelId(context.call.upstreamModel, ''))
      ? claudeReply(reply, context)
      : converseReply(reply, context),
  stream: bedrockStream,
  failure,
};
