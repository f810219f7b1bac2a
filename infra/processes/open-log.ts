import { createEventStore } from '../event-store/create-event-store.ts';
import { decodeProductEvent } from '../event-store/decoder.ts';
import { createUnreadableEvents } from '../event-store/unreadable-events.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Runtime } from './runtime.ts';
import type { ServerModule } from './web-app.ts';

/** The log as the product's processes read it, and its state on `/readyz`. */
export type OpenLog = Readonly<{ eventStore: EventStore; module: ServerModule }>;

export const openLog = (
  { logger, metrics }: Pick<Runtime, 'logger' | 'metrics'>,
  url: string,
): OpenLog => {
  const unreadable = createUnreadableEvents({ logger, metrics });
  const events = { decode: decodeProductEvent, unreadable };
  return {
    eventStore: createEventStore({ url, logger, events }),
    module: {
      name: 'log',
      start: async () => undefined,
      stop: async () => undefined,
      ready: unreadable.ready,
    },
  };
};
