import { encoderFor } from '../delivery/encoder.ts';
import { ErrorReply } from '../delivery/error-reply.ts';
import { notOffered } from '../delivery/failures.ts';
import { keepingFacts } from '../delivery/keeping.ts';
import { ListFraming } from '../delivery/list-framing.ts';
import type { Reply, ReplyHost } from '../delivery/reply.ts';
import { StreamReply } from '../delivery/stream-reply.ts';
import { TranslatedCodec } from '../delivery/translated-codec.ts';
import { TranslatedWhole } from '../delivery/translated-whole.ts';
import { offloadedWithIo } from '../delivery/translation-io.ts';
import { WireCodec } from '../delivery/wire-codec.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { asBuffer, shared } from '../offload/shared-bytes.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { TextCall } from '../protocol/calls.ts';
import { largeBytes, largeTranslationBytes } from '../protocol/large-body.ts';
import { relayError } from '../protocol/relay-errors.ts';
import type {
  OpenAiReply,
  TranslatingAdapter,
  TranslationContext,
} from '../providers/translate.ts';
import { resolveListTransport } from '../providers/transport.ts';
import type { AnswerHeaders } from '../upstream/answer-headers.ts';
import type { HttpReply, UpstreamRequest } from '../upstream/types.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { RelayCore } from './relay-core.ts';

/** One attempt on a channel whose provider has a protocol of its own kind. */
export type Translation = Readonly<{
  request: UpstreamRequest;
  failure: (status: number, body: Buffer) => ApiError;
  reply: (host: ReplyHost, status: number, headers: AnswerHeaders) => Reply;
  /** A successful answer in one piece. */
  whole: (reply: HttpReply) => Promise<OpenAiReply | ApiError>;
}>;

const defaultMaxBytes = 33_554_432;
const defaultMaxMessages = 10_000;

const helpFailed = relayError('do_request_failed');

/** A side call without an answer (a token, the state of a job) is a failure of the provider. */
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
  const input = {
    call: { ...call, body },
    terms: termsOf(core, channel),
    startedAtMs: core.clock().getTime(),
  };
  const prepared = await offloadedWithIo((options) => core.offload.run('prepare', input, options), {
    io: core.providerIo(channel.proxy),
    options: { owner: String(owner), bytes: body.length },
  });
  if (isApiError(prepared)) return prepared;
  return { ...prepared, request: { ...prepared.request, body: asBuffer(prepared.request.body) } };
};

/** Bodies whose bytes are passed on are only scanned; forms are never parsed. */
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
  const transport = resolveListTransport(channel, call);
  if (transport === null || transport.kind === 'translated') return notOffered.error;
  const { wire, usage, failure } = transport.adapter;
  if (wire === undefined) return notOffered.error;
  return {
    request,
    failure,
    reply: (host, _status, headers) =>
      isOfEvents(headers)
        ? new StreamReply(
            host,
            new WireCodec(host, 'text/event-stream', { wire, usage }),
            new ListFraming(host.admitted.requestId),
          )
        : new ErrorReply(host, 502, null),
    whole: async () => notOffered.error,
  };
};

const tooLong = (maxBytes: number): ApiError =>
  relayError(
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
        ? new StreamReply(
            host,
            new TranslatedCodec(
              host,
              adapter.stream(context),
              encoderFor(keepingFacts(host, context.call, core.keptResponses)),
            ),
          )
        : new TranslatedWhole(host, {
            core,
            context,
            head: { status, headers: headers.all() },
            translate: whole,
          }),
    whole,
  };
};
