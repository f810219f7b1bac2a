import type { UnreadableEvents } from '../event-store/unreadable-events.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { ServerModule } from './web-app.ts';

/** The log as the product's processes read it, and its part of `/readyz`. */
export type OpenLog = Readonly<{ eventStore: EventStore; module: ServerModule }>;

export const logModule = ({ ready }: UnreadableEvents): ServerModule => ({
  name: 'log',
  start: async () => undefined,
  stop: async () => undefined,
  ready,
});
