import type { CallFacts } from '../../domain/account/events.ts';
import { price } from '../../domain/pricing/price.ts';
import type { PriceQuote } from '../../domain/pricing/types.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { TaskFacts } from '../../domain/task/events.ts';
import type { TaskOutcome } from '../../domain/task/messages.ts';
import type { Caller } from '../admission/caller.ts';
import type { Reservation, ReserveResult } from '../admission/lease-book.ts';
import type { Incoming } from '../exchange/admitted.ts';
import { isoTime } from '../exchange/iso-time.ts';
import type { RelayCore } from '../relay-core.ts';
import { noUsage } from './price.ts';

export type TaskAsk = Readonly<{
  incoming: Incoming;
  caller: Caller;
  facts: TaskFacts;
  quote: PriceQuote;
  startedAtMs: number;
}>;

/** Where the asking ended. */
export type Ending = Readonly<{ channelId: ChannelId; tried: readonly ChannelId[] }>;
export type Refused = Extract<TaskOutcome, { kind: 'refused' }>;
export type Accepted = Extract<TaskOutcome, { kind: 'accepted' }>;

/** Sets the price of a step aside; null where it costs nothing. */
export const reserveFor = async (
  { leaseBook }: Pick<RelayCore, 'leaseBook'>,
  caller: Caller,
  quote: PriceQuote,
): Promise<Reservation | null | Extract<ReserveResult, { kind: 'refused' }>> => {
  const need = price(noUsage, quote);
  if (need === 0) return null;
  const { userId } = caller.account;
  const warm = leaseBook.tryReserve(userId, caller.tokenId, need);
  if (warm !== null) return warm;
  const result = await leaseBook.reserve(userId, caller.tokenId, need);
  return result.kind === 'reserved' ? result.reservation : result;
};

/**
 * The money of one task and what becomes of it, in the same records of the journal: whoever finds
 * the one after a crash finds the other. Begins before the provider is asked; ends once.
 */
export class TaskMoney {
  private readonly core: RelayCore;
  private readonly ask: TaskAsk;
  private readonly reservation: Reservation | null;
  /** Its one outcome is in the journal. */
  isEnded = false;

  constructor(core: RelayCore, ask: TaskAsk, reservation: Reservation | null) {
    this.core = core;
    this.ask = ask;
    this.reservation = reservation;
    const { incoming, caller, facts, startedAtMs } = ask;
    core.journal.started({
      userId: caller.account.userId,
      requestId: incoming.requestId,
      tokenId: caller.tokenId,
      leaseId: reservation?.leaseId ?? null,
      reserved: reservation?.reserved ?? 0,
      startedAt: isoTime(startedAtMs),
      task: { facts, outcome: null },
    });
  }

  /** What the step costs, in quota units. */
  get amount(): number {
    return price(noUsage, this.ask.quote);
  }

  /** The provider took it: charged. Resolves when the record is written. */
  accepted(outcome: Accepted, ending: Ending): Promise<void> {
    const { facts, quote } = this.ask;
    const { platform, action } = facts;
    const call = {
      ...this.call(ending),
      task: { platform, action, upstreamId: outcome.upstreamId },
    };
    return this.end((onWritten) => {
      this.core.journal.ended(
        {
          kind: 'used',
          userId: facts.userId,
          leaseId: this.reservation?.leaseId ?? null,
          call,
          usage: noUsage,
          usageSource: 'upstream',
          usageNote: null,
          end: 'complete',
          quote,
          task: { facts, outcome },
        },
        onWritten,
      );
      return this.amount;
    });
  }

  /** It came to nothing: the reservation is free again. */
  refused(outcome: Refused, ending: Ending & Readonly<{ status: number }>): Promise<void> {
    const { facts } = this.ask;
    return this.end((onWritten) => {
      this.core.journal.ended(
        {
          kind: 'failed',
          userId: facts.userId,
          call: this.call(ending),
          statusCode: ending.status,
          errorType: 'upstream_error',
          errorCode: String(outcome.code ?? ''),
          message: outcome.reason,
          task: { facts, outcome },
        },
        onWritten,
      );
      return 0;
    });
  }

  private end(write: (onWritten: () => void) => number): Promise<void> {
    return new Promise((resolve) => {
      const cost = write(resolve);
      this.isEnded = true;
      if (this.reservation !== null) this.core.leaseBook.settle(this.reservation, cost);
    });
  }

  private call({ channelId, tried }: Ending): CallFacts {
    const { incoming, caller, facts, startedAtMs } = this.ask;
    const url = incoming.req.url ?? '/';
    const query = url.indexOf('?');
    return {
      requestId: incoming.requestId,
      relayId: this.core.journal.relayId,
      tokenId: caller.tokenId,
      channelId,
      channelsTried: tried,
      model: facts.model,
      upstreamModel: null,
      group: facts.group,
      path: query === -1 ? url : url.slice(0, query),
      isStream: false,
      startedAt: isoTime(startedAtMs),
      durationMs: Math.max(0, this.core.clock().getTime() - startedAtMs),
      firstByteMs: null,
    };
  }
}
