import type { Recorded } from './event.ts';

/** A place in the log and the event there; null where an earlier release did not note which. */
export type LogPlace = Readonly<{ position: bigint; eventId: string | null }>;

export const logPlaceOf = ({ position, eventId }: Recorded): LogPlace => ({ position, eventId });

/** What a look at one place needs of the log. */
type ReadableLog = Readonly<{
  head(): Promise<bigint | null>;
  readAll(options: Readonly<{ from: bigint; maxCount: number }>): AsyncIterable<Recorded>;
}>;

const firstFrom = async (eventStore: ReadableLog, from: bigint): Promise<Recorded | null> => {
  for await (const recorded of eventStore.readAll({ from, maxCount: 1 })) return recorded;
  return null;
};

/**
 * Can what was read up to this place have come from this log? Not when the log ends before it, or holds
 * another event there. An event that the store has removed since says nothing: a later one follows.
 */
export const holdsPlace = async (
  eventStore: ReadableLog,
  { position, eventId }: LogPlace,
): Promise<boolean> => {
  if (eventId === null) {
    const head = await eventStore.head();
    return head !== null && head >= position;
  }
  const found = await firstFrom(eventStore, position);
  if (found === null) return false;
  return found.position !== position || found.eventId === eventId;
};

/**
 * The log no longer holds an event that a subscription has delivered: it was restored from an older backup,
 * or is another one. What was made of its events in memory cannot be trusted.
 */
export class LogReplacedError extends Error {
  readonly at: LogPlace;
  constructor(at: LogPlace) {
    super(`the log does not hold event ${at.eventId} at position ${at.position} any more`);
    this.name = 'LogReplacedError';
    this.at = at;
  }
}
