import type { RequestEnd } from '../../../domain/account/events.ts';
import type { ReportedUsage } from '../../../domain/pricing/bound-usage.ts';
import { estimate } from '../../../domain/pricing/estimate.ts';
import { limitsOfModel } from '../../../domain/pricing/model-limits.ts';
import type { Quote, Usage } from '../../../domain/pricing/types.ts';
import type { Metering } from '../../../infra/processes/relay-metering.ts';
import type { BookedCall } from '../../../relay/admission/admitted.ts';
import type { LeaseBook, Reservation } from '../../../relay/admission/lease-book.ts';
import { reserveUnits } from '../../../relay/admission/reserve-call.ts';
import { costOfCached } from '../../../relay/ingress/cached-prompt.ts';
import type { TextCall } from '../../../relay/protocol/calls.ts';
import { Charge } from '../../../relay/settlement/charge.ts';
import type { Counting } from '../../../relay/settlement/counting.ts';
import { Funding } from '../../../relay/settlement/funding.ts';
import type { OutputSize } from '../../../relay/settlement/output-size.ts';
import { SseMeter } from '../../../relay/settlement/sse-meter.ts';
import { type CallPlan, tokenIdOf, userIdOf } from '../history.ts';
import { costOf } from '../oracle/calculator.ts';
import { type CallTruth, decideDue } from '../oracle/truth.ts';
import type { Machine } from '../world/machine.ts';
import type { FoundCache } from './cache-reads.ts';
import { callerOf } from './caller.ts';
import type { Provider, ProviderListener } from './provider.ts';

export type RelayCallNeeds = Readonly<{
  machine: Machine;
  metering: Metering;
  provider: Provider;
  quote: Quote;
  preConsumedTokens: number;
  truth: CallTruth;
  /** That the call reads; absent: none. */
  cache?: FoundCache;
  now: () => number;
  onAsked: (truth: CallTruth) => void;
  onRefused: (truth: CallTruth) => void;
  /** What goes back to the customer. */
  reply: (outcome: 'answered' | 'refused' | 'failed', detail: string) => void;
}>;

const plainBody = Buffer.from('{}');
/** Its cache read is accepted because of that. */
const cachedBody = Buffer.from('{"cachedContent":"cachedContents/x"}');
const scan = {
  members: {},
  duplicates: false,
  close: 1,
  empty: true,
  blobBytes: 0,
  blobs: 0,
  pictures: 0,
  kept: 0,
} as const;

const textCall = (plan: CallPlan): TextCall => ({
  operation: 'chat',
  protocol: 'openai',
  path: '/v1/chat/completions',
  clientPath: '/v1/chat/completions',
  model: `model-${plan.model}`,
  body: plan.cache === undefined ? plainBody : cachedBody,
  scan: plan.cache === undefined ? scan : { ...scan, kept: 1 },
  isStream: plan.chunks > 0,
  contentType: 'application/json',
  accept: '',
});

const facts = { channelId: 1, tried: [1], upstreamModel: '', firstByteMs: null } as const;

const refusedByProvider = {
  status: 502,
  message: 'The provider refused',
  type: 'upstream_error',
  param: null,
  code: 'refused',
} as const;

/**
 * Prompts and answers have no words here, so the plan of a call contains their number of tokens.
 */
const noWords = () => Promise.reject(new Error('a history has no words to count'));
export const noCounting: Counting = { prompt: noWords, billedPrompt: noWords, billedText: noWords };

type WireUsage = Readonly<{
  prompt_tokens: number;
  completion_tokens: number;
  prompt_tokens_details: Readonly<{ cached_tokens: number }>;
}>;

/** Notes what a running stream sets aside beyond its estimate. */
const noting = (leaseBook: LeaseBook, truth: CallTruth): LeaseBook => ({
  tryReserve: (userId, tokenId, need) => leaseBook.tryReserve(userId, tokenId, need),
  reserve: (request, isGone) => leaseBook.reserve(request, isGone),
  reserveMore: async (reservation, need) => {
    const result = await leaseBook.reserveMore(reservation, need);
    if (result.kind === 'reserved') truth.reserved += need;
    return result;
  },
  extend: (reservation, more) => {
    const isFunded = leaseBook.extend(reservation, more);
    if (isFunded) truth.reserved += more;
    return isFunded;
  },
  settle: (reservation, amount) => leaseBook.settle(reservation, amount),
  start: () => leaseBook.start(),
  stop: () => leaseBook.stop(),
});

/**
 * One call through the product's own admission, funding, metering and charge; this file replaces
 * the routes, protocols and sockets of the relay between them.
 */
export class RelayCall implements ProviderListener {
  readonly #needs: RelayCallNeeds;
  readonly #meter = new SseMeter(false);
  #charge: Charge | null = null;
  #funding: Funding | null = null;
  #callOff: () => void = () => undefined;

  constructor(needs: RelayCallNeeds) {
    this.#needs = needs;
  }

  async start(): Promise<void> {
    const { metering, quote, preConsumedTokens, truth, reply, cache } = this.#needs;
    const { plan } = truth;
    const ofPrompt = estimate(quote, {
      promptTokens: plan.promptEstimate,
      maxOutputTokens: plan.limit,
      preConsumedTokens,
    });
    const need = ofPrompt + costOfCached(quote, cache?.tokens ?? 0);
    const userId = userIdOf(plan.customer);
    const tokenId = tokenIdOf(plan.customer, plan.token);
    truth.need = need;
    truth.askedAt = this.#needs.now();
    this.#needs.onAsked(truth);
    const warm = metering.leaseBook.tryReserve(userId, tokenId, need);
    if (warm !== null) {
      this.#begin(warm);
      return;
    }
    try {
      const ask = { userId, tokenId, need };
      const funded = await reserveUnits(metering.leaseBook, ask, () => truth.outcome === 'left');
      if (funded === 'client-gone') return;
      if (funded.kind === 'reserved') this.#begin(funded.reservation);
      if (funded.kind !== 'refused') return;
      truth.refusedAt = this.#needs.now();
      truth.refusal = funded.refusal;
      this.#needs.onRefused(truth);
      reply('refused', `${funded.refusal}, needs ${need}`);
    } catch (error) {
      reply('failed', String(error));
    }
  }

  onChunk(bytes: Buffer, tokens: number): void {
    const { truth } = this.#needs;
    if (this.#charge?.isClaimed !== false) return;
    truth.received += tokens;
    this.#meter.push(bytes);
    this.#funding?.cover(this.#meter.producedTokens());
    if (this.#funding?.exhausted !== true) return;
    this.#callOff();
    this.#bookCounted('cut-off');
  }

  onEnd(bytes: Buffer, cacheTokens: number): void {
    const { plan } = this.#needs.truth;
    if (this.#charge?.isClaimed !== false) return;
    this.#needs.truth.isComplete = true;
    this.#needs.truth.cacheTokens = cacheTokens;
    const end = this.#needs.truth.outcome === 'left' ? 'client-gone' : 'complete';
    if (plan.chunks === 0) {
      this.#needs.truth.received = plan.outputTokens;
      const { promptTokens, outputTokens: completionTokens, cachedTokens } = plan;
      const reported = {
        promptTokens: promptTokens + cacheTokens,
        completionTokens,
        cachedTokens: cachedTokens + cacheTokens,
      };
      this.#bookReported(reported, end);
      return;
    }
    this.#meter.push(bytes);
    const report = JSON.parse(this.#meter.usage?.toString('utf8') ?? 'null') as WireUsage;
    this.#bookReported(
      {
        promptTokens: report.prompt_tokens,
        completionTokens: report.completion_tokens,
        cachedTokens: report.prompt_tokens_details.cached_tokens,
      },
      end,
    );
  }

  onFailure(kind: 'refused' | 'broken'): void {
    if (this.#charge?.isClaimed !== false) return;
    if (kind === 'broken' && this.#needs.truth.received > 0) this.#bookCounted('upstream-broken');
    else this.#fail();
  }

  #begin(reservation: Reservation): void {
    const { machine, metering, provider, quote, preConsumedTokens, truth, now } = this.#needs;
    const { plan } = truth;
    const { journal, leaseBook } = metering;
    truth.admittedAt = now();
    truth.reserved = reservation.reserved;
    const call: BookedCall = {
      requestId: truth.requestId,
      caller: callerOf(plan),
      call: textCall(plan),
      path: '/v1/chat/completions',
      group: 'default',
      quote,
      allowanceOf: limitsOfModel,
      reservation,
      permit: null,
      startedAtMs: machine.clock().getTime(),
    };
    this.#funding = new Funding(noting(leaseBook, truth), {
      reservation,
      quote,
      coveredTokens: plan.limit ?? preConsumedTokens,
      outputLimit: plan.limit,
    });
    this.#charge = new Charge(
      { journal, clock: machine.clock, counting: noCounting },
      call,
      this.#funding,
    );
    this.#charge.start();
    truth.isAsked = true;
    const cacheName = this.#needs.cache?.upstreamName ?? null;
    this.#callOff = provider.ask(machine, { plan, cacheName }, this);
  }

  /** What was received, where the provider does not report usage: prompts are counted right. */
  #bookCounted(end: RequestEnd): void {
    const { received, plan } = this.#needs.truth;
    const usage: Usage = {
      promptTokens: plan.promptTokens,
      completionTokens: received,
      cachedTokens: 0,
      cacheCreationTokens: 0,
    };
    if (this.#charge?.claim() === true) this.#book({ usage, note: null }, 'counted', end);
  }

  #bookReported(reported: ReportedUsage, end: RequestEnd): void {
    if (this.#charge?.claim() !== true) return;
    const { truth } = this.#needs;
    const outputSize: OutputSize = {
      roughTokens: () => truth.received,
      maxTokens: () => truth.received,
      maxThoughtTokens: () => 0,
    };
    const bounded = this.#charge.bounded(reported, { attempt: null, outputSize });
    if (bounded !== null) this.#book(bounded, 'upstream', end);
  }

  #book(
    { usage, note }: Readonly<{ usage: Usage; note: string | null }>,
    source: 'upstream' | 'counted',
    end: RequestEnd,
  ): void {
    const { truth, now, reply } = this.#needs;
    const { plan, price, cacheTokens } = truth;
    if (price === null) throw new Error('a call without a price');
    // Without the provider's report nothing is recorded of what was read from caches.
    const isReported = end === 'complete' || end === 'client-gone';
    const cached = isReported ? plan.cachedTokens + cacheTokens : 0;
    const prompt = plan.promptTokens + (isReported ? cacheTokens : 0);
    decideDue(truth, costOf(price, { prompt, cached, output: truth.received }), now());
    this.#charge?.used({ usage, source, note, end }, facts, () => {
      truth.bookedAt = now();
      reply('answered', end);
    });
  }

  #fail(): void {
    const { truth, now, reply } = this.#needs;
    if (this.#charge?.claim() !== true) return;
    decideDue(truth, 0, now());
    const outcome = { error: refusedByProvider, status: 502 };
    this.#charge.failed(outcome, facts, () => reply('failed', 'the provider refused'));
  }
}
