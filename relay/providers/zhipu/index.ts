import { upstreamFailure } from '../shared/failure.ts';
import { parseObject } from '../shared/json.ts';
import { openAiLike } from '../shared/openai-like.ts';
import { orRefusal } from '../shared/refusal.ts';
import type { TranslatingAdapter } from '../translate.ts';
import { legacyError } from './failure.ts';
import { legacyReply } from './legacy-reply.ts';
import { legacyRequest, zhipuBase } from './legacy-request.ts';
import { legacyStream } from './legacy-stream.ts';
import { zhipuBody, zhipuPath } from './request.ts';
import { authorization } from './token.ts';

/** Zhipu's third interface (type 16), which the provider keeps for old channels. */
export const zhipuLegacy: TranslatingAdapter = {
  operations: ['chat'],
  request: (context) => orRefusal(() => legacyRequest(context)),
  reply: async (reply, context) => legacyReply(reply, context),
  stream: legacyStream,
  failure: (reply) =>
    legacyError(parseObject(reply.body.toString('utf8')) ?? {}) ?? upstreamFailure(reply),
};

/** Zhipu's fourth interface (type 26). Usage comes unasked. */
export const zhipu: TranslatingAdapter = openAiLike({
  operations: ['chat', 'embeddings', 'images', 'rerank', 'speech', 'transcription'],
  baseUrl: zhipuBase,
  path: zhipuPath,
  headers: (context) => ({ authorization: authorization(context) }),
  body: zhipuBody,
  streamUsage: 'refused',
  finishes: {
    sensitive: 'content_filter',
    model_context_window_exceeded: 'length',
    network_error: 'error',
  },
});
