import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Quote } from '../../domain/pricing/types.ts';
import type { RequestId } from '../../domain/shared/ids.ts';
import type { CallTrace } from '../../infra/ports/tracing.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { TextCall } from '../protocol/calls.ts';
import type { Route } from './access.ts';
import type { CallPermit } from './call-limits/call-limiter.ts';
import type { Caller } from './caller.ts';
import type { Reservation } from './lease-book.ts';

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
  /** Bytes of its body in memory, as taken from the budget of the process. */
  heldBytes: number;
};

/** What the records of an admitted request are made of. */
export type BookedCall = Readonly<{
  requestId: RequestId;
  caller: Caller;
  call: TextCall;
  /** Path without query, as the client sent it. */
  path: string;
  group: string;
  quote: Quote;
  reservation: Reservation;
  /** What the call holds of limits; null: it is under none. */
  permit: CallPermit | null;
  /** Unix milliseconds, after the channel was chosen. */
  startedAtMs: number;
}>;

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
