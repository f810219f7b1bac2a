import { setTimeout as pause } from 'node:timers/promises';
import type { AccountEvent } from '../../domain/account/events.ts';
import type { RequestFailed } from '../../domain/relay/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';

/** An event of an account, and when the test saw it, in milliseconds of its monotonic clock. */
export type Logged = Readonly<{ event: AccountEvent; seenAt: number }>;

/** The log as far as it was read, with none of the product's folds. */
export type LogReader = Readonly<{
  accounts: ReadonlyMap<number, readonly Logged[]>;
  /** Requests in the error log, and how often. */
  failed: ReadonlyMap<string, number>;
  /** Reads to the head. */
  catchUp: () => Promise<void>;
  close: () => Promise<void>;
}>;

const intervalMs = 150;

/** Follows the log by reading it again and again, whatever becomes of the node in between. */
export const followLog = (log: EventStore): LogReader => {
  const accounts = new Map<number, Logged[]>();
  const failed = new Map<string, number>();
  let after: bigint | undefined;
  let isOpen = true;

  const take = (recorded: Recorded): void => {
    after = recorded.position;
    const { streamId, event } = recorded;
    if (event.type === 'RequestFailed') {
      const { requestId } = (event as RequestFailed).data.call;
      failed.set(requestId, (failed.get(requestId) ?? 0) + 1);
    }
    if (!streamId.startsWith('account-')) return;
    const known = event as AccountEvent;
    const { userId } = known.data;
    const own = accounts.get(userId) ?? [];
    if (own.length === 0) accounts.set(userId, own);
    own.push({ event: known, seenAt: performance.now() });
  };

  const read = async (): Promise<void> => {
    const from = after === undefined ? {} : { after };
    for await (const recorded of log.readAll(from)) take(recorded);
  };
  let reading: Promise<void> = Promise.resolve();
  const readNext = (): Promise<void> => {
    reading = reading.catch(() => undefined).then(read);
    return reading;
  };
  const follow = async (): Promise<void> => {
    while (isOpen) {
      await readNext().catch(() => undefined);
      await pause(intervalMs);
    }
  };
  const following = follow();
  return {
    accounts,
    failed,
    catchUp: readNext,
    close: async () => {
      isOpen = false;
      await following;
      await log.close();
    },
  };
};
