import type { RequestCharged } from '../../../domain/account/events.ts';
import { costOf } from '../../simulation/oracle/calculator.ts';
import type { Served } from '../listing-provider.ts';
import type { Seen } from '../load.ts';
import { dueFor, maxOutput, numberOf, planOf, priceOf } from '../numbered-call.ts';
import type { AccountSum } from './account.ts';

type Charge = RequestCharged['data'];

/** What is compared: the provider's list, what the clients saw, and the log. */
export type Evidence = Readonly<{
  served: ReadonlyMap<number, Served>;
  seen: readonly Seen[];
  accounts: ReadonlyMap<number, AccountSum>;
  /** Requests in the error log, and how often. */
  failed: ReadonlyMap<string, number>;
  /** When each relay was killed, by its index. */
  kills: readonly (readonly number[])[];
}>;

/** Each line names a call; all of them must be empty. */
export type CallFindings = Readonly<{
  /** Served, and not charged. */
  lost: readonly string[];
  doubled: readonly string[];
  /** A relay accepted it, and the log has no outcome. */
  unaccounted: readonly string[];
  wrongAmounts: readonly string[];
  /** Charged, and nothing was served to this customer. */
  unfounded: readonly string[];
}>;

export const callFindings = [
  'lost',
  'doubled',
  'unaccounted',
  'wrongAmounts',
  'unfounded',
] as const satisfies readonly (keyof CallFindings)[];

/** The time of a kill is noted a moment before it reaches the process. */
const noticedMs = 1_000;
/** For so long a relay reads on when its client has left. */
const drainMs = 60_000;

class CallCheck {
  readonly lost: string[] = [];
  readonly doubled: string[] = [];
  readonly unaccounted: string[] = [];
  readonly wrongAmounts: string[] = [];
  readonly unfounded: string[] = [];
  readonly #evidence: Evidence;
  readonly #byNumber: ReadonlyMap<number, Seen>;
  readonly #byRequest: ReadonlyMap<string, Seen>;
  readonly #charges = new Map<number, Charge[]>();
  /** Charges that neither client nor usage ties to a call, by token. */
  readonly #untied = new Map<number, Charge[]>();
  /** Requests given up that no client can name, by token. */
  readonly #unnamed = new Map<number, number>();
  readonly #abandoned = new Set<string>();

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
    const { seen } = evidence;
    this.#byNumber = new Map(seen.map((call) => [call.n, call]));
    const named = seen.filter(({ requestId }) => requestId !== '');
    this.#byRequest = new Map(named.map((call) => [call.requestId, call]));
    for (const [userId, { charges, abandoned }] of evidence.accounts) {
      for (const charge of charges) this.#tie(userId, charge);
      for (const { requestId, tokenId } of abandoned) this.#noteAbandoned(requestId, tokenId);
    }
  }

  run(): CallFindings {
    for (const [n, charges] of this.#charges) this.#checkCharges(n, charges);
    for (const entry of this.#evidence.served.values()) this.#checkServed(entry);
    for (const call of this.#evidence.seen) this.#checkSeen(call);
    for (const charges of this.#untied.values()) {
      for (const { call } of charges) this.unfounded.push(`${call.requestId}: nothing was served`);
    }
    return this;
  }

  #noteAbandoned(requestId: string, tokenId: number): void {
    this.#abandoned.add(requestId);
    if (this.#byRequest.has(requestId)) return;
    this.#unnamed.set(tokenId, (this.#unnamed.get(tokenId) ?? 0) + 1);
  }

  #tie(userId: number, charge: Charge): void {
    const { call, usage, usageSource } = charge;
    const byUsage =
      usageSource === 'upstream'
        ? numberOf({
            prompt: usage.promptTokens,
            output: usage.completionTokens,
            cached: usage.cachedTokens,
          })
        : null;
    const byClient = this.#byRequest.get(call.requestId)?.n ?? null;
    const n = byClient ?? byUsage;
    if (byClient !== null && byUsage !== null && byClient !== byUsage) {
      this.unfounded.push(
        `${call.requestId} is call ${byClient}, charged with usage of ${byUsage}`,
      );
    }
    if (n === null) {
      this.#untied.set(call.tokenId, [...(this.#untied.get(call.tokenId) ?? []), charge]);
      return;
    }
    this.#charges.set(n, [...(this.#charges.get(n) ?? []), charge]);
    const seen = this.#byNumber.get(n);
    if (seen !== undefined && seen.userId === userId && seen.tokenId === call.tokenId) return;
    this.unfounded.push(`call ${n} is charged to user ${userId}, token ${call.tokenId}`);
  }

  #checkCharges(n: number, charges: readonly Charge[]): void {
    if (charges.length > 1) this.doubled.push(`call ${n}: ${charges.length} charges`);
    const entry = this.#evidence.served.get(n);
    if (entry === undefined || entry.state === 'refused') {
      this.unfounded.push(`call ${n} is charged and was not served`);
      return;
    }
    for (const charge of charges) this.#checkAmount(entry, charge);
  }

  #checkAmount({ plan }: Served, { amount, usage, usageSource, call }: Charge): void {
    const { promptTokens: prompt, completionTokens: output, cachedTokens: cached } = usage;
    // A stream may end before its usage is read; then the product counts, never more than was sent.
    const isReported = usageSource === 'upstream' && plan.answer === 'whole';
    const counted = costOf(priceOf(plan.model), { prompt, output, cached });
    const due = isReported ? dueFor(plan) : counted;
    const isPlausible = isReported || (cached === 0 && output <= maxOutput && prompt > 0);
    if (amount === due && isPlausible && call.model === plan.model) return;
    this.wrongAmounts.push(`call ${plan.n}: ${amount} charged, ${due} due`);
  }

  #checkServed({ plan, state }: Served): void {
    if (state === 'refused' || this.#charges.has(plan.n)) return;
    const seen = this.#byNumber.get(plan.n);
    if (seen === undefined) {
      this.unaccounted.push(`call ${plan.n} was served to an unknown client`);
      return;
    }
    if (seen.complete) {
      this.lost.push(`call ${plan.n} (${seen.requestId}) came whole and is not charged`);
      return;
    }
    if (this.#isExplained(seen, state)) return;
    this.lost.push(
      `call ${plan.n} (${seen.requestId}) was served (${state}), not charged, not given up`,
    );
  }

  /**
   * Served and not charged: its relay was killed meanwhile, or the answer broke before it had any
   * text.
   */
  #isExplained(seen: Seen, state: Served['state']): boolean {
    const { requestId } = seen;
    if (requestId !== '' && state !== 'whole' && this.#evidence.failed.has(requestId)) return true;
    if (!this.#wasKilledUnder(seen)) return false;
    if (requestId !== '') return this.#abandoned.has(requestId);
    return this.#takeUnnamed(seen.tokenId) || this.#takeUntied(seen.tokenId);
  }

  #wasKilledUnder({ n, relay, sentAt, endedAt }: Seen): boolean {
    const kills = this.#evidence.kills[relay] ?? [];
    const until = planOf(n).leavesEarly ? endedAt + drainMs : endedAt;
    return kills.some((at) => at >= sentAt - noticedMs && at <= until);
  }

  #takeUnnamed(tokenId: number): boolean {
    const left = this.#unnamed.get(tokenId) ?? 0;
    if (left > 0) this.#unnamed.set(tokenId, left - 1);
    return left > 0;
  }

  /** Counted by the relay, whose client does not have the id of its request. */
  #takeUntied(tokenId: number): boolean {
    return this.#untied.get(tokenId)?.pop() !== undefined;
  }

  #checkSeen({ n, status, requestId }: Seen): void {
    if (status !== 200 && this.#evidence.served.get(n)?.state !== 'refused') return;
    const failures = this.#evidence.failed.get(requestId) ?? 0;
    if (failures > 1) this.doubled.push(`call ${n} (${requestId}): ${failures} failures`);
    const isCharged = this.#charges.has(n);
    if (failures > 0 && isCharged)
      this.doubled.push(`call ${n} (${requestId}): charged and failed`);
    if (isCharged || failures > 0 || requestId === '' || this.#abandoned.has(requestId)) return;
    this.unaccounted.push(`call ${n} (${requestId}) has no outcome`);
  }
}

/** Call by call. */
export const compareCalls = (evidence: Evidence): CallFindings => new CallCheck(evidence).run();
