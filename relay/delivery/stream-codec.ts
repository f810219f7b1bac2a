import type { RequestEnd } from '../../domain/account/events.ts';
import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { Settled } from '../settlement/charge.ts';
import type { StreamText } from '../settlement/stream-text.ts';
import type { UpstreamFailure } from '../upstream/types.ts';
import type { Produced } from './reply.ts';
import type { CutReason } from './stream-events.ts';

/** How a stream ends for its caller. */
export type StreamEnding = Readonly<{
  /** Why the gateway ends it; null: its provider has. */
  cut: CutReason | null;
  failure: UpstreamFailure | null;
  /** null: nothing was charged. */
  settled: Settled | null;
}>;

/** The stream of one protocol: how its events are read, and how they are written for the caller. */
export interface StreamCodec extends Produced {
  readonly contentType: string;
  /** Comments between its events are ignored by clients; false: it has none. */
  readonly takesComments: boolean;
  /** Bytes of upstream: what of them goes to the caller now. An error ends the stream. */
  push(chunk: Buffer): Buffer | ApiError;
  /** Upstream has ended: the rest. */
  flush(): Buffer | ApiError;
  /** A part of the answer has arrived, not only its beginning. */
  readonly hasContent: boolean;
  /** An error in place of the first content, as the body of an error response has it. */
  readonly refusal: Buffer | null;
  /** There is an answer, although it may be empty. */
  readonly hasAnswer: boolean;
  /** The last event has arrived. */
  readonly isClosed: boolean;
  /** The answer has to end here: it holds a blocked word. */
  readonly isBlocked: boolean;
  /** A piece of an event has been passed on. */
  readonly isWithinEvent: boolean;
  reported(): ReportedUsage | null;
  /** Whether that report is of the whole answer; `reason` is null while it runs. */
  isFinal(reported: ReportedUsage | null, reason: RequestEnd | null): boolean;
  text(): StreamText;
  /** The last bytes. */
  ending(ending: StreamEnding): Buffer;
}
