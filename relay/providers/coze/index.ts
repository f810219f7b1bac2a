import type { ApiError } from '../../ingress/api-error.ts';
import { upstreamFailure } from '../shared/failure.ts';
import { parseObject } from '../shared/json.ts';
import { orRefusal } from '../shared/refusal.ts';
import type { HttpReply, TranslatingAdapter } from '../translate.ts';
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
