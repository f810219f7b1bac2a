import { notOffered } from '../delivery/failures.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { isApiError } from '../protocol/api-error.ts';
import type { TextCall } from '../protocol/calls.ts';
import type { OpenAiCall } from '../protocol/canonical.ts';
import { providerOf } from '../providers/registry.ts';
import { passesBody } from '../providers/shared/channel-settings.ts';
import { upstreamModelOf } from '../providers/shared/mapped-model.ts';
import type { TranslatingAdapter, TranslationContext } from '../providers/translate.ts';
import { resolveListTransport, resolveTransport, type Transport } from '../providers/transport.ts';
import type { AdapterOptions, EnvelopedAdapter } from '../providers/types.ts';
import { bodyBytes } from '../upstream/body-bytes.ts';
import type { HttpRequest, ProviderIo, UpstreamRequest } from '../upstream/types.ts';
import { canonicalCall } from './canonical-call.ts';

/** What an attempt is made of besides the call: plain values, so that any thread can make it. */
export type PrepareTerms = Readonly<{
  channel: UpstreamChannel;
  options: AdapterOptions;
  /** Messages that a request may hold where it is translated. */
  maxMessages: number;
}>;

/** What one attempt sends, and how its answer is read. */
export type Prepared =
  | Readonly<{ kind: 'bytes' | 'enveloped' | 'listed'; request: UpstreamRequest }>
  | Readonly<{ kind: 'translated'; request: UpstreamRequest; call: OpenAiCall }>;

/** Making an attempt's request on another thread. */
export type PrepareJobs = {
  prepare: {
    input: Readonly<{ call: TextCall; terms: PrepareTerms; startedAtMs: number }>;
    output: Prepared | ApiError;
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

const enveloped = async (
  call: TextCall,
  { channel, options }: PrepareTerms,
  { adapter, io }: Readonly<{ adapter: EnvelopedAdapter; io: ProviderIo }>,
): Promise<UpstreamRequest | ApiError> => {
  const upstreamModel = upstreamModelOf(channel, call.model);
  if (typeof upstreamModel !== 'string') return upstreamModel;
  const asked = await adapter.request(call, { channel, options, io, upstreamModel });
  return isApiError(asked) ? asked : wireRequest(asked, channel, upstreamModel);
};

/** In the caller's own words, which the provider takes as they are; null: it does not. */
const listed = async (
  call: TextCall,
  terms: PrepareTerms,
  io: ProviderIo,
): Promise<UpstreamRequest | ApiError | null> => {
  const { channel, options } = terms;
  const transport = resolveListTransport(channel, call);
  if (transport === null || transport.kind === 'translated' || transport.adapter.wire === undefined)
    return null;
  return transport.kind === 'enveloped'
    ? enveloped(call, terms, { adapter: transport.adapter, io })
    : transport.adapter.request(call, channel, options);
};

/** In the provider's own protocol. */
const translated = async (
  call: TextCall,
  terms: PrepareTerms,
  { adapter, io }: Readonly<{ adapter: TranslatingAdapter; io: ProviderIo }>,
): Promise<Prepared | ApiError> => {
  const own = await listed(call, terms, io);
  if (own !== null) return isApiError(own) ? own : { kind: 'listed', request: own };
  const { channel, options } = terms;
  const canonical = await canonicalCall(call, terms);
  if (isApiError(canonical)) return canonical;
  const context: TranslationContext = {
    call: canonical,
    channel,
    settings: options.families,
    io,
  };
  const asked = await adapter.request(context);
  if (isApiError(asked)) return asked;
  const isSent =
    call.operation !== 'responses' &&
    passesBody(call, channel, options) &&
    providerOf(channel.type)?.needsOwnBody !== true;
  const sent = isSent ? { ...asked, body: call.body } : asked;
  return {
    kind: 'translated',
    request: await wireRequest(sent, channel, canonical.upstreamModel),
    call: canonical,
  };
};

const wrapped = async (
  call: TextCall,
  terms: PrepareTerms,
  { transport, io }: Readonly<{ transport: Transport; io: ProviderIo }>,
): Promise<Prepared | ApiError> => {
  if (transport.kind === 'translated')
    return translated(call, terms, { adapter: transport.adapter, io });
  const request =
    transport.kind === 'bytes'
      ? transport.adapter.request(call, terms.channel, terms.options)
      : await enveloped(call, terms, { adapter: transport.adapter, io });
  return isApiError(request) ? request : { kind: transport.kind, request };
};

/** Everything that one attempt sends, or why it cannot be made. */
export const prepare = async (
  call: TextCall,
  terms: PrepareTerms,
  io: ProviderIo,
): Promise<Prepared | ApiError> => {
  const transport = resolveTransport(terms.channel, call);
  return transport === null ? notOffered.error : wrapped(call, terms, { transport, io });
};
