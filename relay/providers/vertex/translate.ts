import type { ApiError } from '../../protocol/api-error.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { claudeReply } from '../shared/claude/reply.ts';
import { claudeSse } from '../shared/claude/stream.ts';
import { upstreamFailure } from '../shared/failure.ts';
import { imageReply, predictedEmbeddings } from '../shared/gemini/other-operations.ts';
import { isPredicting, pictureReply } from '../shared/gemini/pictures.ts';
import { geminiReply } from '../shared/gemini/reply.ts';
import { speechReply } from '../shared/gemini/speech.ts';
import { geminiSse } from '../shared/gemini/stream.ts';
import { openAiLike } from '../shared/openai-like.ts';
import { runSse } from '../shared/run-stream.ts';
import type {
  OpenAiReply,
  StreamTranslation,
  TranslatingAdapter,
  TranslationContext,
} from '../translate.ts';
import { publisherOf } from './place.ts';
import { vertexRequest } from './request.ts';

const open = openAiLike({ operations: ['chat'], baseUrl: '', streamUsage: 'ask' });

const geminiFamily = (reply: HttpReply, context: TranslationContext): OpenAiReply | ApiError => {
  if (context.call.operation === 'speech') return speechReply(reply, context);
  if (context.call.operation === 'images') {
    return isPredicting(context.call) ? imageReply(reply, context) : pictureReply(reply, context);
  }
  return context.call.operation === 'embeddings'
    ? predictedEmbeddings(reply, context)
    : geminiReply(reply, context);
};

const replyFor = async (
  reply: HttpReply,
  context: TranslationContext,
): Promise<OpenAiReply | ApiError> => {
  const publisher = publisherOf(context.call.upstreamModel);
  if (publisher === 'claude') return claudeReply(reply, context);
  return publisher === 'gemini' ? geminiFamily(reply, context) : open.reply(reply, context);
};

const streamFor = (context: TranslationContext): StreamTranslation => {
  const publisher = publisherOf(context.call.upstreamModel);
  if (publisher === 'claude') return runSse(claudeSse(context));
  return publisher === 'gemini' ? runSse(geminiSse(context)) : open.stream(context);
};

/** Google's host for models of many houses, each in its own protocol. */
export const vertex: TranslatingAdapter = {
  operations: ['chat', 'embeddings', 'images', 'speech'],
  editsPictures: true,
  request: (context) => orRefusal(() => vertexRequest(context)),
  reply: replyFor,
  stream: streamFor,
  failure: upstreamFailure,
};
