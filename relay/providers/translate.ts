import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { ApiError } from '../ingress/api-error.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';

/** Parsed JSON whose unknown members must survive a translation. */
export type JsonObject = { [member: string]: unknown };

export type TranslatedOperation =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'images'
  | 'rerank'
  | 'speech'
  | 'transcription'
  | 'moderations';

/** A call in OpenAI's own shape, which is the canonical form between ingress and provider. */
export type OpenAiCall = Readonly<{
  operation: TranslatedOperation;
  /** With query, beginning with `/v1/`. */
  path: string;
  /** The name that the client asked for; prices and logs go by it. */
  requestedModel: string;
  /** After the channel's mapping. */
  upstreamModel: string;
  body: JsonObject;
  isStream: boolean;
  /** Multipart form of audio and image uploads; null for JSON calls. */
  form: FormData | null;
}>;

export type HttpRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** At a `wss:` address `body` goes up as one text frame; each frame back is one line of bytes. */
  url: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | FormData | null;
  /** The address was chosen by a caller: private ranges are refused after name resolution. */
  publicOnly?: true;
  /** A longer answer is cut off and refused. */
  maxBytes?: number;
  /** For the whole call; two minutes when absent. */
  timeoutMs?: number;
}>;

export type HttpReply = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}>;

/** Settings of provider families, out of the operator's options (relay sheet 27 and 28). */
export type FamilySettings = Readonly<{
  claude: Readonly<{
    modelHeaders: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
    defaultMaxTokens: Readonly<Record<string, number>>;
    thinkingAdapter: boolean;
    thinkingBudgetShare: number;
  }>;
  gemini: Readonly<{
    safetySettings: Readonly<Record<string, string>>;
    versionSettings: Readonly<Record<string, string>>;
    imagineModels: readonly string[];
    thinkingAdapter: boolean;
    thinkingBudgetShare: number;
  }>;
  /** Whether callers are told the steps of a workflow as reasoning; they are when absent. */
  dify?: Readonly<{ showSteps: boolean }>;
  /** Which site calls, for providers that keep a list of their callers. */
  site?: Readonly<{ address: string; name: string }>;
}>;

/** What a translation may need from outside; handed in, so that translations are tested by data. */
export type ProviderIo = Readonly<{
  /** A helper call to the provider or, for pictures by URL, to a public address. */
  fetch: (request: HttpRequest) => Promise<HttpReply>;
  now: () => Date;
  /** Random, for ids that a provider or a client expects. */
  newId: () => string;
  pause: (ms: number) => Promise<void>;
  /** Keeps access tokens and the like for as long as they hold. */
  cached: (
    key: string,
    make: () => Promise<{ value: string; ttlSeconds: number }>,
  ) => Promise<string>;
  /** Throws a kept value away that the provider no longer takes. */
  forget?: (key: string) => void;
}>;

export type TranslationContext = Readonly<{
  call: OpenAiCall;
  channel: UpstreamChannel;
  settings: FamilySettings;
  io: ProviderIo;
}>;

/** An answer in OpenAI's shape, and what it used in our terms; null when nothing was reported. */
export type OpenAiReply = Readonly<{
  status: number;
  contentType: string;
  body: JsonObject | Buffer;
  usage: ReportedUsage | null;
}>;

/** Turns the bytes of an upstream stream into OpenAI chunks; holds only what spans two reads. */
export interface StreamTranslation {
  /** Chunks in OpenAI's shape, in order. A failure inside the stream ends it. */
  push(bytes: Buffer): readonly JsonObject[] | ApiError;
  /** Called once, when upstream has ended; what is still to be said. */
  end(): readonly JsonObject[] | ApiError;
  /** What has been reported so far. */
  usage(): ReportedUsage | null;
}

/** For providers with a protocol of their own: OpenAI's shapes in, OpenAI's shapes out. */
export type TranslatingAdapter = Readonly<{
  operations: readonly TranslatedOperation[];
  /** Pictures may be edited as well as made: the provider has OpenAI's paths for it. */
  editsPictures?: true;
  request: (context: TranslationContext) => Promise<HttpRequest | ApiError>;
  reply: (reply: HttpReply, context: TranslationContext) => Promise<OpenAiReply | ApiError>;
  stream: (context: TranslationContext) => StreamTranslation;
  /** An answer that says no. */
  failure: (reply: HttpReply) => ApiError;
}>;
