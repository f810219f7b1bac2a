import { estimate } from '../../domain/pricing/estimate.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { TextCall } from '../protocol/calls.ts';
import { openCallOf } from './call-bound.ts';
import type { Caller } from './caller.ts';
import type { AdmissionDeps } from './deps.ts';
import type { LeaseBook, QuotaRequest, Reservation, ReserveResult } from './lease-book.ts';
import type { Planned } from './plan-call.ts';

/** Lower bound of UTF-8 bytes for one token of text: gives more tokens than a prompt has. */
const minBytesPerToken = 2;
/** An image or audio file in the body, at the size of most. */
const tokensPerBlob = 1_100;

const maxPromptTokens = ({ body, scan }: TextCall): number =>
  Math.ceil((body.length - scan.blobBytes) / minBytesPerToken) + scan.blobs * tokensPerBlob;

type PromptCount = Pick<TextCall, 'body' | 'scan' | 'model'> & Readonly<{ userId: UserId }>;

/** Context window and output limit of a model, or the operator's allowances. */
const limitsOf = ({ options }: Pick<AdmissionDeps, 'options'>, model: string) =>
  options.current().openCalls.allowanceOf(model);

type ReserveDeps = Pick<AdmissionDeps, 'options'> &
  Readonly<{
    leaseBook: LeaseBook;
    /** Tokens of a prompt, or why they cannot be counted now. */
    counting: Readonly<{ prompt: (request: PromptCount) => Promise<number | ApiError> }>;
  }>;

/** A planned call and the units that it may cost. */
export type Needed = Readonly<{
  planned: Planned;
  caller: Caller;
  /** What it may cost at most. */
  need: number;
  /** What its body and its limits account for. */
  estimated: number;
  /** Of an open call: where less is free than it may cost, all of it is reserved, from so much on. */
  least: number;
  /** `least` is the operator's share of `need`, whatever is counted. */
  hasFloor: boolean;
}>;

export type Reserved = Readonly<{ result: ReserveResult | 'client-gone'; need: number }>;

type Tokens = Readonly<{ prompt: number; output: number | null }>;

const needOf = (
  { options }: Pick<ReserveDeps, 'options'>,
  { call, quote }: Planned,
  { prompt, output }: Tokens,
): number =>
  estimate(quote, {
    promptTokens: prompt,
    maxOutputTokens: output,
    preConsumedTokens: options.current().prices.preConsumedTokens,
    pictures: call.media?.pictures ?? 0,
  });

/** The first estimate of a call, by the size of its body; of an open call, by its bound. */
export const neededFor = (core: ReserveDeps, planned: Planned, caller: Caller): Needed => {
  const { call, outputLimit } = planned;
  const prompt = call.media?.inputTokens ?? maxPromptTokens(call);
  const need = needOf(core, planned, { prompt, output: outputLimit });
  const open = openCallOf(call, planned, limitsOf(core, call.model));
  if (open === null)
    return { planned, caller, need, least: need, estimated: need, hasFloor: false };
  const most = needOf(core, planned, {
    prompt: prompt + open.input,
    output: open.output ?? outputLimit,
  });
  const least = open.hasFloor ? Math.ceil(most * core.options.current().openCalls.floor) : need;
  return {
    ...{ planned, caller, estimated: need, hasFloor: open.hasFloor },
    need: Math.max(most, need),
    least: Math.min(least, most),
  };
};

/** It may cost more than its body tells. */
const isOpen = ({ need, estimated }: Needed): boolean => need > estimated;

/** Output tokens that a reservation covers: their share of it where it is below the estimate. */
export const coveredTokens = (
  { options }: Pick<AdmissionDeps, 'options'>,
  { planned, estimated }: Pick<Needed, 'planned' | 'estimated'>,
  { reserved }: Reservation,
): number => {
  const tokens = planned.outputLimit ?? options.current().prices.preConsumedTokens;
  return reserved >= estimated ? tokens : Math.floor((tokens * reserved) / estimated);
};

/** From the warm lease, without waiting; null: `reserveCall` sends a lease request. */
export const tryReserveCall = (
  { leaseBook }: Pick<ReserveDeps, 'leaseBook'>,
  { caller, need }: Pick<Needed, 'caller' | 'need'>,
): Reservation | null => leaseBook.tryReserve(caller.account.userId, caller.tokenId, need);

type Refused = Extract<ReserveResult, { kind: 'refused' }>;

/** Units left of what fell short; 0 where they are unknown. */
const leftOf = ({ refusal, balance, tokenRemain }: Refused): number => {
  if (refusal === 'balance-exhausted') return balance;
  return refusal === 'token-exhausted' ? (tokenRemain ?? 0) : 0;
};

/** Units from the lease book; given back at once where the caller has left meanwhile. */
export const reserveUnits = async (
  leaseBook: LeaseBook,
  request: QuotaRequest,
  isClientGone: () => boolean,
): Promise<ReserveResult | 'client-gone'> => {
  const result = await leaseBook.reserve(request, isClientGone);
  if (!isClientGone()) return result;
  if (result.kind === 'reserved') leaseBook.settle(result.reservation, 0);
  return 'client-gone';
};

/**
 * Requests quota from the keeper. The first estimate is quick and too high; where the quota does
 * not cover it, the prompt is counted, so that no call is refused for an estimate.
 */
export const reserveCall = async (
  core: ReserveDeps,
  needed: Needed,
  isClientGone: () => boolean,
): Promise<Reserved> => {
  const { planned, caller, need, least } = needed;
  const { call, outputLimit: output } = planned;
  const { userId } = caller.account;
  const request = { userId, tokenId: caller.tokenId, need, least };
  const result = await reserveUnits(core.leaseBook, request, isClientGone);
  const isRefused = result !== 'client-gone' && result.kind === 'refused';
  if (!isRefused || call.media !== undefined) return { result, need: least };
  // A count is of use only where something is left for what follows the prompt.
  if (needOf(core, planned, { prompt: 1, output }) > leftOf(result)) return { result, need: least };
  const { body, scan, model } = call;
  const counted = await core.counting.prompt({ body, scan, model, userId });
  if (typeof counted !== 'number') return { result, need: least };
  const less = needOf(core, planned, { prompt: counted, output });
  // What a call contains besides its text is not counted: its floor remains.
  if (less >= least || needed.hasFloor) return { result, need: least };
  // Only an open call takes more than its count where that is free.
  const most = isOpen(needed) ? need : less;
  const again = await reserveUnits(
    core.leaseBook,
    { ...request, need: most, least: less },
    isClientGone,
  );
  return { result: again, need: less };
};
