import { orRefusal } from '../../protocol/refusal.ts';
import { upstreamFailure } from '../shared/failure.ts';
import type { TranslatingAdapter } from '../translate.ts';
import { libraryReply } from './reply.ts';
import { libraryRequest } from './request.ts';
import { libraryStream } from './stream.ts';

/** AI Proxy's knowledge bases (type 21). */
export const aiProxyLibrary: TranslatingAdapter = {
  operations: ['chat'],
  request: (context) => orRefusal(() => libraryRequest(context)),
  reply: async (reply, context) => libraryReply(reply, context),
  stream: libraryStream,
  failure: upstreamFailure,
};
