import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { text } from '../shared/shape.ts';

export const deadLetterEvents = {
  /**
   * Dead letter: a usage record that cannot be settled. The record is kept for an operator.
   * Streams `usageSetAside-<partition>`.
   */
  UsageRecordSetAside: defineEvents('usageSetAside', null)({ reason: text, record: text }),
};
export type UsageRecordSetAside = EventsOf<typeof deadLetterEvents>['UsageRecordSetAside'];
