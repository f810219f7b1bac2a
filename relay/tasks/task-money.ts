import type { CallFacts } from '../../domain/account/events.ts';
import { price } from '../../domain/pricing/price.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { TaskFacts } from '../../domain/task/events.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import type { Reservation, ReserveResult } from '../admission/lease-book.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { AcceptedTask, RefusedTask } from '../settlement/charge.ts';
import { isoTime } from '../settlement/iso-time.ts';
import { noUsage } from './price.ts';

export type TaskRequest = Readonly<{
  incoming: Incoming;
  caller: Caller;
  facts: TaskFacts;
  quote: Quote;
  /** What is paid for, where the price is not for the step. */
  usage?: Usage;
  startedAtMs: number;
}>;

/** The last channel and all channels tried. */
export type Ending = Readonly<{
  channelId: ChannelId;
  tried: readonly ChannelId[];
  /** The name sent upstream, where it differs. */
  upstreamModel?: string | null;
  /** The usage, where the provider reports it at once; the request's when absent. */
  used?: Usage;
}>;

type Core = Pick<RelayCore, 'journal' | 'leaseBook' | 'clock'>;

/** Reserves the price of a task; null where it is free. */
export const reserveFor = async (
  { leaseBook }: Pick<RelayCore, 'leaseBook'>,
  caller: Caller,
  { quote, usage = noUsage }: Pick<TaskRequest, 'quote' | 'usage'>,
): Promise<Reservation | null | Extract<ReserveResult, { kind: 'refused' }>> => {
  const need = price(usage, quote);
  if (need === 0) return null;
  const { userId } = caller.account;
  const warm = leaseBook.tryReserve(userId, caller.tokenId, need);
  if (warm !== null) return warm;
  const result = await leaseBook.reserve({ userId, tokenId: caller.tokenId, need });
  return result.kind === 'reserved' ? result.reservation : result;
};

/**
 * Reservation and outcome of one task, in the same journal records, so that a crash cannot part
 * them. Begins before the provider is called; ends once.
 */
export class TaskMoney {
  private readonly core: Core;
  private readonly request: TaskRequest;
  private readonly reservation: Reservation | null;
  /** Its one outcome is in the journal. */
  isEnded = false;

  constructor(core: Core, request: TaskRequest, reservation: Reservation | null) {
    this.core = core;
    this.request = request;
    this.reservation = reservation;
    const { incoming, caller, facts, startedAtMs } = request;
    core.journal.started({
      userId: caller.account.userId,
      requestId: incoming.requestId,
      tokenId: caller.tokenId,
      leaseId: reservation?.leaseId ?? null,
      producerId: reservation?.producerId ?? null,
      reserved: reservation?.reserved ?? 0,
      startedAt: isoTime(startedAtMs),
      task: { facts, outcome: null },
    });
  }

  private get usage(): Usage {
    return this.request.usage ?? noUsage;
  }

  /** What the task costs, in quota units. */
  get amount(): number {
    return price(this.usage, this.request.quote);
  }

  /** The provider took it: charged. Resolves when the record is written. */
  accepted(outcome: AcceptedTask, ending: Ending): Promise<void> {
    const { facts, quote } = this.request;
    const { platform, action } = facts;
    const usage = ending.used ?? this.usage;
    const call = {
      ...this.call(ending),
      task: { platform, action, upstreamId: outcome.upstreamId },
    };
    return this.end((onKept) => {
      this.core.journal.ended(
        {
          kind: 'used',
          userId: facts.userId,
          leaseId: this.reservation?.leaseId ?? null,
          producerId: this.reservation?.producerId ?? null,
          call,
          usage,
          usageSource: 'upstream',
          usageNote: null,
          end: 'complete',
          quote,
          task: { facts, outcome },
        },
        onKept,
      );
      return price(usage, quote);
    });
  }

  /** It had no result: the reservation is free again. */
  refused(outcome: RefusedTask, ending: Ending & Readonly<{ status: number }>): Promise<void> {
    const { facts } = this.request;
    return this.end((onKept) => {
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
        onKept,
      );
      return 0;
    });
  }

  private end(write: (onKept: () => void) => number): Promise<void> {
    return new Promise((resolve) => {
      const cost = write(resolve);
      this.isEnded = true;
      if (this.reservation !== null) this.core.leaseBook.settle(this.reservation, cost);
    });
  }

  private call({ channelId, tried, upstreamModel = null }: Ending): CallFacts {
    const { incoming, caller, facts, startedAtMs } = this.request;
    const url = incoming.req.url ?? '/';
    const query = url.indexOf('?');
    return {
      requestId: incoming.requestId,
      relayId: this.core.journal.relayId,
      tokenId: caller.tokenId,
      channelId,
      channelsTried: tried,
      model: facts.model,
      upstreamModel,
      group: facts.group,
      path: query === -1 ? url : url.slice(0, query),
      isStream: false,
      startedAt: isoTime(startedAtMs),
      durationMs: Math.max(0, this.core.clock().getTime() - startedAtMs),
      firstByteMs: null,
    };
  }
}
