import { parseObject } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import { byKey } from '../shared/by-key.ts';
import { upstreamFailure } from '../shared/failure.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter } from '../translate.ts';
import { tencentError } from './failure.ts';
import { tencentReply } from './reply.ts';
import { tencentRequest } from './request.ts';
import { tencentStream } from './stream.ts';

const signed: TranslatingAdapter = {
  operations: ['chat', 'embeddings'],
  request: (context) => orRefusal(() => tencentRequest(context)),
  reply: async (reply, context) => tencentReply(reply, context),
  stream: tencentStream,
  failure: (reply) =>
    tencentError(parseObject(reply.body.toString('utf8')) ?? {}) ?? upstreamFailure(reply),
};

const compatible = openAiLike({
  operations: ['chat', 'embeddings'],
  baseUrl: 'https://api.hunyuan.cloud.tencent.com',
  streamUsage: 'ask',
  finishes: { sensitive: 'content_filter' },
});

/** Tencent Hunyuan (type 23). A key without bars selects the endpoint for OpenAI's protocol. */
export const tencent = byKey(({ key }) => !key.includes('|'), [signed, compatible]);
