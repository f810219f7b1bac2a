import { randomUUID } from 'node:crypto';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { EventStore, EventToAppend } from '../../../infra/ports/event-store.ts';
import { range } from './harness.ts';

export const metadata = {
  actor: { kind: 'system', id: 'test' },
  correlationId: 'request-1',
  causationId: 'command-1',
  commandId: 'command-1',
  occurredAt: '2026-01-01T00:00:00.000Z',
} as const;

export const aHappening = (n: number): EventToAppend => ({
  event: { type: 'Happened', data: { n } },
  eventId: randomUUID(),
  metadata,
});
export const happenings = (count: number, first = 0) => range(count, first).map(aHappening);
export const numberOf = ({ event }: Recorded): number => (event.data as { n: number }).n;

export const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
};

/** Follows the log in the background, until stopped. */
export const follow = (store: EventStore, after: bigint | null) => {
  const controller = new AbortController();
  const seen: Recorded[] = [];
  const marks: number[] = [];
  const ended = (async () => {
    const { signal } = controller;
    for await (const item of store.subscribeToAll({ after, lastRead: null, signal })) {
      if (item === 'caught-up') marks.push(seen.length);
      else seen.push(...item);
    }
  })();
  const stop = async (): Promise<void> => {
    controller.abort();
    await ended;
  };
  return { seen, marks, stop };
};
