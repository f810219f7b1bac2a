import { parseObject } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import { byKey } from '../shared/by-key.ts';
import { upstreamFailure } from '../shared/failure.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter } from '../translate.ts';
import { frameError } from './frames.ts';
import { xunfeiReply } from './reply.ts';
import { xunfeiRequest } from './request.ts';
import { xunfeiStream } from './stream.ts';

const overWebsocket: TranslatingAdapter = {
  operations: ['chat'],
  request: (context) => orRefusal(() => xunfeiRequest(context)),
  reply: async (reply, context) => xunfeiReply(reply, context),
  stream: xunfeiStream,
  failure: (reply) =>
    frameError(parseObject(reply.body.toString('utf8')) ?? {}) ?? upstreamFailure(reply),
};

/** Only the reasoning models have a separate path. */
const overHttp = openAiLike({
  operations: ['chat'],
  baseUrl: 'https://spark-api-open.xf-yun.com',
  path: ({ call }) =>
    /^(x1|spark-x)/i.test(call.upstreamModel) ? '/v2/chat/completions' : '/v1/chat/completions',
  streamUsage: 'refused',
});

/** iFlytek Spark (type 18). A key without bars is the password of the HTTP surface. */
export const xunfei = byKey(({ key }) => !key.includes('|'), [overWebsocket, overHttp]);
