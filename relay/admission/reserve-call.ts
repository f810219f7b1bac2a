import { estimate } from '../../domain/pricing/estimate.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { TextCall } from '../protocol/calls.ts';
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

type ReserveDeps = Pick<AdmissionDeps, 'options'> &
  Readonly<{
    leaseBook: LeaseBook;
    /** Tokens of a prompt, or why they cannot be counted now. */
    counting: Readonly<{ prompt: (request: PromptCount) => Promise<number | ApiError> }>;
  }>;

/** A planned call and the units that it may cost. */
export type Needed = Readonly<{ planned: Planned; caller: Caller; need: number }>;

export type Reserved = Readonly<{ result: ReserveResult | 'client-gone'; need: number }>;

const needOf = (
  { options }: Pick<ReserveDeps, 'options'>,
  { call, quote, outputLimit }: Planned,
  promptTokens: number,
): number =>
  estimate(quote, {
    promptTokens,
    maxOutputTokens: outputLimit,
    preConsumedTokens: options.current().prices.preConsumedTokens,
    pictures: call.media?.pictures ?? 0,
  });

/** The first estimate of a call, by the size of its body. */
export const neededFor = (core: ReserveDeps, planned: Planned, caller: Caller): Needed => {
  const { call } = planned;
  const need = needOf(core, planned, call.media?.inputTokens ?? maxPromptTokens(call));
  return { planned, caller, need };
};

/** From the warm lease, without waiting; null: `reserveCall` sends a lease request. */
export const tryReserveCall = (
  { leaseBook }: Pick<ReserveDeps, 'leaseBook'>,
  { caller, need }: Needed,
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
  const { planned, caller, need } = needed;
  const { call } = planned;
  const { userId } = caller.account;
  const request = { userId, tokenId: caller.tokenId, need };
  const result = await reserveUnits(core.leaseBook, request, isClientGone);
  const isRefused = result !== 'client-gone' && result.kind === 'refused';
  if (!isRefused || call.media !== undefined) return { result, need };
  // A count is of use only where something is left for what follows the prompt.
  if (needOf(core, planned, 1) > leftOf(result)) return { result, need };
  const { body, scan, model } = call;
  const counted = await core.counting.prompt({ body, scan, model, userId });
  if (typeof counted !== 'number') return { result, need };
  const less = needOf(core, planned, counted);
  if (less >= need) return { result, need };
  const again = await reserveUnits(core.leaseBook, { ...request, need: less }, isClientGone);
  return { result: again, need: less };
};
