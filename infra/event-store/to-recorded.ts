import type { ResolvedEvent } from '@eventstore/db-client';
import type { Recorded } from '../../domain/shared/event.ts';

/** Events of the store's own (`$metadata`, `$streamDeleted`, links) are not events of ours. */
export const isSystemEvent = ({ event }: ResolvedEvent): boolean =>
  event === undefined || event.type.startsWith('$') || event.streamId.startsWith('$');

/**
 * null for a system event. The shapes inside are ours by contract: only this product writes the
 * log, through `append`.
 */
export const toRecorded = (resolved: ResolvedEvent): Recorded | null => {
  const { event } = resolved;
  if (event === undefined || isSystemEvent(resolved)) return null;
  return {
    event: { type: event.type, data: event.data as Recorded['event']['data'] },
    eventId: event.id,
    streamId: event.streamId,
    revision: event.revision,
    position: resolved.commitPosition ?? event.position?.commit ?? 0n,
    metadata: event.metadata as Recorded['metadata'],
  };
};
