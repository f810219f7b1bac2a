import type { Accepted, Rejected } from '../../domain/shared/decider.ts';
import type { Event } from '../../domain/shared/event.ts';

/** Refusals of the command handler itself, whatever the decider. */
export type HandlerRejection =
  /** The command id was used before, with another intent. */
  | 'request.idempotency-conflict'
  /** The id was fenced while the command was under way. */
  | 'request.expired';

/** `position` of the last event in the log; null when nothing had to be written. */
export type Committed<E extends Event> = Accepted<E> &
  Readonly<{ position: bigint | null; repeated: boolean }>;

export type CommandResult<E extends Event, R extends string> =
  | Committed<E>
  | Rejected<R | HandlerRejection>;
