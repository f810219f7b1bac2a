import { createEventStore } from '../event-store/create-event-store.ts';
import { decodeProductEvent } from '../event-store/decoder.ts';
import { createUnreadableEvents } from '../event-store/unreadable-events.ts';
import { logModule, type OpenLog } from './log-module.ts';
import type { Runtime } from './runtime.ts';

/** Over the client, wherever the store is. */
export const openLog = (
  { logger, metrics }: Pick<Runtime, 'logger' | 'metrics'>,
  url: string,
): OpenLog => {
  const unreadable = createUnreadableEvents({ logger, metrics });
  const events = { decode: decodeProductEvent, unreadable };
  return { eventStore: createEventStore({ url, logger, events }), module: logModule(unreadable) };
};
