import type { Event } from '../shared/event.ts';

/**
 * Dead letter: a usage record that cannot be settled. The record is kept for an operator.
 * Streams `usageSetAside-<partition>`.
 */
export type UsageRecordSetAside = Event<'UsageRecordSetAside', { reason: string; record: string }>;
