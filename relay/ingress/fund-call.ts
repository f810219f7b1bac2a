import { estimate } from '../../domain/pricing/estimate.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import type { Route } from '../admission/access.ts';
import type { Caller } from '../admission/caller.ts';
import { fundCall, type Funded as Reserved } from '../admission/fund-call.ts';
import type { Reservation, ReserveResult } from '../admission/lease-book.ts';
import type { Admitted, Incoming } from '../exchange/admitted.ts';
import { Exchange } from '../exchange/exchange.ts';
import { asksForUsage } from '../providers/openai/body.ts';
import type { TextCall } from '../providers/types.ts';
import type { RelayCore } from '../relay-core.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import { sendError } from './api-error.ts';
import { quotaBusy, refusalError } from './refusals.ts';

/** A call that passed every check but that of its price. */
export type Planned = Readonly<{
  call: TextCall;
  group: string;
  route: Route;
  channel: UpstreamChannel;
  quote: Quote;
  outputLimit: number | null;
}>;

/** UTF-8 bytes for one token, at the least that texts in use come to: more than a prompt takes. */
const fewestBytesPerToken = 2;
/** A picture or a sound in the body, at the size of most. */
const tokensPerBlob = 1_100;

const mostPromptTokens = ({ body, scan }: TextCall): number =>
  Math.ceil((body.length - scan.blobBytes) / fewestBytesPerToken) + scan.blobs * tokensPerBlob;

type Funded = Readonly<{ planned: Planned; caller: Caller }>;

const begin = (
  core: RelayCore,
  incoming: Incoming,
  { planned, caller, reservation }: Funded & Readonly<{ reservation: Reservation }>,
): void => {
  const { call, outputLimit } = planned;
  // Written out field by field: a spread on the hot path costs as much as the scan of a body.
  const admitted: Admitted = {
    req: incoming.req,
    res: incoming.res,
    requestId: incoming.requestId,
    arrivedAtMs: incoming.arrivedAtMs,
    arrivedTick: incoming.arrivedTick,
    caller,
    call,
    path: call.clientPath,
    group: planned.group,
    route: planned.route,
    channel: planned.channel,
    quote: planned.quote,
    reservation,
    coveredTokens: outputLimit ?? core.options.current().prices.preConsumedTokens,
    wantsUsage: asksForUsage(call),
    startedAtMs: core.clock().getTime(),
  };
  new Exchange(core, admitted, outputLimit).start();
};

const needOf = ({ options }: RelayCore, planned: Planned, promptTokens: number): number => {
  const { call, quote, outputLimit } = planned;
  return estimate(quote, {
    promptTokens,
    maxOutputTokens: outputLimit,
    preConsumedTokens: options.current().prices.preConsumedTokens,
    pictures: call.media?.pictures ?? 0,
  });
};

type Refused = Extract<ReserveResult, { kind: 'refused' }>;

/** Units left of what fell short; 0 where nothing is known of it. */
const leftOf = ({ refusal, balance, tokenRemain }: Refused): number => {
  if (refusal === 'balance-exhausted') return balance;
  return refusal === 'token-exhausted' ? (tokenRemain ?? 0) : 0;
};

type Need = Funded & Readonly<{ need: number }>;

/**
 * What is set aside at first is quick to tell and more than it takes. Where there is not as much,
 * the prompt is counted, so that no call is refused for an estimate.
 */
const reserve = async (
  core: RelayCore,
  { planned, caller, need, isClientGone }: Need & Readonly<{ isClientGone: () => boolean }>,
): Promise<Readonly<{ result: Reserved; need: number }>> => {
  const { userId } = caller.account;
  const { tokenId } = caller;
  const result = await fundCall(core.leaseBook, { userId, tokenId, need }, isClientGone);
  const { call } = planned;
  if (result.kind !== 'refused' || call.media !== undefined) return { result, need };
  // A count is of use only where there is something left for what comes after the prompt.
  if (needOf(core, planned, 1) > leftOf(result)) return { result, need };
  const { body, scan, model } = call;
  const counted = await core.counting.prompt({ body, scan, model, userId });
  if (typeof counted !== 'number') return { result, need };
  const less = needOf(core, planned, counted);
  if (less >= need) return { result, need };
  const ask = { userId, tokenId, need: less };
  return { result: await fundCall(core.leaseBook, ask, isClientGone), need: less };
};

const askKeeper = async (core: RelayCore, incoming: Incoming, asked: Need): Promise<void> => {
  const { res, requestId } = incoming;
  try {
    const isClientGone = (): boolean => res.destroyed;
    const { result, need } = await reserve(core, { ...asked, isClientGone });
    if (result.kind === 'refused') sendError(res, refusalError(result, need), requestId);
    else if (result.kind === 'reserved')
      begin(core, incoming, { ...asked, reservation: result.reservation });
  } catch (error) {
    core.logger.error({ requestId, err: error }, 'reservation failed');
    sendError(res, quotaBusy, requestId);
  }
};

/** Sets aside what a call may cost, and starts it; or refuses it. */
export const fund = (core: RelayCore, incoming: Incoming, { planned, caller }: Funded): void => {
  const { call } = planned;
  const need = needOf(core, planned, call.media?.inputTokens ?? mostPromptTokens(call));
  const reservation = core.leaseBook.tryReserve(caller.account.userId, caller.tokenId, need);
  if (reservation === null) void askKeeper(core, incoming, { planned, caller, need });
  else begin(core, incoming, { planned, caller, reservation });
};
