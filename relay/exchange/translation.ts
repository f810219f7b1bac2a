import { isApiError } from '../admission/caller.ts';
import { chatFromMessages } from '../ingress/anthropic-messages/translate.ts';
import { type ApiError, gatewayError } from '../ingress/api-error.ts';
import { chatFromContents, embeddingsOf } from '../ingress/gemini/translate.ts';
import { type FormScan, formDataOf } from '../ingress/scan-form.ts';
import { dialectOf } from '../providers/dialect.ts';
import { listedWayFor } from '../providers/registry.ts';
import { passesBody, withSystemPrompt } from '../providers/shared/channel-settings.ts';
import { upstreamModelOf } from '../providers/shared/mapped-model.ts';
import { isMedia } from '../providers/shared/operations.ts';
import { isApiError as isRefusal } from '../providers/shared/refusal.ts';
import type {
  HttpReply,
  HttpRequest,
  JsonObject,
  OpenAiCall,
  OpenAiReply,
  TranslatingAdapter,
  TranslationContext,
} from '../providers/translate.ts';
import type { EnvelopedAdapter, TextCall, UpstreamRequest } from '../providers/types.ts';
import type { RelayCore } from '../relay-core.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import type { AnswerHeaders } from '../upstream/answer-headers.ts';
import { bodyBytes } from '../upstream/body-bytes.ts';
import { ErrorReply } from './error-reply.ts';
import { notOffered } from './failures.ts';
import { ListedStream } from './listed-stream.ts';
import type { Reply, ReplyHost } from './reply.ts';
import { TranslatedStream } from './translated-stream.ts';
import { TranslatedWhole } from './translated-whole.ts';
import { voiceFor } from './voice.ts';

/** One attempt on a channel whose provider has a protocol of its own. */
export type Translation = Readonly<{
  request: UpstreamRequest;
  failure: (status: number, body: Buffer) => ApiError;
  reply: (host: ReplyHost, status: number, headers: AnswerHeaders) => Reply;
  /** An answer in one piece that says yes. */
  whole: (reply: HttpReply) => Promise<OpenAiReply | ApiError>;
}>;

const paths = {
  chat: '/v1/chat/completions',
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
} as const;

const pathOf = ({ operation, protocol, path }: TextCall): string =>
  protocol !== 'openai' && operation in paths ? paths[operation as keyof typeof paths] : path;

/** Apart from errors: a caller's body may look like anything. */
type Canonical = Readonly<{ body: JsonObject }>;

const given = (body: JsonObject | ApiError): Canonical | ApiError =>
  isRefusal(body) ? body : { body };

/** The plain fields of a form; files are read by adapters that know what to do with them. */
const fieldsOf = (body: Buffer, { parts }: FormScan): JsonObject =>
  Object.fromEntries(
    parts
      .filter(({ fileName }) => fileName === null)
      .map(({ name, start, end }) => [name, body.toString('utf8', start, end)]),
  );

/** Adapters make pictures and sound whole. */
const inOnePiece = ({ stream: _, partial_images: __, stream_format: ___, ...body }: JsonObject) =>
  body;

const formOf = ({ operation, body, form }: TextCall): FormData | null => {
  if (form === undefined) return null;
  const data = formDataOf(body, form);
  if (operation === 'images') for (const name of ['stream', 'partial_images']) data.delete(name);
  return data;
};

/** The body in OpenAI's shape, whichever protocol it came in. */
const canonicalBody = async (
  call: TextCall,
  channel: UpstreamChannel,
  upstreamModel: string,
): Promise<Canonical | ApiError> => {
  if (call.form !== undefined) return { body: fieldsOf(call.body, call.form) };
  const parsed: JsonObject = JSON.parse(call.body.toString('utf8'));
  const body = isMedia(call.operation) ? inOnePiece(parsed) : parsed;
  const dialect = dialectOf(channel.type, upstreamModel);
  switch (call.protocol) {
    case 'openai':
      return { body };
    case 'claude':
      return given(await chatFromMessages(body, dialect));
    case 'gemini': {
      if (call.operation === 'embeddings') return { body: embeddingsOf(body, call.model) };
      const { model, isStream } = call;
      return given(await chatFromContents({ body, model, isStream, dialect }));
    }
  }
};

const canonicalCall = async (
  call: TextCall,
  channel: UpstreamChannel,
): Promise<OpenAiCall | ApiError> => {
  const upstreamModel = upstreamModelOf(channel, call.model);
  if (typeof upstreamModel !== 'string') return upstreamModel;
  const canonical = await canonicalBody(call, channel, upstreamModel);
  if (isApiError(canonical)) return canonical;
  const { operation } = call;
  if (operation === 'responses') return notOffered.error;
  return {
    operation,
    path: pathOf(call),
    requestedModel: call.model,
    upstreamModel,
    body: { ...withSystemPrompt(canonical.body, channel), model: upstreamModel },
    isStream: call.isStream && !isMedia(operation),
    form: formOf(call),
  };
};

const wireRequest = async (
  asked: HttpRequest,
  channel: UpstreamChannel,
  upstreamModel: string,
): Promise<UpstreamRequest> => {
  const url = new URL(asked.url);
  const { body, contentType } = await bodyBytes(asked);
  const headers = Object.entries(asked.headers).flat();
  if (contentType !== null) headers.push('content-type', contentType);
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    headers,
    body,
    proxy: channel.proxy,
    upstreamModel,
    addedUsage: false,
    method: asked.method,
  };
};

const replyFor =
  (
    adapter: TranslatingAdapter,
    context: TranslationContext,
    translate: Translation['whole'],
  ): Translation['reply'] =>
  (host, status, headers) => {
    const voice = voiceFor(host.admitted);
    if (context.call.isStream) return new TranslatedStream(host, adapter.stream(context), voice);
    return new TranslatedWhole(host, {
      head: { status, headers: headers.all() },
      translate,
      voice,
    });
  };

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

/** Providers whose requests are signed over their bytes, or go up in frames: those stay translated. */
const signedTypes: ReadonlySet<number> = new Set([18, 23, 33]);

const isOfEvents = (headers: AnswerHeaders): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

/** In the caller's own words, which the provider takes as they are; null: it does not. */
const listedTranslation = async (
  core: RelayCore,
  call: TextCall,
  channel: UpstreamChannel,
): Promise<Translation | ApiError | null> => {
  const way = listedWayFor(channel, call);
  if (way === null || way.kind === 'translated') return null;
  const { wire, usage, failure } = way.adapter;
  if (wire === undefined) return null;
  const request =
    way.kind === 'enveloped'
      ? await envelopeOf(core, call, { adapter: way.adapter, channel })
      : way.adapter.request(call, channel, core.options.current());
  if (isApiError(request)) return request;
  return {
    request,
    failure,
    reply: (host, _status, headers) =>
      isOfEvents(headers) ? new ListedStream(host, wire, usage) : new ErrorReply(host, 502, null),
    whole: async () => notOffered.error,
  };
};

/** Everything that one attempt needs, or why it cannot be made. */
export const translationOf = async (
  core: RelayCore,
  call: TextCall,
  { adapter, channel }: Readonly<{ adapter: TranslatingAdapter; channel: UpstreamChannel }>,
): Promise<Translation | ApiError> => {
  const own = await listedTranslation(core, call, channel);
  if (own !== null) return own;
  const canonical = await canonicalCall(call, channel);
  if (isApiError(canonical)) return canonical;
  const context: TranslationContext = {
    call: canonical,
    channel,
    settings: core.options.current().families,
    io: core.providerIo(channel.proxy),
  };
  const outside = helped(core, channel);
  const asked = await outside(() => adapter.request(context));
  if (isApiError(asked)) return asked;
  const whole: Translation['whole'] = (reply) => outside(() => adapter.reply(reply, context));
  const options = core.options.current();
  const isSent = passesBody(call, channel, options) && !signedTypes.has(channel.type);
  return {
    request: await wireRequest(
      isSent ? { ...asked, body: call.body } : asked,
      channel,
      canonical.upstreamModel,
    ),
    failure: (status, body) => adapter.failure({ status, headers: {}, body }),
    reply: replyFor(adapter, context, whole),
    whole,
  };
};

/** A call in its caller's own protocol to a host with an envelope of its own. */
export const envelopeOf = async (
  core: RelayCore,
  call: TextCall,
  { adapter, channel }: Readonly<{ adapter: EnvelopedAdapter; channel: UpstreamChannel }>,
): Promise<UpstreamRequest | ApiError> => {
  const upstreamModel = upstreamModelOf(channel, call.model);
  if (typeof upstreamModel !== 'string') return upstreamModel;
  const options = core.options.current();
  const context = { channel, options, io: core.providerIo(channel.proxy), upstreamModel };
  const asked = await helped(core, channel)(() => adapter.request(call, context));
  return isApiError(asked) ? asked : wireRequest(asked, channel, upstreamModel);
};
