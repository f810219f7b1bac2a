import { isApiError } from '../admission/caller.ts';
import type { ApiError } from '../ingress/api-error.ts';
import { listedWayFor, type Way, wayFor } from '../providers/registry.ts';
import { passesBody } from '../providers/shared/channel-settings.ts';
import { upstreamModelOf } from '../providers/shared/mapped-model.ts';
import type {
  HttpRequest,
  OpenAiCall,
  ProviderIo,
  TranslatingAdapter,
  TranslationContext,
} from '../providers/translate.ts';
import type {
  AdapterOptions,
  EnvelopedAdapter,
  TextCall,
  UpstreamRequest,
} from '../providers/types.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import { bodyBytes } from '../upstream/body-bytes.ts';
import { canonicalCall } from './canonical-call.ts';
import { notOffered } from './failures.ts';

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

/** Providers whose requests are signed over their bytes, or go up in frames: those stay translated. */
const signedTypes: ReadonlySet<number> = new Set([18, 23, 33]);

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
  const way = listedWayFor(channel, call);
  if (way === null || way.kind === 'translated' || way.adapter.wire === undefined) return null;
  return way.kind === 'enveloped'
    ? enveloped(call, terms, { adapter: way.adapter, io })
    : way.adapter.request(call, channel, options);
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
  const isSent = passesBody(call, channel, options) && !signedTypes.has(channel.type);
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
  { way, io }: Readonly<{ way: Way; io: ProviderIo }>,
): Promise<Prepared | ApiError> => {
  if (way.kind === 'translated') return translated(call, terms, { adapter: way.adapter, io });
  const request =
    way.kind === 'bytes'
      ? way.adapter.request(call, terms.channel, terms.options)
      : await enveloped(call, terms, { adapter: way.adapter, io });
  return isApiError(request) ? request : { kind: way.kind, request };
};

/** Everything that one attempt sends, or why it cannot be made. */
export const prepare = async (
  call: TextCall,
  terms: PrepareTerms,
  io: ProviderIo,
): Promise<Prepared | ApiError> => {
  const way = wayFor(terms.channel, call);
  return way === null ? notOffered.error : wrapped(call, terms, { way, io });
};
