import type { Event, Metadata, Recorded } from '../../domain/shared/event.ts';
import { uuidFrom } from '../shared/uuid.ts';

/** Answers the position of what it caused, null when nothing had to be done. */
export type Reaction = (recorded: Recorded) => Promise<bigint | null>;

/** An entry of `on`; the log gives events of a type in that type's shape. */
export const when = <E extends Event>(
  type: E['type'],
  react: (recorded: Recorded<E>) => Promise<bigint | null>,
): Readonly<Record<string, Reaction>> => ({ [type]: react as Reaction });

/** "When this happens, do that": finishes what spans streams, from its own checkpoint. */
export type Process = Readonly<{
  /** Names the checkpoint; never changes. */
  name: string;
  /** By event type. */
  on: Readonly<Record<string, Reaction>>;
  /** No reply waits for a process that has this: what it does shows nowhere in the product. */
  aside?: Aside;
}>;

/** For frequent events of which few matter, and for work that continues after the reaction. */
type Aside = Readonly<{
  /** Sorts out at once what needs no reaction. */
  concerns: (recorded: Recorded) => boolean;
  /** Work continues; the checkpoint waits for it, so that a restart begins it again. */
  isBusy: () => boolean;
}>;

/** The command's id is derived from the event, so that a repeat after a crash is harmless. */
export const causedBy = (
  { eventId, metadata }: Pick<Recorded, 'eventId' | 'metadata'>,
  step: string,
): Metadata => ({
  actor: { kind: 'system', id: step },
  correlationId: metadata.correlationId,
  causationId: eventId,
  commandId: uuidFrom(`${eventId}/${step}`),
  occurredAt: metadata.occurredAt,
});
