import type { ApiError } from '../../protocol/api-error.ts';
import { isApiError } from '../../protocol/api-error.ts';
import { parseObject } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { upstreamFailure } from '../shared/failure.ts';
import type { OpenAiReply, TranslatingAdapter, TranslationContext } from '../translate.ts';
import { baiduError, isStaleToken } from './failure.ts';
import { baiduReply } from './reply.ts';
import { baiduRequest } from './request.ts';
import { baiduStream } from './stream.ts';
import { tokenCacheKey } from './token.ts';

/** A token may die before its time: it is thrown away and the call made once more. */
const replyWithFreshToken = async (
  reply: HttpReply,
  context: TranslationContext,
): Promise<OpenAiReply | ApiError> => {
  const answer = baiduReply(reply, context);
  if (!isApiError(answer) || !isStaleToken(answer)) return answer;
  context.io.forget?.(tokenCacheKey(context));
  const request = await orRefusal(() => baiduRequest(context));
  if (isApiError(request)) return request;
  return baiduReply(await context.io.fetch(request), context);
};

/** Baidu Wenxin, the first generation (type 15). */
export const baidu: TranslatingAdapter = {
  operations: ['chat', 'embeddings'],
  request: (context) => orRefusal(() => baiduRequest(context)),
  reply: replyWithFreshToken,
  stream: baiduStream,
  failure: (reply) =>
    baiduError(parseObject(reply.body.toString('utf8')) ?? {}) ?? upstreamFailure(reply),
};
