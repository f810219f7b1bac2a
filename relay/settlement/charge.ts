import type { CallFacts, RequestEnd } from '../../domain/account/events.ts';
import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import { totalTokens } from '../../domain/pricing/counts.ts';
import { price } from '../../domain/pricing/price.ts';
import type { Usage } from '../../domain/pricing/types.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { TaskOutcome } from '../../domain/task/messages.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { BookedCall, ChargedCall } from '../admission/admitted.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { believed, countedUsage, saysNothing, withOwnCounts } from './counted-usage.ts';
import type { Counting } from './counting.ts';
import type { Funding } from './funding.ts';
import { isoTime } from './iso-time.ts';
import type { FailedEntry, Journal, UsedEntry } from './journal.ts';
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
export type ChargeDeps = Readonly<{ journal: Journal; clock: Clock; counting: Counting }>;

/** The amount of a used request. */
export type Settled = Readonly<{ usage: Usage; source: 'upstream' | 'counted' }>;

/** A provider took the work of a task, or refused it. */
export type AcceptedTask = Extract<TaskOutcome, { kind: 'accepted' }>;
type RefusedTask = Extract<TaskOutcome, { kind: 'refused' }>;

export type Use = Settled &
  Readonly<{ note: string | null; end: RequestEnd; outcome?: AcceptedTask }>;
export type Failure = Readonly<{
  error: Pick<ApiError, 'type' | 'code' | 'message'>;
  status: number;
  outcome?: RefusedTask;
}>;

/** Batches are carried out later: their tokens are not those of this minute. */
export const limitedTokens = (usage: Usage): number =>
  usage.batchRequests === undefined ? totalTokens(usage) : 0;

/**
 * The money of one admitted call: started, then exactly one of used or failed, in the journal before
 * the last byte reaches the client. The first outcome wins. A call without an outcome when its relay
 * has ended is abandoned by the keeper. Calls that submit a task record its facts and its outcome in
 * the same records, so that a crash cannot part them.
 */
export class Charge<Call extends ChargedCall = BookedCall> {
  private readonly core: ChargeDeps;
  private readonly admitted: Call;
  /** null: the call is free. */
  private readonly funding: Pick<Funding, 'settle' | 'outputLimit'> | null;
  /** Made once: it is part of both records. */
  private readonly startedAt: string;
  private claimed = false;
  private recorded = false;

  constructor(core: ChargeDeps, admitted: Call, funding: Charge['funding']) {
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

  /** True for the one caller that may record the outcome. */
  claim(): boolean {
    if (this.claimed) return false;
    this.claimed = true;
    return true;
  }

  start(): void {
    const { caller, reservation, requestId, task }: ChargedCall = this.admitted;
    const entry = {
      userId: caller.account.userId,
      requestId,
      tokenId: caller.tokenId,
      leaseId: reservation?.leaseId ?? null,
      producerId: reservation?.producerId ?? null,
      reserved: reservation?.reserved ?? 0,
      startedAt: this.startedAt,
    };
    this.core.journal.started(
      task === undefined ? entry : { ...entry, task: { facts: task, outcome: null } },
    );
  }

  /** The report of upstream, bounded; null when it contains nothing that can be billed. */
  bounded(
    this: Charge,
    reported: ReportedUsage | null,
    { attempt, outputSize }: Pick<BoundTerms, 'attempt' | 'outputSize'>,
  ): Readonly<{ usage: Usage; note: string | null }> | null {
    if (reported === null) return null;
    const { call, quote, allowanceOf } = this.admitted;
    const { outputLimit } = this;
    const { usage, note } = believed(reported, {
      call,
      quote,
      allowanceOf,
      attempt,
      outputLimit,
      outputSize,
    });
    if (saysNothing(usage, note)) return null;
    return { usage: withOwnCounts(usage, this.admitted), note };
  }

  /** Usage of what was received, for answers whose upstream reports nothing. */
  counted(
    this: Charge,
    produced: string | number,
    { attempt, outputSize }: Answered,
  ): Promise<Usage> {
    const { outputLimit } = this;
    const { upstreamModel } = attempt;
    const { counting } = this.core;
    const { userId } = this.admitted.caller.account;
    const counter = { counting, model: upstreamModel || this.admitted.call.model, userId };
    return countedUsage(this.admitted, { produced, outputLimit, attempt, outputSize }, counter);
  }

  /** Records a charge; the caller has claimed the outcome. Returns its amount. */
  used(
    { usage, source, note, end, outcome }: Use,
    facts: AttemptFacts,
    onKept: () => void,
  ): number {
    const { caller, quote, reservation, task }: ChargedCall = this.admitted;
    const call = this.facts(facts);
    const entry: UsedEntry = {
      kind: 'used',
      userId: caller.account.userId,
      leaseId: reservation?.leaseId ?? null,
      producerId: reservation?.producerId ?? null,
      call,
      usage,
      usageSource: source,
      usageNote: note,
      end,
      quote,
    };
    if (task === undefined || outcome === undefined) return this.end(entry, onKept);
    const { platform, action } = task;
    const named = { ...call, task: { platform, action, upstreamId: outcome.upstreamId } };
    return this.end({ ...entry, call: named, task: { facts: task, outcome } }, onKept);
  }

  /** Records that nothing is charged; the caller has claimed the outcome. */
  failed({ error, status, outcome }: Failure, facts: AttemptFacts, onKept: () => void): void {
    const { caller, task }: ChargedCall = this.admitted;
    const entry: FailedEntry = {
      kind: 'failed',
      userId: caller.account.userId,
      call: this.facts(facts),
      statusCode: status,
      errorType: error.type,
      errorCode: String(error.code ?? ''),
      message: error.message,
    };
    const isTask = task !== undefined && outcome !== undefined;
    this.end(isTask ? { ...entry, task: { facts: task, outcome } } : entry, onKept);
  }

  /** The same for callers that wait for the record. */
  async whenUsed(use: Use, facts: AttemptFacts): Promise<number> {
    let amount = 0;
    await new Promise<void>((resolve) => {
      amount = this.used(use, facts, resolve);
    });
    return amount;
  }

  whenFailed(failure: Failure, facts: AttemptFacts): Promise<void> {
    return new Promise((resolve) => {
      this.failed(failure, facts, resolve);
    });
  }

  /** The one place that ends a call: its record, its reservation, and what it holds of limits. */
  private end(entry: UsedEntry | FailedEntry, onKept: () => void): number {
    const isUsed = entry.kind === 'used';
    const amount = isUsed ? price(entry.usage, entry.quote) : 0;
    this.core.journal.ended(entry, onKept);
    this.claimed = true;
    this.recorded = true;
    this.funding?.settle(amount);
    this.admitted.permit?.ended(isUsed ? limitedTokens(entry.usage) : 0);
    return amount;
  }

  private get outputLimit(): number | null {
    return this.funding === null ? null : this.funding.outputLimit;
  }

  private facts({ channelId, tried, upstreamModel, firstByteMs }: AttemptFacts): CallFacts {
    const charged: ChargedCall = this.admitted;
    const { caller, call, requestId, group, path, startedAtMs } = charged;
    const reasoningEffort =
      charged.task === undefined ? reasoningEffortOf(charged.call) : undefined;
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
