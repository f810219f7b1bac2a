import type { Event } from '../shared/event.ts';

/**
 * A usage record that cannot be settled; an operator has to look at it. Nothing is lost with it.
 * Streams `usageSetAside-<partition>`.
 */
export type UsageRecordSetAside = Event<'UsageRecordSetAside', { reason: string; record: string }>;
