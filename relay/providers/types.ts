import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { RelayOptions } from '../feeds/options.ts';
import type { ApiError } from '../ingress/api-error.ts';
import type { Protocol } from '../ingress/protocol.ts';
import type { BodyScan } from '../ingress/scan-body.ts';
import type { FormScan } from '../ingress/scan-form.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import type { HttpRequest, ProviderIo, TranslatingAdapter } from './translate.ts';

/** What adapters take from the operator's options. */
export type AdapterOptions = Pick<
  RelayOptions,
  'families' | 'passesBodies' | 'serverAddress' | 'systemName'
>;

/** What a caller may ask of a provider in the text family. */
export type TextOperation =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'responses'
  | 'moderations'
  | 'rerank'
  | MediaOperation;

/** Pictures and sound: requests may be forms, answers may be files. */
export type MediaOperation = 'images' | 'speech' | 'transcription';

/** What a call for pictures or sound is measured by. */
export type CallMedia = Readonly<{
  /** Pictures that are asked for. */
  pictures: number;
  /** As asked for; "" where nothing is said. */
  size: string;
  quality: string;
  /** What the input counts for where no tokenizer is needed: characters, time. */
  inputTokens: number | null;
  /** The most that an honest answer can report, in tokens. */
  mostOutputTokens: number;
}>;

/** A call as the ingress hands it on: the caller's own bytes and what was read out of them. */
export type TextCall = Readonly<{
  operation: TextOperation;
  /** What the caller speaks; bodies are of its shape. */
  protocol: Protocol;
  /** With query, as the provider of that protocol has it. */
  path: string;
  /** Without query, as the client sent it. */
  clientPath: string;
  /** The name that the client asked for. */
  model: string;
  body: Buffer;
  scan: BodyScan;
  isStream: boolean;
  contentType: string;
  /** "" when the client sent none. */
  accept: string;
  /** The caller's own headers of its protocol, names and values in turn. */
  ownHeaders?: readonly string[];
  /** Where the body is a form. */
  form?: FormScan;
  /** Of calls for pictures and sound. */
  media?: CallMedia;
  /** An answer of a spoken session, which hears all that was said before it. */
  isSession?: true;
}>;

/** What goes over the wire to a provider. */
export type UpstreamRequest = Readonly<{
  /** Scheme, host and port. */
  origin: string;
  path: string;
  /** Names and values in turn. */
  headers: readonly string[];
  body: Buffer;
  /** "" for none. */
  proxy: string;
  upstreamModel: string;
  /** The provider was asked for usage that the client did not ask for. */
  addedUsage: boolean;
  /** POST when absent. */
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
}>;

export type UpstreamFailure = Readonly<{
  /** `connect`: nobody answered. `status`: an answer that says no. `body`: an unusable answer. */
  kind: 'connect' | 'timeout' | 'status' | 'body';
  /** What upstream said; 0 when it said nothing. */
  upstreamStatus: number;
  error: ApiError;
  retryable: boolean;
}>;

/** Gathers the report of usage out of the events of a stream as they pass. */
export interface UsageGatherer {
  read(events: Buffer): void;
  /** What was reported so far; null: nothing. */
  found(): unknown;
}

/** What must be known of a protocol to bill its answers without translating them. */
export type Wire = Readonly<{
  gather: () => UsageGatherer;
  /** Of an answer in one piece. */
  wholeUsage: (body: Buffer) => unknown;
  /** What the last event of a stream holds: it is kept back until the request is booked. */
  closing: readonly Buffer[];
  /** Nothing counts after that event. */
  endsAtClosing: boolean;
  /** The text that an answer or event produced. */
  text: (answer: unknown) => string;
  /** About what an event costs beside its text, in bytes. */
  overheadBytes: number;
  /** The end of an answer that the balance cannot carry any further. */
  cutOff: string;
  /** The end of an answer with words that may not be said; `cutOff` when absent. */
  filtered?: string;
}>;

/** For providers that speak the caller's own protocol: bytes pass through, usage is read out. */
export type PassThroughAdapter = Readonly<{
  request: (
    call: TextCall,
    channel: UpstreamChannel,
    options: AdapterOptions,
  ) => UpstreamRequest | ApiError;
  /** A provider's usage object in our terms; null when it says nothing. */
  usage: (reported: unknown) => ReportedUsage | null;
  failure: (status: number, body: Buffer) => ApiError;
  /** How answers read; OpenAI's chat when absent. */
  wire?: Wire;
}>;

export type EnvelopeContext = Readonly<{
  channel: UpstreamChannel;
  options: AdapterOptions;
  io: ProviderIo;
  upstreamModel: string;
}>;

/** A host that takes the caller's own protocol in an envelope: signed, or behind an access token. */
export type EnvelopedAdapter = Omit<PassThroughAdapter, 'request'> &
  Readonly<{
    request: (call: TextCall, context: EnvelopeContext) => Promise<HttpRequest | ApiError>;
    /** Takes events out of what the host wraps them in; null: it cannot be read. */
    unwrap?: () => (bytes: Buffer) => Buffer | null;
  }>;

/** A provider offers the adapters it has; the registry answers for the others. */
export type Provider = Readonly<{
  name: string;
  /** `owned_by` in lists of models. */
  owner: string;
  text?: PassThroughAdapter;
  /** Callers of the Responses API. */
  responses?: PassThroughAdapter;
  /** Callers of the APIs for pictures and sound. */
  media?: PassThroughAdapter;
  /** Callers of these protocols whose bytes the provider takes as they are. */
  claude?: PassThroughAdapter;
  gemini?: PassThroughAdapter;
  /** The same at a host with an envelope of its own; null: this model speaks otherwise. */
  enveloped?: (protocol: Protocol, upstreamModel: string) => EnvelopedAdapter | null;
  /** For every other caller. */
  translate?: TranslatingAdapter;
}>;
