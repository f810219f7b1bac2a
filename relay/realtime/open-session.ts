import { quoteFor } from '../../domain/pricing/quote.ts';
import { admit, type Rules } from '../admission/admit.ts';
import { isPermit } from '../admission/call-limits/call-limiter.ts';
import { limitsOf, permitFor } from '../admission/call-limits/with-permit.ts';
import type { Caller } from '../admission/caller.ts';
import { clientGoneError } from '../delivery/failures.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import { bookFailedOpen } from './book-failed-open.ts';
import { type OpenedUpstream, openUpstream } from './open-upstream.ts';
import { sessionChannel } from './session-channel.ts';
import {
  type SessionAsk,
  type SessionIncoming,
  type SessionPlan,
  SessionReservation,
} from './session-plan.ts';
import type { UpgradeRequest } from './upgrade-request.ts';

type Planned = Readonly<{ incoming: SessionIncoming; caller: Caller; ask: SessionAsk }>;

/** Words are looked for in the frames of a session. */
const rules: Rules<SessionAsk> = {
  choose: ({ coolDowns }, { protocol }, { tiers }) =>
    sessionChannel(coolDowns, { tiers, protocol, tried: [] }),
  word: () => null,
  quote: (prices, { caller, model, group }) => {
    const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
    return quoteFor(prices, { model, group, acceptUnpriced });
  },
};

/** May this caller open this session, where, and at what price? */
const planOf = (core: RelayCore, { incoming, caller, ask }: Planned): SessionPlan | ApiError => {
  const { model } = ask.call;
  const entry = ask.protocol === 'gemini' ? 'live' : 'realtime';
  const madeBy = ask.madeBy ?? undefined;
  const admission = admit(core, incoming, { entry, caller, model, madeBy, rules, call: ask });
  if (isApiError(admission)) return admission;
  const { group, route, channel, quote } = admission;
  const sessionReservation = new SessionReservation(core, caller, quote);
  return { incoming, caller, ask, group, route, channel, sessionReservation, permit: null };
};

/** A session is one request, and a call for as long as its connection lasts. */
const permitted = async (
  core: RelayCore,
  socket: UpgradeRequest['socket'],
  plan: SessionPlan,
): Promise<SessionPlan | ApiError> => {
  const { incoming, caller, group, ask, sessionReservation } = plan;
  const limits = limitsOf(core, caller, { group, call: ask.call });
  const need = () => ({ prompt: 0, output: sessionReservation.coveredTokens });
  const permit = await permitFor(core, incoming, { limits, need });
  if (permit === null || !isPermit(permit)) return permit ?? plan;
  if (socket.destroyed) permit.cancelled();
  else socket.once('close', () => permit.ended(0));
  return { ...plan, permit };
};

const openFor = async (
  core: RelayCore,
  plan: SessionPlan,
  isGone: () => boolean,
): Promise<OpenedUpstream | ApiError> => {
  plan.incoming.progress.isAdmitted = true;
  const opened = await openUpstream(core, plan, isGone);
  if ('error' in opened) {
    await bookFailedOpen(core, plan, opened);
    return opened.error;
  }
  if (!isGone()) return opened;
  opened.upstream.terminate();
  await bookFailedOpen(core, plan, { ...opened, error: clientGoneError });
  return clientGoneError;
};

export type OpenedSession = Readonly<{ plan: SessionPlan; opened: OpenedUpstream }>;

/** Admits a session and opens its upstream side. What it holds is given back where it fails. */
export const openSession = async (
  core: RelayCore,
  { socket, ...planned }: Planned & Pick<UpgradeRequest, 'socket'>,
  isOpen: () => boolean,
): Promise<OpenedSession | ApiError> => {
  const asked = planOf(core, planned);
  if (isApiError(asked)) return asked;
  const plan = await permitted(core, socket, asked);
  if (isApiError(plan)) return plan;
  const { sessionReservation } = plan;
  if (!(await sessionReservation.fill())) {
    plan.permit?.cancelled();
    return sessionReservation.refusal;
  }
  try {
    const opened = await openFor(core, plan, () => socket.destroyed || !isOpen());
    return isApiError(opened) ? opened : { plan, opened };
  } catch (error) {
    sessionReservation.close();
    throw error;
  }
};
