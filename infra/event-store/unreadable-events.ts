import type { UnreadableEvent } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';

/** The events that a process left out. */
export type UnreadableEvents = Readonly<{
  note: (event: UnreadableEvent) => void;
  /** Serving continues; `detail` names what is left out. */
  ready: () => Readonly<{ ok: boolean; detail: unknown }>;
}>;

/** Beyond these an event is counted and logged again when it is read again. */
const remembered = 10_000;
/** A log full of them must not fill the disk with lines. */
const maxLines = 1_000;
const maxTypeLength = 100;

type Deps = Readonly<{ logger: Logger; metrics: Metrics }>;

/** Logs each unreadable event once, and counts them for `/metrics` and `/readyz`. */
export const createUnreadableEvents = ({ logger, metrics }: Deps): UnreadableEvents => {
  const counter = metrics.counter({
    name: 'unreadable_events_total',
    help: 'Events of the log that this process left out because it cannot read them',
  });
  const known = new Set<string>();
  let count = 0;
  const detail = (): unknown =>
    count === 0
      ? 'every event can be read'
      : { degraded: `${count} events cannot be read; npm run verify names them` };
  return {
    note: ({ eventId, streamId, type, position, reason }) => {
      if (known.has(eventId)) return;
      if (known.size < remembered) known.add(eventId);
      count += 1;
      counter.inc();
      if (count > maxLines) return;
      const fields = { eventId, streamId, type: type.slice(0, maxTypeLength), reason };
      logger.error({ ...fields, position: String(position) }, 'event cannot be read, left out');
    },
    ready: () => ({ ok: true, detail: detail() }),
  };
};
