import type { LeaseBook, Reservation } from '../../../relay/admission/lease-book.ts';
import type { Journal } from '../../../relay/settlement/journal.ts';
import type { CallPlan } from '../history.ts';
import { costOf, type Tokens } from '../oracle/calculator.ts';
import { type CallTruth, decideDue } from '../oracle/truth.ts';

type Needs = Readonly<{
  /** Of the first turn. */
  first: CallTruth;
  open: (plan: CallPlan) => CallTruth;
  finish: (truth: CallTruth, outcome: 'answered' | 'refused' | 'failed') => void;
  onAsked: (truth: CallTruth) => void;
  onRefused: (truth: CallTruth) => void;
  now: () => number;
}>;

type Booked = Parameters<Journal['ended']>[0];

const totalOf = ({ prompt, output }: Tokens): number => prompt + output;

/**
 * The turns of one realtime session, each a separate call from the moment when quota is requested
 * for it: what was received of it, and what is due for that.
 */
export class SessionTurns {
  readonly #needs: Needs;
  readonly #byReservation = new Map<Reservation, CallTruth>();
  readonly #byRequest = new Map<string, CallTruth>();
  /** Requested, and not begun. */
  #next: CallTruth | null;
  #begun = 0;
  /** Since the last record: the provider's output, and its report. */
  #received = 0;
  #reported: Tokens | null = null;
  /** Since the last record or report: the customer's input, and the provider's output. */
  #inputTokens = 0;
  #outputTokens = 0;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#next = needs.first;
    this.#byRequest.set(needs.first.requestId, needs.first);
  }

  said(tokens: number): void {
    this.#inputTokens += tokens;
  }

  heard(tokens: number): void {
    this.#outputTokens += tokens;
    this.#received += tokens;
  }

  reported(tokens: Tokens): void {
    this.#reported = tokens;
    if (totalOf(tokens) === 0) return;
    this.#inputTokens = 0;
    this.#outputTokens = 0;
  }

  /** The id of the turn that begins. */
  nextRequestId(): string {
    if (this.#next === null) throw new Error('a turn begins without a reservation');
    return this.#next.requestId;
  }

  journal(inner: Journal): Journal {
    const { relayId } = inner;
    return {
      relayId,
      started: (entry) => {
        this.#start(entry.requestId);
        inner.started(entry);
      },
      ended: (entry, onWritten) => {
        const truth = this.#end(entry);
        inner.ended(entry, () => {
          truth.bookedAt = this.#needs.now();
          this.#needs.finish(truth, (truth.due ?? 0) > 0 ? 'answered' : 'failed');
          onWritten();
        });
      },
      accepting: () => inner.accepting(),
      healthy: () => inner.healthy(),
      leaseIdle: (entry) => inner.leaseIdle(entry),
      unsettledNumber: (userId) => inner.unsettledNumber(userId),
      endProducers: () => inner.endProducers(),
      close: () => inner.close(),
    };
  }

  leaseBook(inner: LeaseBook): LeaseBook {
    return {
      tryReserve: (userId, tokenId, need) => inner.tryReserve(userId, tokenId, need),
      reserve: (request, isGone) => this.#reserve(inner, request, isGone),
      reserveMore: async (reservation, need) => {
        const result = await inner.reserveMore(reservation, need);
        if (result.kind === 'reserved') this.#grew(reservation, need);
        return result;
      },
      extend: (reservation, more) => {
        const isFunded = inner.extend(reservation, more);
        if (isFunded) this.#grew(reservation, more);
        return isFunded;
      },
      settle: (reservation, amount) => {
        inner.settle(reservation, amount);
        this.#settled(reservation);
      },
      start: () => inner.start(),
      stop: () => inner.stop(),
    };
  }

  #grew(reservation: Reservation, units: number): void {
    const truth = this.#byReservation.get(reservation);
    if (truth !== undefined) truth.reserved += units;
  }

  /** A reservation that no turn has taken is given back as a whole. */
  #settled(reservation: Reservation): void {
    const truth = this.#byReservation.get(reservation);
    if (truth === undefined || truth.isAsked) return;
    decideDue(truth, 0, this.#needs.now());
    truth.bookedAt = this.#needs.now();
    this.#needs.finish(truth, 'failed');
  }

  #open(): CallTruth {
    const { first } = this.#needs;
    const { plan } = first;
    const turns = plan.session?.turns ?? [];
    const turn = turns[Math.min(this.#begun, turns.length - 1)];
    const truth = this.#needs.open({ ...plan, ...turn });
    truth.price = first.price;
    truth.relayLife = first.relayLife;
    this.#byRequest.set(truth.requestId, truth);
    return truth;
  }

  async #reserve(
    inner: LeaseBook,
    request: Parameters<LeaseBook['reserve']>[0],
    isGone?: () => boolean,
  ): ReturnType<LeaseBook['reserve']> {
    const { now, onAsked, onRefused, finish } = this.#needs;
    const truth = this.#next ?? this.#open();
    this.#next = truth;
    truth.need = request.need;
    truth.askedAt = now();
    onAsked(truth);
    try {
      const result = await inner.reserve(request, isGone);
      if (result.kind === 'reserved') {
        truth.admittedAt = now();
        truth.reserved = result.reservation.reserved;
        this.#byReservation.set(result.reservation, truth);
        return result;
      }
      truth.refusedAt = now();
      truth.refusal = result.refusal;
      onRefused(truth);
      this.#next = null;
      finish(truth, 'refused');
      return result;
    } catch (error) {
      this.#next = null;
      finish(truth, 'failed');
      throw error;
    }
  }

  #start(requestId: string): void {
    const truth = this.#byRequest.get(requestId);
    if (truth === undefined) throw new Error(`no turn is called ${requestId}`);
    truth.isAsked = true;
    this.#next = null;
    this.#begun += 1;
  }

  #end({ call, ...entry }: Booked): CallTruth {
    const truth = this.#byRequest.get(call.requestId);
    if (truth?.price == null) throw new Error(`no turn is called ${call.requestId}`);
    const isComplete = entry.kind === 'used' && entry.end === 'complete';
    const counted = { prompt: this.#inputTokens, cached: 0, output: this.#outputTokens };
    decideDue(truth, costOf(truth.price, this.#used(counted, isComplete)), this.#needs.now());
    truth.received = this.#received;
    truth.isComplete = isComplete;
    this.#inputTokens = 0;
    this.#outputTokens = 0;
    this.#received = 0;
    this.#reported = null;
    return truth;
  }

  /** A turn that broke off is due with what followed its report as well. */
  #used(counted: Tokens, isComplete: boolean): Tokens {
    const reported = this.#reported;
    if (reported === null) return counted;
    if (isComplete) return reported;
    return {
      prompt: reported.prompt + counted.prompt,
      cached: reported.cached,
      output: reported.output + counted.output,
    };
  }
}
