import type { RelayCore } from '../execution/relay-core.ts';
import { Charge } from '../settlement/charge.ts';
import type { FailedOpen } from './open-upstream.ts';
import { admittedOf, type SessionPlan } from './session-plan.ts';
import { sessionFunding } from './session-response.ts';

/** Records a session that no provider opened like any other failed call. */
export const bookFailedOpen = async (
  core: RelayCore,
  plan: SessionPlan,
  failedOpen: Pick<FailedOpen, 'error' | 'channel' | 'tried' | 'upstreamModel'>,
): Promise<void> => {
  const { error, channel, tried, upstreamModel } = failedOpen;
  const reservation = await plan.sessionReservation.take();
  if (reservation === null) return;
  const admitted = admittedOf(core, plan, { reservation, isFirst: true });
  const charge = new Charge(core, admitted, sessionFunding(core, admitted));
  charge.start();
  const facts = { channelId: channel.channelId, tried, upstreamModel, firstByteMs: null };
  await charge.whenFailed({ error, status: error.status }, facts);
};
