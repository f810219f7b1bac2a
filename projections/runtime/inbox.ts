import type { Recorded } from '../../domain/shared/event.ts';

/** Events on their way to one projector; the reader of the log waits while it is full. */
export interface Inbox {
  push(events: readonly Recorded[]): void;
  /** At least one event, at most about `maxEvents`; null once closed. */
  take(maxEvents: number): Promise<readonly Recorded[] | null>;
  /** Resolves when there is room again. */
  room(): Promise<void>;
  /** Nothing is waiting. */
  isEmpty(): boolean;
  close(): void;
}

/** About 20 MB of charges. */
const capacity = 8_000;

export const createInbox = (): Inbox => {
  let chunks: (readonly Recorded[])[] = [];
  let size = 0;
  let closed = false;
  let onArrival: (() => void) | null = null;
  let onRoom: (() => void)[] = [];
  const makeRoom = () => {
    for (const resolve of onRoom.splice(0)) resolve();
  };
  const drain = (maxEvents: number): readonly Recorded[] => {
    const first = chunks.shift() ?? [];
    const taken = [...first];
    while (chunks[0] !== undefined && taken.length + chunks[0].length <= maxEvents) {
      taken.push(...(chunks.shift() ?? []));
    }
    size -= taken.length;
    if (size < capacity) makeRoom();
    return taken;
  };
  return {
    push: (events) => {
      if (closed || events.length === 0) return;
      chunks.push(events);
      size += events.length;
      onArrival?.();
    },
    take: async (maxEvents) => {
      while (size === 0 && !closed) {
        await new Promise<void>((resolve) => {
          onArrival = resolve;
        });
      }
      onArrival = null;
      return closed ? null : drain(maxEvents);
    },
    room: () =>
      size < capacity || closed
        ? Promise.resolve()
        : new Promise((resolve) => {
            onRoom.push(resolve);
          }),
    isEmpty: () => size === 0,
    close: () => {
      closed = true;
      chunks = [];
      onRoom = [...onRoom];
      makeRoom();
      onArrival?.();
    },
  };
};
