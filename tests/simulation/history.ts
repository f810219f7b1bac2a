/** What one model costs, in whole thousandths, so that the oracle reckons with integers alone. */
export type ModelPrice = Readonly<{
  modelMilli: number;
  completionMilli: number;
  cacheMilli: number;
  groupMilli: number;
}>;

export type CustomerSetup = Readonly<{
  /** Quota units at the start. */
  balance: number;
  /** What each token may spend, in quota units; null: as much as the balance. */
  tokens: readonly (number | null)[];
}>;

export type LeaseTimes = Readonly<{ ttlMs: number; idleMs: number }>;

export type Setup = Readonly<{
  keepers: number;
  relays: number;
  /** Read models over the real projection runtime. */
  projections: boolean;
  customers: readonly CustomerSetup[];
  models: readonly ModelPrice[];
  /** Of every line, milliseconds. */
  latency: Readonly<{ lowMs: number; highMs: number }>;
  /** Machine → its clock; right where it is not named. */
  clocks: Readonly<Record<string, Readonly<{ offsetMs: number; drift: number }>>>;
  /** Output tokens that are set aside where a call names no limit. */
  preConsumedTokens: number;
  /** Calls and actions end here; then everything is healed and settles. */
  lengthMs: number;
  /** Processes have this long before the first call arrives; 1.5 s by default. */
  bootMs?: number;
  /** Those of `site/limits.ts` where they are not named. */
  leases?: LeaseTimes;
  /** Partitions that are called at the end, to see that they work; all where they are not named. */
  probes?: readonly number[];
}>;

/** What becomes of a task that the provider has taken. */
export type TaskPlan = Readonly<{
  /** `settled`: it succeeded, and used fewer tokens than were charged. */
  end: 'succeeded' | 'failed' | 'settled';
  /** From the provider's yes to the end, milliseconds. */
  endsAfterMs: number;
  /** Output tokens that a settled one used. */
  usedTokens: number;
}>;

/** Result of one request of a batch; `silent`: answered, without usage. */
export type BatchAnswer =
  | Readonly<{ promptTokens: number; cachedTokens: number; outputTokens: number }>
  | 'silent'
  | 'failed';

type BatchFailures = Readonly<{ status: number; results: number }>;

/** A batch of requests, charged by an estimate at its discount and settled by its results. */
export type BatchPlan = Readonly<{
  /** `failed`: nothing was carried out. The others have the results of what was. */
  end: 'completed' | 'expired' | 'cancelled' | 'failed';
  /** From the provider's yes to the end, milliseconds. */
  endsAfterMs: number;
  /** One for each request that was carried out. */
  answers: readonly BatchAnswer[];
  /** In all; those without an answer were not carried out. */
  requests: number;
  /** What the price of a single call is multiplied by, in thousandths. */
  ratioMilli: number;
  /** The provider has no results any more when they are requested. */
  isGone: boolean;
  /** This many polls fail at first, of its state and of its results. */
  failures: BatchFailures;
}>;

/** A context cache: `tokens` of the call that makes it are those of its contents. */
type CachePlan =
  | Readonly<{
      does: 'make';
      /** Of this history. */
      id: number;
      /** What a token that is written to it costs, in thousandths of one of a prompt. */
      creationMilli: number;
      /** The provider keeps it for so long. */
      livesMs: number;
    }>
  | Readonly<{ does: 'read'; id: number }>;

/** One turn of a realtime session: a question, and its answer in pieces. */
export type TurnPlan = Readonly<{
  /** The customer's text. */
  inputTokens: number;
  /** What the provider reads for it: the whole conversation. */
  promptTokens: number;
  cachedTokens: number;
  outputTokens: number;
  chunks: number;
  takesMs: number;
  /** The provider does not report usage. */
  isSilent: boolean;
}>;

/** The customer sends the next question when a turn has ended, and leaves after the last one. */
type LivePlan = Readonly<{ turns: readonly TurnPlan[] }>;

/** One call of a customer. Customers, tokens, relays and models are named by their index. */
export type CallPlan = Readonly<{
  at: number;
  customer: number;
  token: number;
  relay: number;
  model: number;
  promptTokens: number;
  /** What the relay takes the prompt for before it is counted. */
  promptEstimate: number;
  cachedTokens: number;
  outputTokens: number;
  /** The client's own limit of output tokens. */
  limit: number | null;
  /** Pieces of a stream; 0: one whole answer. */
  chunks: number;
  /** From the question to the end of the answer, milliseconds. */
  takesMs: number;
  /** `refused`: the provider refuses; `broken`: its answer breaks off in the middle. */
  fate: 'served' | 'refused' | 'broken';
  /** The customer hangs up after so long; null: stays. */
  leavesAfterMs: number | null;
  /** Set: the call submits a task, whose price is that of the call's tokens. */
  task?: TaskPlan;
  /** Set: the call submits a batch, whose estimate is the call's tokens. */
  batch?: BatchPlan;
  /** Set: the call makes a cache, of its prompt tokens, or reads one in addition to its prompt. */
  cache?: CachePlan;
  /**
   * Set: the call opens a realtime session, and has the terms of its first turn. `broken`: in its
   * last one.
   */
  session?: LivePlan;
}>;

type During = Readonly<{ at: number; forMs: number }>;
type On = Readonly<{ machine: string }>;
type Between = Readonly<{ a: string; b: string }>;

/** What is done to the machines, and by the people who run them. */
export type Action =
  | (Readonly<{ kind: 'crash' }> & During & On)
  | (Readonly<{ kind: 'lose-power' }> & During & On)
  | (Readonly<{ kind: 'stop' }> & During & On)
  | (Readonly<{ kind: 'pause' }> & During & On)
  | (Readonly<{ kind: 'jump-clock'; at: number; byMs: number }> & On)
  | (Readonly<{ kind: 'hold' }> & During & Between)
  | (Readonly<{ kind: 'break' }> & During & Between)
  | (Readonly<{ kind: 'slow'; byMs: number }> & During & Between)
  | Readonly<{ kind: 'reset'; at: number; a: string; b: string }>
  | (Readonly<{ kind: 'fill-disk' }> & During & On)
  | (Readonly<{ kind: 'fill-log' }> & During)
  | (Readonly<{ kind: 'fill-bus' }> & During)
  | (Readonly<{ kind: 'flip-bit' }> & During & On)
  | (Readonly<{ kind: 'lose-file' }> & During & On)
  | (Readonly<{ kind: 'restart-bus'; agoMs: number }> & During)
  | (Readonly<{ kind: 'empty-bus' }> & During)
  | (Readonly<{ kind: 'restart-log' }> & During)
  | Readonly<{ kind: 'restore-log'; at: number; agoMs: number }>
  | Readonly<{ kind: 'restore-read-models'; at: number; agoMs: number }>
  | Readonly<{ kind: 'change-price'; at: number; model: number; price: ModelPrice }>
  | Readonly<{
      kind: 'set-budget';
      at: number;
      customer: number;
      token: number;
      remain: number | null;
    }>
  | Readonly<{ kind: 'delete-token'; at: number; customer: number; token: number }>
  | Readonly<{ kind: 'adjust'; at: number; customer: number; delta: number }>
  /** To zero, as the form of the console does it: by the balance that the person looked at. */
  | Readonly<{ kind: 'empty-balance'; at: number; customer: number }>
  | Readonly<{ kind: 'top-up'; at: number; customer: number; amount: number }>
  /** Gives back part of the customer's newest charged call, in percent of its charge. */
  | Readonly<{ kind: 'correct'; at: number; customer: number; percent: number }>
  | Readonly<{ kind: 'refund'; at: number; customer: number; percent: number }>
  /** After the rest: breaks the log or the read models on purpose, which verify has to find. */
  | Readonly<{ kind: 'tamper'; at: number; what: Tampering }>;

export type Tampering =
  | 'amount'
  | 'balance'
  /** Who did it. */
  | 'actor'
  /** Who called, in a charge. */
  | 'caller'
  | 'remove-charge'
  /** Nothing follows it in its stream. */
  | 'remove-last-charge'
  | 'repeat-charge'
  | 'remove-failure'
  | 'snapshot'
  | 'forged-credit'
  | 'read-model'
  | 'missing-read-model';
export type ActionKind = Action['kind'];

export type History = Readonly<{
  version: 1;
  /** Orders what happens at one moment, and draws latencies and chance. */
  seed: number;
  setup: Setup;
  calls: readonly CallPlan[];
  actions: readonly Action[];
}>;

export const hasBatches = ({ calls }: Pick<History, 'calls'>): boolean =>
  calls.some(({ batch }) => batch !== undefined);

/** A task is polled until it has ended. */
export const hasPolls = (history: Pick<History, 'calls'>): boolean =>
  history.calls.some(({ task }) => task !== undefined) || hasBatches(history);

export const userIdOf = (customer: number): number => customer + 1;
/** Token numbers are unique over all customers. */
export const tokenIdOf = (customer: number, token: number): number => 10 * (customer + 1) + token;
export const relayName = (index: number): string => `relay-${index + 1}`;
export const projectionsName = 'projections';
export const keeperName = (index: number): string => `keeper-${index + 1}`;
