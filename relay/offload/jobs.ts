import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { Usage } from '../../domain/pricing/types.ts';
import type { Prepared, PrepareTerms } from '../exchange/prepare.ts';
import type { VoiceFacts } from '../exchange/voice.ts';
import type { ApiError } from '../ingress/api-error.ts';
import type { BodyScan, Member } from '../ingress/scan-body.ts';
import type { FamilySettings, HttpReply, OpenAiCall } from '../providers/translate.ts';
import type { TextCall } from '../providers/types.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';

/** What was found in a body; offsets are of `body`. */
export type Examined = Readonly<{
  scan: BodyScan;
  members: readonly (readonly [name: string, member: Member])[];
  /** Written anew, where it said something twice; null: as it came. */
  body: Buffer | null;
  /** The first sensitive word; null: none. */
  word: string | null;
}>;

/** An answer in one piece, read and told in the caller's protocol. */
export type ReadAnswer = Readonly<{
  usage: ReportedUsage | null;
  /** In OpenAI's shape while its usage is still to be counted, else as the caller is told. */
  bytes: Buffer;
  isTold: boolean;
  /** Tokens that were produced; null where the provider reported them. */
  producedTokens: number | null;
  /** What was said; null where it was not asked for. */
  text: string | null;
}>;

/** Adapters' calls outside go by a port: see `remote-io.ts`. */
export type Jobs = {
  'count-text': { input: Readonly<{ text: string; model: string }>; output: number };
  'count-prompt': { input: Readonly<{ body: Buffer; model: string }>; output: number };
  examine: {
    input: Readonly<{ body: Buffer; words: readonly string[] }>;
    output: Examined | ApiError;
  };
  prepare: {
    input: Readonly<{ call: TextCall; terms: PrepareTerms; startedAtMs: number }>;
    output: Prepared | ApiError;
  };
  'read-answer': {
    input: Readonly<{
      channel: UpstreamChannel;
      families: FamilySettings;
      call: OpenAiCall;
      reply: HttpReply;
      facts: VoiceFacts;
      wantsText: boolean;
      startedAtMs: number;
    }>;
    output: ReadAnswer | ApiError;
  };
  'tell-answer': {
    input: Readonly<{ bytes: Buffer; usage: Usage; facts: VoiceFacts }>;
    output: Buffer;
  };
};
