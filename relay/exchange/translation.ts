import { isApiError } from '../admission/caller.ts';
import { type ApiError, gatewayError } from '../ingress/api-error.ts';
import { asBuffer, shared } from '../offload/shared-bytes.ts';
import { largeBytes, largeTranslationBytes } from '../offload/sizes.ts';
import { listedWayFor } from '../providers/registry.ts';
import type {
  HttpReply,
  OpenAiReply,
  TranslatingAdapter,
  TranslationContext,
} from '../providers/translate.ts';
import type { TextCall, UpstreamRequest } from '../providers/types.ts';
import type { RelayCore } from '../relay-core.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import type { AnswerHeaders } from '../upstream/answer-headers.ts';
import { ErrorReply } from './error-reply.ts';
import { notOffered } from './failures.ts';
import { ListedStream } from './listed-stream.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { Reply, ReplyHost } from './reply.ts';
import { TranslatedStream } from './translated-stream.ts';
import { TranslatedWhole } from './translated-whole.ts';
import { offloadedWithIo } from './translation-io.ts';
import { voiceFor } from './voice.ts';

/** One attempt on a channel whose provider has a protocol of its own. */
export type Translation = Readonly<{
  request: UpstreamRequest;
  failure: (status: number, body: Buffer) => ApiError;
  reply: (host: ReplyHost, status: number, headers: AnswerHeaders) => Reply;
  /** An answer in one piece that says yes. */
  whole: (reply: HttpReply) => Promise<OpenAiReply | ApiError>;
}>;

const defaultMaxBytes = 33_554_432;
const defaultMaxMessages = 10_000;

const helpFailed = gatewayError(
  500,
  'do_request_failed',
  'The request to the upstream address failed',
);

/** A helper call that nobody answered (a token, a look at a job) is a failure of the provider. */
const helped =
  ({ logger }: RelayCore, { channelId }: UpstreamChannel) =>
  async <T>(work: () => Promise<T>): Promise<T | ApiError> => {
    try {
      return await work();
    } catch (error) {
      logger.warn({ channelId, err: error }, 'a helper call to a provider failed');
      return helpFailed;
    }
  };

type Attempt = Readonly<{ call: TextCall; channel: UpstreamChannel; owner: number }>;

const termsOf = ({ options, settings }: RelayCore, channel: UpstreamChannel) => {
  const { families, passesBodies, serverAddress, systemName } = options.current();
  return {
    channel,
    options: { families, passesBodies, serverAddress, systemName },
    maxMessages: settings.translation?.maxMessages ?? defaultMaxMessages,
  };
};

/** On another thread, which gives back what is to be sent. */
const preparedApart = async (
  core: RelayCore,
  { call, channel, owner }: Attempt,
): Promise<Prepared | ApiError> => {
  const body = await shared(call.body);
  const prepared = await offloadedWithIo(core, 'prepare', {
    input: {
      call: { ...call, body },
      terms: termsOf(core, channel),
      startedAtMs: core.clock().getTime(),
    },
    on: {
      io: core.providerIo(channel.proxy),
      options: { owner: String(owner), bytes: body.length },
    },
  });
  if (isApiError(prepared)) return prepared;
  return { ...prepared, request: { ...prepared.request, body: asBuffer(prepared.request.body) } };
};

/** Bodies whose bytes are passed on are only looked through; forms are never parsed. */
export const isPreparedApart = ({ body, form }: TextCall, isPassed: boolean): boolean =>
  form === undefined && body.length >= (isPassed ? largeBytes : largeTranslationBytes);

/** Everything that one attempt sends, made here or on another thread. */
export const preparedFor = (
  core: RelayCore,
  attempt: Attempt,
  isPassed: boolean,
): Promise<Prepared | ApiError> => {
  const { call, channel } = attempt;
  return helped(
    core,
    channel,
  )(() =>
    isPreparedApart(call, isPassed)
      ? preparedApart(core, attempt)
      : prepare(call, termsOf(core, channel), core.providerIo(channel.proxy)),
  );
};

const isOfEvents = (headers: AnswerHeaders): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

const listedTranslation = (
  request: UpstreamRequest,
  { call, channel }: Attempt,
): Translation | ApiError => {
  const way = listedWayFor(channel, call);
  if (way === null || way.kind === 'translated') return notOffered.error;
  const { wire, usage, failure } = way.adapter;
  if (wire === undefined) return notOffered.error;
  return {
    request,
    failure,
    reply: (host, _status, headers) =>
      isOfEvents(headers) ? new ListedStream(host, wire, usage) : new ErrorReply(host, 502, null),
    whole: async () => notOffered.error,
  };
};

const tooLong = (maxBytes: number): ApiError =>
  gatewayError(
    413,
    'request_too_large',
    `This model is served in another protocol: requests to it may take at most ${Math.floor(maxBytes / 1_048_576)} MiB`,
  );

/** Everything that one attempt needs, or why it cannot be made. */
export const translationOf = async (
  core: RelayCore,
  attempt: Attempt,
  adapter: TranslatingAdapter,
): Promise<Translation | ApiError> => {
  const { call, channel } = attempt;
  const maxBytes = core.settings.translation?.maxBytes ?? defaultMaxBytes;
  if (call.form === undefined && call.body.length > maxBytes) return tooLong(maxBytes);
  const prepared = await preparedFor(core, attempt, false);
  if (isApiError(prepared)) return prepared;
  if (prepared.kind !== 'translated') return listedTranslation(prepared.request, attempt);
  const context: TranslationContext = {
    call: prepared.call,
    channel,
    settings: core.options.current().families,
    io: core.providerIo(channel.proxy),
  };
  const outside = helped(core, channel);
  const whole: Translation['whole'] = (reply) => outside(() => adapter.reply(reply, context));
  return {
    request: prepared.request,
    failure: (status, body) => adapter.failure({ status, headers: {}, body }),
    reply: (host, status, headers) =>
      context.call.isStream
        ? new TranslatedStream(host, adapter.stream(context), voiceFor(host.admitted))
        : new TranslatedWhole(host, {
            core,
            context,
            head: { status, headers: headers.all() },
            translate: whole,
          }),
    whole,
  };
};
