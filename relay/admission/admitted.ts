import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ModelLimits } from '../../domain/pricing/model-limits.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import type { RequestId } from '../../domain/shared/ids.ts';
import type { TaskFacts } from '../../domain/task/events.ts';
import type { CallTrace } from '../../infra/ports/tracing.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { TextCall } from '../protocol/calls.ts';
import type { Route } from './access.ts';
import type { CallPermit } from './call-limits/call-limiter.ts';
import type { Caller } from './caller.ts';
import type { Reservation } from './lease-book.ts';
import type { AdmissionProgress } from './refusal-counter.ts';

/** A received request. */
type Arrived = Readonly<{
  req: IncomingMessage;
  res: ServerResponse;
  requestId: RequestId;
  /** Unix milliseconds, by the clock. */
  arrivedAtMs: number;
  /** Milliseconds of the process's own monotonic clock, for latencies. */
  arrivedTick: number;
  /** null: no collector is configured. */
  trace: CallTrace | null;
}>;

/** A request on its way in. */
export type Incoming = Arrived & {
  /** Shared by all copies of the request. */
  readonly progress: AdmissionProgress;
  /** Bytes of its body in memory, as taken from the budget of the process. */
  heldBytes: number;
};

/** What the records of every call are made of. */
type Recorded = Readonly<{
  requestId: RequestId;
  caller: Caller;
  /** Path without query, as the client sent it. */
  path: string;
  group: string;
  quote: Quote;
  /** What the call holds of limits; null: it is under none. */
  permit: CallPermit | null;
  /** Unix milliseconds, after the channel was chosen. */
  startedAtMs: number;
}>;

/** An admitted call that is answered at once. */
export type BookedCall = Recorded &
  Readonly<{
    call: TextCall;
    /** Context window and output limit of a model, as in the estimate. */
    allowanceOf: (model: string) => ModelLimits;
    reservation: Reservation;
    task?: undefined;
  }>;

/** An admitted call that submits work, which its provider does after it. */
export type TaskCall = Recorded &
  Readonly<{
    call: Readonly<{ model: string; isStream: false }>;
    /** null: it is free. */
    reservation: Reservation | null;
    task: TaskFacts;
  }>;

export type ChargedCall = BookedCall | TaskCall;

/** A request that passed every check and holds its reservation. */
export type Admitted = Arrived &
  BookedCall &
  Readonly<{
    route: Route;
    channel: UpstreamChannel;
    /** Output tokens that the reservation covers. */
    coveredTokens: number;
    /** The client requested the usage chunk of a stream. */
    wantsUsage: boolean;
  }>;
