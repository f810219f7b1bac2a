import type { RelayCore } from '../execution/relay-core.ts';
import { Booking } from '../settlement/booking.ts';
import { Funding } from '../settlement/funding.ts';
import type { FailedOpen } from './open-upstream.ts';
import { admittedOf, type SessionPlan } from './session-plan.ts';

/** Records a session that no provider opened like any other failed call. */
export const bookFailedOpen = (
  core: RelayCore,
  plan: SessionPlan,
  failedOpen: Pick<FailedOpen, 'error' | 'channel' | 'tried' | 'upstreamModel'>,
): Promise<void> =>
  new Promise((resolve) => {
    const { error, channel, tried, upstreamModel } = failedOpen;
    void plan.sessionReservation.take().then((reservation) => {
      if (reservation === null) {
        resolve();
        return;
      }
      const admitted = admittedOf(core, plan, { reservation, isFirst: true });
      const { quote, coveredTokens } = admitted;
      const ask = { reservation, quote, coveredTokens, outputLimit: null };
      const booking = new Booking(core, admitted, new Funding(core.leaseBook, ask));
      booking.claim();
      booking.start();
      const facts = { channelId: channel.channelId, tried, upstreamModel, firstByteMs: null };
      booking.failed({ error, status: error.status }, facts, resolve);
    });
  });
