import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { FamilySettings } from '../feeds/family-settings.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { JsonObject, OpenAiCall, TranslatedOperation } from '../protocol/canonical.ts';
import type { HttpReply, HttpRequest, ProviderIo } from '../upstream/types.ts';

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
  /** Called once, when upstream has ended; the remaining output. */
  end(): readonly JsonObject[] | ApiError;
  /** What has been reported so far. */
  usage(): ReportedUsage | null;
}

/** For providers with a protocol of their own: OpenAI's shapes in, OpenAI's shapes out. */
export type TranslatingAdapter = Readonly<{
  operations: readonly TranslatedOperation[];
  /** Pictures may be edited as well as made. */
  editsPictures?: true;
  request: (context: TranslationContext) => Promise<HttpRequest | ApiError>;
  reply: (reply: HttpReply, context: TranslationContext) => Promise<OpenAiReply | ApiError>;
  stream: (context: TranslationContext) => StreamTranslation;
  /** An error response. */
  failure: (reply: HttpReply) => ApiError;
}>;
