import type { ResolvedEvent } from '@eventstore/db-client';
import type { Metadata, Recorded } from '../../domain/shared/event.ts';
import type { OnUnreadable } from '../ports/event-store.ts';
import type { DecodedEvent, Decoder } from './decoder.ts';

/*
 * The one rule on events that cannot be read (not JSON, of an unknown type, of another shape): they
 * are left out, here and nowhere else, so that no reader of the log stops at one. `onUnreadable` gets
 * each; the adapter logs and counts them, and verify reports them as breaks.
 */

type StoredEvent = NonNullable<ResolvedEvent['event']>;

/** How the events of a log become ours. */
export type Reading = Readonly<{
  /** null takes every event for readable: for logs that are not the product's. */
  decode: Decoder | null;
  onUnreadable: OnUnreadable;
}>;

/** Events of the store's own (`$metadata`, `$streamDeleted`, links) are not events of ours. */
const isSystemEvent = ({ event }: ResolvedEvent): boolean =>
  event === undefined || event.type.startsWith('$') || event.streamId.startsWith('$');

const asStored = ({ data, metadata }: StoredEvent): DecodedEvent => ({
  data,
  metadata: metadata as Metadata,
});

/** null for a system event, and for one that cannot be read. */
export const toRecorded = (resolved: ResolvedEvent, reading: Reading): Recorded | null => {
  const { event } = resolved;
  if (event === undefined || isSystemEvent(resolved)) return null;
  const place = {
    eventId: event.id,
    streamId: event.streamId,
    revision: event.revision,
    position: resolved.commitPosition ?? event.position?.commit ?? 0n,
  };
  const decoded = reading.decode === null ? asStored(event) : reading.decode(event);
  if (typeof decoded === 'string') {
    reading.onUnreadable({ ...place, type: event.type, reason: decoded });
    return null;
  }
  return {
    event: { type: event.type, data: decoded.data as Recorded['event']['data'] },
    ...place,
    metadata: decoded.metadata,
  };
};
