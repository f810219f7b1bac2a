import type { ChannelTestReply, ChannelTestRequest } from '../domain/relay/messages.ts';
import type { Stop } from '../infra/ports/bus.ts';
import { isApiError } from './admission/caller.ts';
import { readHead } from './exchange/head.ts';
import { type Translation, translationOf } from './exchange/translation.ts';
import { type ApiError, gatewayError } from './ingress/api-error.ts';
import { scanned } from './ingress/normalise.ts';
import { lastUsage } from './metering/usage-scan.ts';
import { wayFor } from './providers/registry.ts';
import type { TextCall, UpstreamRequest } from './providers/types.ts';
import type { RelayCore } from './relay-core.ts';
import { mapModel } from './routing/model-mapping.ts';
import type { UpstreamChannel } from './routing/upstream-channel.ts';

const fallbackModel = 'gpt-4o-mini';
const maxAnswerBytes = 4_194_304;
const testTimeoutMs = 60_000;

const isEmbeddingModel = (model: string): boolean => {
  const name = model.toLowerCase();
  return name.includes('embed') || name.includes('bge-') || name.startsWith('m3e');
};

/** Output limit of the question, by the name sent upstream (console sheet, section 11.11). */
const limitFor = (name: string): object => {
  if (name.startsWith('o1') || name.startsWith('o3')) return { max_completion_tokens: 10 };
  if (name.includes('thinking')) return name.includes('claude') ? {} : { max_tokens: 50 };
  return { max_tokens: name.includes('gemini') ? 300 : 10 };
};

const bodyFor = (model: string, upstreamModel: string): object =>
  isEmbeddingModel(model)
    ? { model, input: ['hello world'] }
    : { model, messages: [{ role: 'user', content: 'hi' }], ...limitFor(upstreamModel) };

const callFor = (channel: UpstreamChannel, model: string): TextCall | null => {
  const mapped = channel.modelMapping === null ? model : mapModel(channel.modelMapping, model);
  const given = scanned(Buffer.from(JSON.stringify(bodyFor(model, mapped))));
  if (given === null) return null;
  const operation = isEmbeddingModel(model) ? 'embeddings' : 'chat';
  const path = operation === 'chat' ? '/v1/chat/completions' : '/v1/embeddings';
  return {
    operation,
    protocol: 'openai',
    path,
    clientPath: path,
    model,
    ...given,
    isStream: false,
    contentType: 'application/json',
    accept: 'application/json',
  };
};

type Answer = Readonly<{ status: number; body: Buffer }> | Readonly<{ failure: string }>;

const ask = (core: RelayCore, request: UpstreamRequest): Promise<Answer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = 0;
    let encoded = false;
    const timer = setTimeout(() => {
      call.abort();
      resolve({ failure: 'The upstream did not answer in time' });
    }, testTimeoutMs);
    const done = (answer: Answer): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    const call = core.upstream.dispatch(request, {
      onHead: (code, headers) => {
        status = code;
        encoded = readHead(headers).isEncoded;
      },
      onData: (chunk) => {
        bytes += chunk.length;
        if (bytes <= maxAnswerBytes) chunks.push(chunk);
        return true;
      },
      onEnd: () =>
        done(
          encoded
            ? { failure: 'The upstream sent a compressed answer that nobody asked for' }
            : { status, body: Buffer.concat(chunks) },
        ),
      onFailure: (failure) => done({ failure: failure.error.message }),
    });
  });

/** Why the answer is no good; "" when it is. */
const problemOf = async (test: Prepared, answer: Answer): Promise<string> => {
  if ('failure' in answer) return answer.failure;
  const { status, body } = answer;
  const isGood = status >= 200 && status < 300;
  if (isGood && test.translation !== null) {
    const headers = { 'content-type': 'application/json' };
    const said = await test.translation.whole({ status, headers, body });
    return 'contentType' in said ? '' : said.message;
  }
  if (isGood && (lastUsage(body) !== null || body.includes('"choices"'))) return '';
  return `status ${status}: ${test.failure(status, body).message}`;
};

type Prepared = Readonly<{
  request: UpstreamRequest;
  failure: (status: number, body: Buffer) => ApiError;
  translation: Translation | null;
}>;

const notTestable = gatewayError(400, 'invalid_api_type', 'This type of channel cannot be tested');

const prepared = async (
  core: RelayCore,
  channel: UpstreamChannel,
  call: TextCall,
): Promise<Prepared | ApiError> => {
  const way = wayFor(channel, call);
  if (way === null || way.kind === 'enveloped') return notTestable;
  if (way.kind === 'bytes') {
    const request = way.adapter.request(call, channel, core.options.current());
    if (isApiError(request)) return request;
    return { request, failure: way.adapter.failure, translation: null };
  }
  const translation = await translationOf(core, call, { adapter: way.adapter, channel });
  if (isApiError(translation)) return translation;
  return { request: translation.request, failure: translation.failure, translation };
};

const testChannel = async (
  core: RelayCore,
  { channelId, model: asked }: ChannelTestRequest,
): Promise<ChannelTestReply> => {
  const began = performance.now();
  const channel = core.channels.table().channel(channelId);
  const model =
    asked || channel?.settings.testModel || channel?.settings.models[0] || fallbackModel;
  const reply = (message: string): ChannelTestReply => ({
    success: message === '',
    message,
    responseTimeMs: Math.round(performance.now() - began),
    model,
  });
  if (channel === undefined) return reply('This relay does not know the channel');
  const call = callFor(channel, model);
  if (call === null) return reply('The test request could not be made');
  // A test asks what the provider says to a plain request.
  const plain = { ...channel, paramOverride: new Map<string, string>() };
  const test = await prepared(core, plain, call);
  if (isApiError(test)) return reply(test.message);
  return reply(await problemOf(test, await ask(core, test.request)));
};

/** Answers `relay.test-channel` with a real call that is neither booked nor charged. */
export const serveChannelTests = (core: RelayCore): Promise<Stop> =>
  core.bus.serve<ChannelTestRequest, ChannelTestReply>('relay.test-channel', (request) =>
    testChannel(core, request),
  );
