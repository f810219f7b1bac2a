import { parseObject } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import { upstreamFailure } from '../shared/failure.ts';
import type { TranslatingAdapter } from '../translate.ts';
import { zhipuError } from './failure.ts';
import { zhipuReply } from './reply.ts';
import { zhipuRequest } from './request.ts';
import { zhipuStream } from './stream.ts';

/** The third version of Zhipu's API, which the provider keeps for old channels. */
export const zhipu: TranslatingAdapter = {
  operations: ['chat'],
  request: (context) => orRefusal(() => zhipuRequest(context)),
  reply: async (reply, context) => zhipuReply(reply, context),
  stream: zhipuStream,
  failure: (reply) =>
    zhipuError(parseObject(reply.body.toString('utf8')) ?? {}) ?? upstreamFailure(reply),
};
