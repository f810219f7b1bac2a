import type { JsonObject } from '../canonical.ts';

/** One event; its name on the wire is its `type`. */
export type ResponseEvent = JsonObject & Readonly<{ type: string }>;

export const encodeEvent = (event: ResponseEvent): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Events of one response, numbered in their order. */
export class EventList {
  private count = 0;
  private events: ResponseEvent[] = [];

  emit(type: string, members: JsonObject): void {
    this.events.push({ type: `response.${type}`, sequence_number: this.count, ...members });
    this.count += 1;
  }

  /** Those added since they were last taken. */
  take(): readonly ResponseEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}

/** Index of an item in the output. */
export type ItemPlace = Readonly<{ events: EventList; index: number; id: string }>;

export type ItemStatus = 'completed' | 'incomplete';

/** An item of the output that is still being written. */
export interface OpenItem {
  /** The item as it is part of the finished response. */
  close(status: ItemStatus): JsonObject;
}

export const addItem = ({ events, index }: ItemPlace, item: JsonObject): void =>
  events.emit('output_item.added', { output_index: index, item });

export const endItem = ({ events, index }: ItemPlace, item: JsonObject): JsonObject => {
  events.emit('output_item.done', { output_index: index, item });
  return item;
};
