import type { ApiError } from '../../protocol/api-error.ts';
import { parseObject } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { upstreamFailure } from '../shared/failure.ts';
import type { TranslatingAdapter } from '../translate.ts';
import { cozeError } from './failure.ts';
import { cozeReply } from './reply.ts';
import { cozeRequest } from './request.ts';
import { cozeStream } from './stream.ts';

const failure = (reply: HttpReply): ApiError => {
  const error = cozeError(parseObject(reply.body.toString('utf8')) ?? {});
  return error === null ? upstreamFailure(reply) : { ...error, status: reply.status };
};

/** Coze agents (type 49). */
export const coze: TranslatingAdapter = {
  operations: ['chat'],
  request: (context) => orRefusal(() => cozeRequest(context)),
  reply: (reply, context) => orRefusal(() => cozeReply(reply, context)),
  stream: cozeStream,
  failure,
};
