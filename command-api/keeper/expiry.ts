import type { RequestLost } from '../../domain/account/messages.ts';
import type { RelayId, UserId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { AccountLanes } from './account-lanes.ts';
import type { LeaseWatch } from './lease-watch.ts';
import { expiryWork } from './leasing.ts';
import { settlementWork } from './settlement.ts';

type Settings = Readonly<{
  lanes: AccountLanes;
  watch: LeaseWatch;
  clock: Clock;
  logger: Logger;
  /** A relay that was silent for this long is taken for dead. */
  leaseTtlMs: number;
}>;

/** Gives back what silent relays hold and closes what they had in flight. */
export const createExpiry = ({ lanes, watch, clock, logger, leaseTtlMs }: Settings) => {
  const closeRequests = async (relayId: RelayId): Promise<void> => {
    const byUser = new Map<UserId, RequestLost[]>();
    for (const started of watch.openOf(relayId)) {
      const lost: RequestLost = { ...started, kind: 'lost' };
      const group = byUser.get(started.userId);
      if (group === undefined) byUser.set(started.userId, [lost]);
      else group.push(lost);
    }
    for (const [userId, lost] of byUser) {
      for (let at = 0; at < lost.length; at += 128) {
        const part = lost.slice(at, at + 128);
        await lanes.do(userId, settlementWork(part, clock().toISOString()));
        for (const { requestId } of part) watch.closed(relayId, requestId);
      }
    }
  };

  const bury = async (relayId: RelayId): Promise<void> => {
    let expired = 0;
    for (const userId of watch.holdsOf(relayId)) {
      if (!watch.isSilent(relayId, leaseTtlMs)) return;
      const { value } = await lanes.do(
        userId,
        expiryWork({ userId, relayId }, clock().toISOString()),
      );
      expired += value;
    }
    const abandoned = watch.openOf(relayId).length;
    await closeRequests(relayId);
    if (expired + abandoned > 0) {
      logger.warn({ relayId, expired, abandoned }, 'a silent relay was closed');
    }
    watch.forget(relayId);
  };

  return async (): Promise<void> => {
    for (const relayId of watch.silentFor(leaseTtlMs)) {
      try {
        await bury(relayId);
      } catch (error) {
        logger.warn({ relayId, error: String(error) }, 'could not close a relay yet');
      }
    }
  };
};
