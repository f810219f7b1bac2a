import { defineEvents, type EventsOf } from './catalogue.ts';
import { digits, text } from './shape.ts';

export const processEvents = {
  /** Progress of a process; its stream `process-<name>` keeps the newest one only. */
  ProcessAdvanced: defineEvents('process', null)({ name: text, position: digits }),
};
export type ProcessAdvanced = EventsOf<typeof processEvents>['ProcessAdvanced'];
