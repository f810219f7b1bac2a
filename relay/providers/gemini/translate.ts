import { gemini as facts } from '../../../domain/channel/providers/gemini.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpReply, HttpRequest } from '../../upstream/types.ts';
import { upstreamFailure } from '../shared/failure.ts';
import {
  embeddingAction,
  embeddingBody,
  embeddingReply,
  imageBody,
  imageReply,
} from '../shared/gemini/other-operations.ts';
import { isPredicting, pictureBody, pictureReply } from '../shared/gemini/pictures.ts';
import { geminiReply } from '../shared/gemini/reply.ts';
import { geminiBody } from '../shared/gemini/request.ts';
import { speechBody, speechReply } from '../shared/gemini/speech.ts';
import { geminiSse } from '../shared/gemini/stream.ts';
import { geminiPlan } from '../shared/gemini/thinking.ts';
import { baseOf, jsonRequest } from '../shared/outgoing.ts';
import { runSse } from '../shared/run-stream.ts';
import type { OpenAiReply, TranslatingAdapter, TranslationContext } from '../translate.ts';

const actionOf = ({ call }: TranslationContext): string => {
  if (call.operation === 'images') return isPredicting(call) ? 'predict' : 'generateContent';
  if (call.operation === 'embeddings') return embeddingAction(call);
  return call.isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
};

const bodyOf = async (context: TranslationContext): Promise<JsonObject> => {
  if (context.call.operation === 'speech') return speechBody(context);
  if (context.call.operation === 'images') {
    return isPredicting(context.call) ? imageBody(context) : pictureBody(context);
  }
  return context.call.operation === 'embeddings' ? embeddingBody(context) : geminiBody(context);
};

const request = async (context: TranslationContext): Promise<HttpRequest> => {
  const { channel, settings } = context;
  const { model } = geminiPlan(context);
  const { versionSettings } = settings.gemini;
  const version = versionSettings[model] ?? versionSettings.default ?? 'v1beta';
  const base = baseOf(channel, facts.baseUrl);
  return jsonRequest(context, {
    url: `${base}/${version}/models/${encodeURIComponent(model)}:${actionOf(context)}`,
    headers: { 'x-goog-api-key': channel.key },
    body: await bodyOf(context),
  });
};

const replyFor = (reply: HttpReply, context: TranslationContext): OpenAiReply | ApiError => {
  if (context.call.operation === 'speech') return speechReply(reply, context);
  if (context.call.operation === 'images') {
    return isPredicting(context.call) ? imageReply(reply, context) : pictureReply(reply, context);
  }
  return context.call.operation === 'embeddings'
    ? embeddingReply(reply, context)
    : geminiReply(reply, context);
};

export const gemini: TranslatingAdapter = {
  operations: ['chat', 'embeddings', 'images', 'speech'],
  editsPictures: true,
  request: (context) => orRefusal(() => request(context)),
  reply: async (reply, context) => replyFor(reply, context),
  stream: (context) => runSse(geminiSse(context)),
  failure: upstreamFailure,
};
