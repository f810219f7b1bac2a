import { orRefusal } from '../../protocol/refusal.ts';
import { upstreamFailure } from '../shared/failure.ts';
import type { TranslatingAdapter } from '../translate.ts';
import { difyReply } from './reply.ts';
import { difyRequest } from './request.ts';
import { difyStream } from './stream.ts';

/** Dify chat apps (type 37). */
export const dify: TranslatingAdapter = {
  operations: ['chat'],
  request: (context) => orRefusal(() => difyRequest(context)),
  reply: async (reply, context) => difyReply(reply, context),
  stream: difyStream,
  failure: upstreamFailure,
};
