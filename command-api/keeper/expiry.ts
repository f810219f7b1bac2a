import type { RequestLost, RequestStarted } from '../../domain/account/messages.ts';
import type { RelayId, UserId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { AccountQueues } from './account-queues.ts';
import type { LeaseWatch } from './lease-watch.ts';
import { expiryWork } from './leasing.ts';
import { settlementWork } from './settlement.ts';
import type { SideStreams } from './side-streams.ts';
import type { TaskNotes } from './task-notes.ts';

type Settings = Readonly<{
  queues: AccountQueues;
  watch: LeaseWatch;
  sideStreams: SideStreams;
  noteTasks: TaskNotes;
  clock: Clock;
  logger: Logger;
  /** A relay that was silent for this long, as the lease watch counts, is taken for dead. */
  abandonAfterMs: number;
}>;

type LostOfUser = Readonly<{ userId: UserId; part: readonly RequestLost[] }>;

/** Requests of one account that are closed together. */
const closedAtOnce = 128;

/** Gives back what silent relays hold and closes what they had in flight. */
export const createExpiry = (settings: Settings) => {
  const { queues, watch, sideStreams, noteTasks, clock, logger, abandonAfterMs } = settings;

  /** What this keeper holds for open: less what failed under another that had the partition since. */
  const openOf = async (relayId: RelayId): Promise<readonly RequestStarted[]> => {
    const open = watch.openOf(relayId);
    if (open.length === 0) return [];
    const ids = new Set(open.map(({ requestId }) => requestId));
    const failed = await sideStreams.failedAmong(relayId, ids);
    for (const requestId of failed) watch.closed(relayId, requestId);
    return open.filter(({ requestId }) => !failed.has(requestId));
  };

  /** What it had in flight, in parts of one account each. */
  const lostOf = async (relayId: RelayId): Promise<readonly LostOfUser[]> => {
    const byUser = new Map<UserId, RequestLost[]>();
    for (const started of await openOf(relayId)) {
      const lost: RequestLost = { ...started, kind: 'lost' };
      const group = byUser.get(started.userId);
      if (group === undefined) byUser.set(started.userId, [lost]);
      else group.push(lost);
    }
    return [...byUser].flatMap(([userId, lost]) =>
      Array.from({ length: Math.ceil(lost.length / closedAtOnce) }, (_, nth) => {
        const from = nth * closedAtOnce;
        return { userId, part: lost.slice(from, from + closedAtOnce) };
      }),
    );
  };

  const closeRequests = async (relayId: RelayId, isSilent: () => boolean): Promise<void> => {
    for (const { userId, part } of await lostOf(relayId)) {
      if (!isSilent()) return;
      await queues.do(userId, settlementWork(part, clock().toISOString()));
      await noteTasks(part);
      for (const { requestId } of part) watch.closed(relayId, requestId);
    }
  };

  const bury = async (relayId: RelayId): Promise<void> => {
    const isSilent = (): boolean => watch.isSilent(relayId, abandonAfterMs);
    let expired = 0;
    for (const userId of watch.holdsOf(relayId)) {
      const work = expiryWork({ userId, relayId, isSilent }, clock().toISOString());
      const { value } = await queues.do(userId, work);
      expired += value;
      if (!isSilent()) return;
    }
    const abandoned = watch.openOf(relayId).length;
    await closeRequests(relayId, isSilent);
    if (expired + abandoned > 0) {
      logger.warn({ relayId, expired, abandoned }, 'a silent relay was closed');
    }
    watch.forget(relayId);
  };

  return async (): Promise<void> => {
    for (const relayId of watch.silentFor(abandonAfterMs)) {
      try {
        await bury(relayId);
      } catch (error) {
        logger.warn({ relayId, error: String(error) }, 'could not close a relay yet');
      }
    }
  };
};
