import type { ChannelTestReply, ChannelTestRequest } from '../domain/relay/messages.ts';
import type { Stop } from '../infra/ports/bus.ts';
import { isApiError } from './admission/caller.ts';
import { discreetWords } from './exchange/discretion.ts';
import { readHead } from './exchange/head.ts';
import { type Translation, translationOf } from './exchange/translation.ts';
import { type ApiError, gatewayError } from './ingress/api-error.ts';
import { lastUsage } from './metering/usage-scan.ts';
import { wayFor } from './providers/registry.ts';
import { isMedia } from './providers/shared/operations.ts';
import type { TextCall, TextOperation, UpstreamRequest } from './providers/types.ts';
import type { RelayCore } from './relay-core.ts';
import type { UpstreamChannel } from './routing/upstream-channel.ts';
import { probeFor } from './test-probes.ts';

const fallbackModel = 'gpt-4o-mini';
const maxAnswerBytes = 4_194_304;
const testTimeoutMs = 60_000;

const callFor = (channel: UpstreamChannel, model: string): TextCall | null => {
  const probe = probeFor(channel, model);
  if (probe === null) return null;
  const { operation, path, contentType, given } = probe;
  return {
    operation,
    protocol: 'openai',
    path,
    clientPath: path,
    model,
    ...given,
    isStream: false,
    contentType,
    accept: operation === 'speech' ? '*/*' : 'application/json',
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

/** Sound and pictures come without a word about usage. */
const isAnswer = (operation: TextOperation, body: Buffer): boolean => {
  if (isMedia(operation)) return body.length > 0 && !body.includes('"error"');
  const hasAnswer = body.includes('"choices"') || body.includes('"results"');
  return hasAnswer || lastUsage(body) !== null;
};

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
  if (isGood && isAnswer(test.operation, body)) return '';
  return `status ${status}: ${test.failure(status, body).message}`;
};

type Prepared = Readonly<{
  operation: TextOperation;
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
    return { operation: call.operation, request, failure: way.adapter.failure, translation: null };
  }
  const translation = await translationOf(core, { call, channel, owner: 0 }, way.adapter);
  if (isApiError(translation)) return translation;
  const { request, failure } = translation;
  return { operation: call.operation, request, failure, translation };
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
    message: channel === undefined ? message : discreetWords(channel, message),
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
