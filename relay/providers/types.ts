import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { RelayOptions } from '../feeds/options.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { Protocol } from '../protocol/caller-protocol.ts';
import type { TextCall } from '../protocol/calls.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import type { ChatDialect } from '../protocol/chat-dialect.ts';
import type { OutputMembers } from '../protocol/output-scan.ts';
import type { HttpRequest, ProviderIo, UpstreamRequest } from '../upstream/types.ts';
import type { ProviderAccount } from './shared/account.ts';
import type { RealtimeAdapter } from './shared/realtime.ts';
import type { TranslatingAdapter } from './translate.ts';

/** What adapters take from the operator's options. */
export type AdapterOptions = Pick<
  RelayOptions,
  'families' | 'passesBodies' | 'serverAddress' | 'systemName'
>;

/** Gathers the report of usage out of the events of a stream as they pass. */
export interface UsageGatherer {
  read(events: Buffer): void;
  /** What was reported so far; null: nothing. */
  found(): unknown;
}

/** A stream that the relay ends. */
export type StreamCut = Readonly<{
  /** The balance cannot fund it any further, or it contains blocked words. */
  reason: 'quota' | 'words';
  /** Reports the reason to callers, in a member that the protocol does not have. */
  notice: JsonObject;
  /** The first and the last events that were passed on. */
  first: Buffer;
  last: Buffer;
}>;

/** What billing needs of a protocol whose answers are not translated. */
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
  /** Where events hold what they produce: strings and objects behind these names. */
  outputMembers: OutputMembers;
  /** Output tokens that were reported before the end; absent where reports are sent with it. */
  outputSoFar?: (gatherer: UsageGatherer) => number;
  /** About the size of an event without its text, in bytes. */
  overheadBytes: number;
  /** Events that end an answer early. */
  cutOff: (cut: StreamCut) => string;
}>;

/** For providers with the caller's own protocol: bytes are passed through, usage is read. */
export type PassThroughAdapter = Readonly<{
  request: (
    call: TextCall,
    channel: UpstreamChannel,
    options: AdapterOptions,
  ) => UpstreamRequest | ApiError;
  /** A provider's usage object in our terms; null when it contains nothing. */
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

/** A provider's own count of prompts, in a protocol that it has; it charges nothing for it. */
export type PromptCounter = Pick<PassThroughAdapter, 'request'> &
  Readonly<{
    /** null: the answer holds none. */
    tokens: (answer: JsonObject) => number | null;
  }>;

/** The APIs for images and audio, where the caller's bytes pass through. */
type MediaPassThrough = Readonly<{
  adapter: PassThroughAdapter;
  /** Which calls pass; all of them when absent. The others are translated. */
  takes?: (call: TextCall) => boolean;
}>;

export type RefusalCause = 'key' | 'caller';

/** A provider offers the adapters it has; `registry.ts` lists them all. */
export type Provider = Readonly<{
  /** `owned_by` in lists of models. */
  owner: string;
  /** OpenAI's text calls, as the caller's bytes. */
  text?: PassThroughAdapter;
  /** Callers of the Responses API. */
  responses?: PassThroughAdapter;
  /** Does this channel take them? All of them do when absent. */
  takesResponses?: (channel: UpstreamChannel) => boolean;
  media?: MediaPassThrough;
  /** Callers of these protocols whose bytes the provider takes as they are. */
  claude?: PassThroughAdapter;
  gemini?: PassThroughAdapter;
  /** The same at a host with a different envelope; null: this model has another protocol. */
  enveloped?: (protocol: Protocol, upstreamModel: string) => EnvelopedAdapter | null;
  /** Counts of prompts, for callers of these protocols. */
  counters?: Readonly<Partial<Record<Protocol, PromptCounter>>>;
  /** For every other caller. */
  translate?: TranslatingAdapter;
  /** Lists of models and balances. */
  account?: ProviderAccount;
  /** Realtime sessions. */
  realtime?: RealtimeAdapter;
  /** The same in Gemini's protocol. */
  live?: RealtimeAdapter;
  /** Chats with this model are translated although the provider takes OpenAI's bytes. */
  rewritesChat?: (upstreamModel: string) => boolean;
  /** The protocol that translated calls go up in: its own callers keep members that no other one has. */
  speaks?: Protocol;
  /** Which members a translated chat may hold; `compatible` when absent. */
  dialect?: (upstreamModel: string) => ChatDialect;
  /** Requests are signed over their bytes or sent in frames: a caller's body cannot replace them. */
  needsOwnBody?: true;
  /** Adds prompts, knowledge or searches before the caller's messages. */
  addsToPrompts?: true;
  /** Refuses with 400 what other providers take: another channel is worth a try. */
  retriesBadRequests?: true;
  /** Who is at fault, where the status of a refusal leaves it open: the channel's key or the caller. */
  refusalCause?: (error: ApiError) => RefusalCause | null;
}>;
