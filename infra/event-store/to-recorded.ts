import type { ResolvedEvent } from '@eventstore/db-client';
import type { Metadata, Recorded } from '../../domain/shared/event.ts';
import type { OnUnreadable } from '../ports/event-store.ts';
import type { DecodedEvent, Decoder } from './decoder.ts';

/*
 * The one rule on events that cannot be read (not JSON, of an unknown type, of another shape): they
 * are left out, here and nowhere else, so that no reader of the log stops at one. `onUnreadable` gets
 * each; the adapter logs and counts them, and verify reports them as breaks.
 */

/** An event of the log with its place. */
export type StoredEvent = Readonly<{
  id: string;
  streamId: string;
  revision: bigint;
  position: bigint;
  type: string;
  data: unknown;
  metadata: unknown;
}>;

/** How the events of a log become ours. */
export type Reading = Readonly<{
  /** null takes every event for readable: for logs that are not the product's. */
  decode: Decoder | null;
  onUnreadable: OnUnreadable;
}>;

/** Unreadable events go to the reader of this call, and to the one of all calls. */
export const notingFor = (reading: Reading, onUnreadable: OnUnreadable | undefined): Reading =>
  onUnreadable === undefined
    ? reading
    : {
        ...reading,
        onUnreadable: (event) => {
          reading.onUnreadable(event);
          onUnreadable(event);
        },
      };

/** Events of the store's own (`$metadata`, `$streamDeleted`, links) are not events of ours. */
export const isSystemEvent = (event: Pick<StoredEvent, 'type' | 'streamId'>): boolean =>
  event.type.startsWith('$') || event.streamId.startsWith('$');

const asStored = ({ data, metadata }: StoredEvent): DecodedEvent => ({
  data,
  metadata: metadata as Metadata,
});

/** null for an event that cannot be read. */
export const recordedOf = (event: StoredEvent, reading: Reading): Recorded | null => {
  const { id: eventId, streamId, revision, position, type } = event;
  const place = { eventId, streamId, revision, position };
  const decoded = reading.decode === null ? asStored(event) : reading.decode(event);
  if (typeof decoded === 'string') {
    reading.onUnreadable({ ...place, type, reason: decoded });
    return null;
  }
  return {
    event: { type, data: decoded.data as Recorded['event']['data'] },
    ...place,
    metadata: decoded.metadata,
  };
};

/** null for a system event, and for one that cannot be read. */
export const toRecorded = (resolved: ResolvedEvent, reading: Reading): Recorded | null => {
  const { event } = resolved;
  if (event === undefined || isSystemEvent(event)) return null;
  const position = resolved.commitPosition ?? event.position?.commit ?? 0n;
  return recordedOf({ ...event, position }, reading);
};
