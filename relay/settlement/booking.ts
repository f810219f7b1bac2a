import type { CallFacts, RequestEnd } from '../../domain/account/events.ts';
import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import { totalTokens } from '../../domain/pricing/counts.ts';
import { price } from '../../domain/pricing/price.ts';
import type { Usage } from '../../domain/pricing/types.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { BookedCall } from '../admission/admitted.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { believed, countedUsage, saysNothing, withOwnCounts } from './counted-usage.ts';
import type { Counting } from './counting.ts';
import type { Funding } from './funding.ts';
import { isoTime } from './iso-time.ts';
import type { Journal } from './journal.ts';
import type { OutputSize } from './output-size.ts';
import { reasoningEffortOf } from './reasoning-effort.ts';
import type { Attempted, BoundTerms } from './usage-bound.ts';

/** What an attempt adds to the facts of a call. */
export type AttemptFacts = Readonly<{
  channelId: ChannelId;
  tried: readonly ChannelId[];
  upstreamModel: string;
  firstByteMs: number | null;
}>;

/** Which attempt answered, and what was seen of its answer. */
export type Answered = Readonly<{ attempt: Attempted; outputSize: OutputSize }>;
/** What an outcome is recorded with. */
export type BookingDeps = Readonly<{ journal: Journal; clock: Clock; counting: Counting }>;

/** The amount of a used request. */
export type Settled = Readonly<{ usage: Usage; source: 'upstream' | 'counted' }>;

/**
 * The one outcome of an admitted request: used or failed, booked in the journal before the last
 * byte reaches the client. The first outcome wins; later ones are ignored.
 */
export class Booking {
  private readonly core: BookingDeps;
  private readonly admitted: BookedCall;
  private readonly funding: Funding;
  /** Made once: it is part of both records. */
  private readonly startedAt: string;
  private claimed = false;
  private recorded = false;

  constructor(core: BookingDeps, admitted: BookedCall, funding: Funding) {
    this.core = core;
    this.admitted = admitted;
    this.funding = funding;
    this.startedAt = isoTime(admitted.startedAtMs);
  }

  get isClaimed(): boolean {
    return this.claimed;
  }

  /** False while the outcome is not in the journal. */
  get isRecorded(): boolean {
    return this.recorded;
  }

  /** True for the one caller that may book the outcome. */
  claim(): boolean {
    if (this.claimed) return false;
    this.claimed = true;
    return true;
  }

  start(): void {
    const { caller, reservation, requestId } = this.admitted;
    this.core.journal.started({
      userId: caller.account.userId,
      requestId,
      tokenId: caller.tokenId,
      leaseId: reservation.leaseId,
      producerId: reservation.producerId,
      reserved: reservation.reserved,
      startedAt: this.startedAt,
    });
  }

  /** The report of upstream, bounded; null when it contains nothing that can be billed. */
  bounded(
    reported: ReportedUsage | null,
    { attempt, outputSize }: Pick<BoundTerms, 'attempt' | 'outputSize'>,
  ): Readonly<{ usage: Usage; note: string | null }> | null {
    if (reported === null) return null;
    const { call, quote } = this.admitted;
    const { outputLimit } = this.funding;
    const { usage, note } = believed(reported, { call, quote, attempt, outputLimit, outputSize });
    if (saysNothing(usage, note)) return null;
    return { usage: withOwnCounts(usage, this.admitted), note };
  }

  /** Usage of what was received, for answers whose upstream reports nothing. */
  counted(produced: string | number, { attempt, outputSize }: Answered): Promise<Usage> {
    const { outputLimit } = this.funding;
    const { upstreamModel } = attempt;
    const { counting } = this.core;
    const { userId } = this.admitted.caller.account;
    const counter = { counting, model: upstreamModel || this.admitted.call.model, userId };
    return countedUsage(this.admitted, { produced, outputLimit, attempt, outputSize }, counter);
  }

  /** Books a charge; the caller has claimed the outcome. */
  used(
    { usage, source, note, end }: Settled & Readonly<{ note: string | null; end: RequestEnd }>,
    facts: AttemptFacts,
    onBooked: () => void,
  ): void {
    const { caller, quote, reservation } = this.admitted;
    const amount = price(usage, quote);
    this.core.journal.ended(
      {
        kind: 'used',
        userId: caller.account.userId,
        leaseId: reservation.leaseId,
        producerId: reservation.producerId,
        call: this.facts(facts),
        usage,
        usageSource: source,
        usageNote: note,
        end,
        quote,
      },
      onBooked,
    );
    this.recorded = true;
    this.funding.settle(amount);
    this.admitted.permit?.ended(totalTokens(usage));
  }

  /** Books that nothing is charged; the caller has claimed the outcome. */
  failed(
    { error, status }: Readonly<{ error: ApiError; status: number }>,
    facts: AttemptFacts,
    onBooked: () => void,
  ): void {
    this.core.journal.ended(
      {
        kind: 'failed',
        userId: this.admitted.caller.account.userId,
        call: this.facts(facts),
        statusCode: status,
        errorType: error.type,
        errorCode: String(error.code ?? ''),
        message: error.message,
      },
      onBooked,
    );
    this.recorded = true;
    this.funding.settle(0);
    this.admitted.permit?.ended(0);
  }

  private facts({ channelId, tried, upstreamModel, firstByteMs }: AttemptFacts): CallFacts {
    const { caller, call, requestId, group, path, startedAtMs } = this.admitted;
    const reasoningEffort = reasoningEffortOf(call);
    const facts: CallFacts = {
      requestId,
      relayId: this.core.journal.relayId,
      tokenId: caller.tokenId,
      channelId,
      channelsTried: tried,
      model: call.model,
      upstreamModel: upstreamModel === call.model ? null : upstreamModel,
      group,
      path,
      isStream: call.isStream,
      startedAt: this.startedAt,
      durationMs: Math.max(0, this.core.clock().getTime() - startedAtMs),
      firstByteMs,
    };
    return reasoningEffort === undefined ? facts : { ...facts, reasoningEffort };
  }
}
