import type { Recorded } from '../../domain/shared/event.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';

/** A place in the log and the event there; null where an earlier release did not note which. */
export type LogPlace = Readonly<{ position: bigint; eventId: string | null }>;

export const logPlaceOf = ({ position, eventId }: Recorded): LogPlace => ({ position, eventId });

const firstFrom = async (eventStore: EventStore, from: bigint): Promise<Recorded | null> => {
  for await (const recorded of eventStore.readAll({ from, maxCount: 1 })) return recorded;
  return null;
};

/**
 * Can rows up to this place have come from this log? Not when the log ends before it, or holds
 * another event there. An event that the store has removed since says nothing: a later one follows.
 */
export const holdsPlace = async (
  eventStore: EventStore,
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
