import type { ChannelTestReply, ChannelTestRequest } from '../../domain/relay/messages.ts';
import type { Stop } from '../../infra/ports/bus.ts';
import { redactText } from '../delivery/redaction.ts';
import { overriddenHeaders } from '../execution/outgoing-headers.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type Translation, translationOf } from '../execution/translation.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { TextCall, TextOperation } from '../protocol/calls.ts';
import { isMedia } from '../protocol/operations.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { lastUsage } from '../protocol/usage-scan.ts';
import { resolveTransport } from '../providers/transport.ts';
import { isChannelFailing } from '../routing/health.ts';
import type { UpstreamRequest } from '../upstream/types.ts';
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
    const timer = setTimeout(() => {
      call.abort();
      resolve({ failure: 'The upstream did not answer in time' });
    }, testTimeoutMs);
    const done = (answer: Answer): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    const call = core.upstream.dispatch(request, {
      onHead: (code) => {
        status = code;
      },
      onData: (chunk) => {
        bytes += chunk.length;
        if (bytes <= maxAnswerBytes) chunks.push(chunk);
        return true;
      },
      onEnd: () => done({ status, body: Buffer.concat(chunks) }),
      onFailure: (failure) => done({ failure: failure.error.message }),
    });
  });

/** Audio and pictures are returned without usage. */
const isAnswer = (operation: TextOperation, body: Buffer): boolean => {
  if (isMedia(operation)) return body.length > 0 && !body.includes('"error"');
  const hasAnswer = body.includes('"choices"') || body.includes('"results"');
  return hasAnswer || lastUsage(body) !== null;
};

/** Why the answer is invalid; `status` and `error` as far as the provider reported them. */
type Problem = Readonly<{ message: string; upstreamStatus?: number; error?: ApiError }>;
const noProblem: Problem = { message: '' };

const problemOf = async (test: Prepared, answer: Answer): Promise<Problem> => {
  if ('failure' in answer) return { message: answer.failure };
  const { status, body } = answer;
  const isGood = status >= 200 && status < 300;
  if (isGood && test.translation !== null) {
    const headers = { 'content-type': 'application/json' };
    const translated = await test.translation.whole({ status, headers, body });
    if ('contentType' in translated) return noProblem;
    return { message: translated.message, upstreamStatus: status, error: translated };
  }
  if (isGood && isAnswer(test.operation, body)) return noProblem;
  const error = test.failure(status, body);
  return { message: `status ${status}: ${error.message}`, upstreamStatus: status, error };
};

type Prepared = Readonly<{
  operation: TextOperation;
  request: UpstreamRequest;
  failure: (status: number, body: Buffer) => ApiError;
  translation: Translation | null;
}>;

const notTestable = relayError('invalid_api_type', 'This type of channel cannot be tested');

const prepared = async (
  core: RelayCore,
  channel: UpstreamChannel,
  call: TextCall,
): Promise<Prepared | ApiError> => {
  const transport = resolveTransport(channel, call);
  if (transport === null || transport.kind === 'enveloped') return notTestable;
  if (transport.kind === 'bytes') {
    const request = transport.adapter.request(call, channel, core.options.current());
    if (isApiError(request)) return request;
    return {
      operation: call.operation,
      request,
      failure: transport.adapter.failure,
      translation: null,
    };
  }
  const translation = await translationOf(core, { call, channel, owner: 0 }, transport.adapter);
  if (isApiError(translation)) return translation;
  const { request, failure } = translation;
  return { operation: call.operation, request, failure, translation };
};

/** The test's own words cannot echo a keyword of the operator, so its body does not count. */
const isFailing = (
  core: RelayCore,
  channel: UpstreamChannel,
  { upstreamStatus, error }: Omit<Problem, 'message'>,
): boolean => {
  if (upstreamStatus === undefined || error === undefined) return false;
  const failure = { kind: 'status', upstreamStatus, error } as const;
  return isChannelFailing(core.options.current(), channel, { failure, body: Buffer.alloc(0) });
};

const testChannel = async (
  core: RelayCore,
  { channelId, model: asked }: ChannelTestRequest,
): Promise<ChannelTestReply> => {
  const began = performance.now();
  const channel = core.channels.table().channel(channelId);
  const model =
    asked || channel?.settings.testModel || channel?.settings.models[0] || fallbackModel;
  const reply = ({ message, ...problem }: Problem): ChannelTestReply => ({
    success: message === '',
    message: channel === undefined ? message : redactText(channel, message),
    responseTimeMs: Math.round(performance.now() - began),
    model,
    ...(channel !== undefined && isFailing(core, channel, problem) && { isFailing: true }),
  });
  if (channel === undefined) return reply({ message: 'This relay has no such channel' });
  const call = callFor(channel, model);
  if (call === null) return reply({ message: 'The test request could not be made' });
  // A test shows the provider's response to a plain request.
  const plain = { ...channel, paramOverride: new Map<string, string>() };
  const test = await prepared(core, plain, call);
  if (isApiError(test)) return reply({ message: test.message });
  const headers = overriddenHeaders(test.request.headers, channel.headerOverrides);
  return reply(await problemOf(test, await ask(core, { ...test.request, headers })));
};

/** Answers `relay.test-channel` with a real call that is neither booked nor charged. */
export const serveChannelTests = (core: RelayCore): Promise<Stop> =>
  core.bus.serve<ChannelTestRequest, ChannelTestReply>('relay.test-channel', (request) =>
    testChannel(core, request),
  );
