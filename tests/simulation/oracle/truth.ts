import type { CallPlan, ModelPrice } from '../history.ts';

/** What became of one call, as seen from outside the product. */
export type CallTruth = {
  readonly index: number;
  readonly plan: CallPlan;
  readonly requestId: string;
  sentAt: number;
  /** The price that the relay quoted. */
  price: ModelPrice | null;
  relayLife: string;
  /** The relay began to request quota, and what it needs. */
  askedAt: number | null;
  need: number;
  /** What was free for it at the request. */
  freeWhenAsked: number;
  admittedAt: number | null;
  /** Set aside for it, extensions included. */
  reserved: number;
  /** The provider has been called. */
  isAsked: boolean;
  /** Output tokens that the provider sent and the relay received. */
  received: number;
  /** What the provider read for it from a cache, in tokens. */
  cacheTokens: number;
  /** The whole answer of the provider is there. */
  isComplete: boolean;
  /** The relay reports that its record is written: the customer may have the last byte. */
  bookedAt: number | null;
  /** What is due for it; null: nothing was decided yet. Set by `decideDue`. */
  due: number | null;
  /** That was decided: from here on the relay gives back what it set aside beyond it. */
  endedAt: number | null;
  refusedAt: number | null;
  refusal: string | null;
  /** The customer did not wait any longer. */
  leftAt: number | null;
  /** What the customer saw in the end. */
  outcome: 'pending' | 'answered' | 'refused' | 'failed' | 'lost' | 'left';
};

export const isInFlight = ({ admittedAt, due, outcome }: CallTruth): boolean =>
  admittedAt !== null && due === null && outcome !== 'lost';

export const decideDue = (call: CallTruth, due: number, now: number): void => {
  call.due = due;
  call.endedAt = now;
};

/** The provider's list of what it served, and the customers' of what they got. */
export class Truth {
  readonly calls: CallTruth[] = [];
  /** A relay requests quota, and is refused: reported at that moment. */
  onAsked: (call: CallTruth) => void = () => undefined;
  onRefused: (call: CallTruth) => void = () => undefined;
  readonly #byId = new Map<string, CallTruth>();

  open(plan: CallPlan, now: number): CallTruth {
    const index = this.calls.length;
    const call: CallTruth = {
      index,
      plan,
      requestId: `call${String(index).padStart(4, '0')}`,
      sentAt: now,
      price: null,
      relayLife: '',
      askedAt: null,
      need: 0,
      freeWhenAsked: 0,
      admittedAt: null,
      reserved: 0,
      isAsked: false,
      received: 0,
      cacheTokens: 0,
      isComplete: false,
      bookedAt: null,
      due: null,
      endedAt: null,
      refusedAt: null,
      refusal: null,
      leftAt: null,
      outcome: 'pending',
    };
    this.calls.push(call);
    this.#byId.set(call.requestId, call);
    return call;
  }

  byRequest(requestId: string): CallTruth | null {
    return this.#byId.get(requestId) ?? null;
  }
}
