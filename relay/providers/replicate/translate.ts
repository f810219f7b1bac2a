import type { ApiError } from '../../protocol/api-error.ts';
import { isApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { interrupted, redact, unusableReply, upstreamFailure } from '../shared/failure.ts';
import { createMediaLoader } from '../shared/media.ts';
import {
  assistantMessage,
  chatReply,
  choiceOf,
  createdNow,
  deltaChunk,
  finishChunk,
  newHead,
  roleChunk,
} from '../shared/openai-chunks.ts';
import { runStream } from '../shared/run-stream.ts';
import { createSseReader } from '../shared/sse.ts';
import { usageReport } from '../shared/usage-report.ts';
import type {
  OpenAiReply,
  StreamTranslation,
  TranslatingAdapter,
  TranslationContext,
} from '../translate.ts';
import { finished } from './prediction.ts';
import { replicateRequest } from './request.ts';

/** One text or a list of texts, as the model's schema has it. */
const outputsOf = ({ output }: JsonObject): readonly string[] =>
  (Array.isArray(output) ? output : [output]).filter((own) => typeof own === 'string');

const picture = async (url: string, { call, io }: TranslationContext): Promise<JsonObject> =>
  call.body.response_format === 'b64_json'
    ? { b64_json: (await createMediaLoader(io)(url)).data }
    : { url };

const imageReply = async (
  prediction: JsonObject,
  context: TranslationContext,
): Promise<OpenAiReply | ApiError> => {
  const urls = outputsOf(prediction);
  if (urls.length === 0) return unusableReply('The prediction made no image');
  const data = await Promise.all(urls.map((url) => picture(url, context)));
  const body = { created: createdNow(context.io), data };
  return { status: 200, contentType: 'application/json', body, usage: null };
};

const names = { prompt: 'input_token_count', completion: 'output_token_count', total: '' };

const textReply = (prediction: JsonObject, { call, io }: TranslationContext): OpenAiReply => {
  const usage = usageReport(objectAt(prediction, 'metrics'), names);
  const message = assistantMessage({ content: outputsOf(prediction).join('') });
  const head = newHead(io, call.upstreamModel);
  return {
    status: 200,
    contentType: 'application/json',
    body: chatReply(head, [choiceOf(message, 'stop')], usage?.shown ?? null),
    usage: usage?.reported ?? null,
  };
};

const replyFor = async (
  reply: HttpReply,
  context: TranslationContext,
): Promise<OpenAiReply | ApiError> => {
  const prediction = await finished(reply, context);
  if (isApiError(prediction)) return prediction;
  return context.call.operation === 'images'
    ? imageReply(prediction, context)
    : textReply(prediction, context);
};

/** Plain text under event names; nothing is reported about tokens. */
const streamOf = ({ call, io }: TranslationContext): StreamTranslation => {
  const head = newHead(io, call.upstreamModel);
  let hasBegun = false;
  let isDone = false;
  const begin = (out: JsonObject[]): void => {
    if (!hasBegun) out.push(roleChunk(head));
    hasBegun = true;
  };
  return runStream(createSseReader(), {
    message: ({ event, data }, out) => {
      if (event === 'error') {
        return unusableReply(data === '' ? 'The prediction failed' : redact(data));
      }
      if (event === 'done') isDone = true;
      if (event !== 'output' || data === '') return null;
      begin(out);
      out.push(deltaChunk(head, { content: data }));
      return null;
    },
    end: (out) => {
      if (!isDone) return interrupted();
      begin(out);
      out.push(finishChunk(head, 'stop'));
      return null;
    },
    usage: () => null,
  });
};

/** Predictions: whole ones are waited for, streamed ones are read from an address of their own. */
export const replicate: TranslatingAdapter = {
  operations: ['chat', 'images'],
  request: (context) => orRefusal(() => replicateRequest(context)),
  reply: (reply, context) => orRefusal<OpenAiReply | ApiError>(() => replyFor(reply, context)),
  stream: streamOf,
  failure: upstreamFailure,
};
