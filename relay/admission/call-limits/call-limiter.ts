import type { AppliedLimits } from '../../feeds/call-limits.ts';
import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import { relayError } from '../../protocol/relay-errors.ts';
import type { Hold, PermitPool } from './permit-pool.ts';
import { type LimitUnit, type PoolDeps, Pools } from './pools.ts';

/** Tokens that a call may take, as far as its body limits them. */
export type TokenNeed = Readonly<{ prompt: number; output: number }>;

/** How far a limit is used, for headers. */
export type LimitState = Readonly<{
  unit: LimitUnit;
  limit: number;
  remaining: number;
  resetMs: number;
}>;

/** What a call holds of its limits until it is over. */
export type CallPermit = Readonly<{
  /** The call has its outcome and took so many tokens. */
  ended: (tokens: number) => void;
  /** The call continues and has used so many more tokens. */
  used: (tokens: number) => void;
  /** The call was not made: nothing of it counts. */
  cancelled: () => void;
}>;

export type PermitResult = Readonly<{
  permit: CallPermit | ApiError;
  states: () => readonly LimitState[];
}>;

/** One limit of a call, and what it takes of it. */
type Ask = Readonly<{
  pool: PermitPool;
  /** The same later: a pool goes when nothing is held of it any more. */
  find: () => PermitPool | null;
  unit: LimitUnit;
  amount: number;
  by: string;
}>;
type Taken = Ask & Readonly<{ hold: Hold }>;

const texts: Readonly<Record<LimitUnit, (limit: number) => string>> = {
  requests: (limit) => `at most ${limit} requests in a minute`,
  tokens: (limit) => `at most ${limit} tokens in a minute`,
  concurrent: (limit) => `at most ${limit} calls at the same time`,
};

const owners: Readonly<Record<string, string>> = {
  token: 'This API key',
  user: 'This user',
  group: 'This group',
  model: 'This model',
};

const refusal = ({ pool, unit, amount, by }: Ask): ApiError => ({
  ...relayError(
    'rate_limit_exceeded',
    `Rate limit reached. ${owners[by]} may make ${texts[unit](pool.limit)}`,
  ),
  type: unit === 'tokens' ? 'tokens' : 'requests',
  retryAfterSeconds: Math.max(1, Math.ceil(pool.waitMs(amount) / 1_000)),
});

/** Waiting does not help: no minute has so many tokens. */
const tooLarge = ({ pool, by }: Ask, prompt: number): ApiError => ({
  ...relayError(
    'rate_limit_exceeded',
    `Request too large. ${owners[by]} may use ${texts.tokens(pool.limit)}, and the prompt alone has about ${prompt}`,
  ),
  type: 'tokens',
});

const permitOf = (taken: readonly Taken[]): CallPermit => {
  let isOver = false;
  const once = (end: (each: Taken) => void): void => {
    if (isOver) return;
    isOver = true;
    for (const each of taken) end(each);
  };
  return {
    ended: (tokens) =>
      once(({ pool, find, unit, hold }) => {
        if (unit === 'tokens') find()?.correct(hold, tokens);
        else if (unit === 'concurrent') pool.giveBack(hold);
      }),
    used: (tokens) => {
      for (const { find, unit } of taken) if (unit === 'tokens') find()?.count(tokens);
    },
    cancelled: () => once(({ pool, hold }) => pool.giveBack(hold)),
  };
};

const stateOf = ({ pool, unit }: Ask): LimitState => ({
  unit,
  limit: pool.limit,
  remaining: pool.remaining,
  resetMs: pool.resetMs(),
});

const shown = (asks: readonly Ask[], permit: CallPermit | ApiError): PermitResult => ({
  permit,
  states: () => asks.map(stateOf),
});

/** undefined: the shared count must be read. */
type Hopes = readonly (Hold | null | undefined)[];

/** All holds, or the refusal that lasts longest; then nothing is held. */
const resultOf = (asks: readonly Ask[], holds: readonly (Hold | null)[]): CallPermit | ApiError => {
  const taken: Taken[] = [];
  let refused: ApiError | null = null;
  for (const [at, ask] of asks.entries()) {
    const hold = holds[at] ?? null;
    if (hold !== null) {
      taken.push({ ...ask, hold });
      continue;
    }
    const error = refusal(ask);
    const isLonger = (error.retryAfterSeconds ?? 0) > (refused?.retryAfterSeconds ?? 0);
    if (isLonger) refused = error;
  }
  const permit = permitOf(taken);
  if (refused === null) return permit;
  permit.cancelled();
  return refused;
};

const askShared = async (asks: readonly Ask[], near: Hopes): Promise<CallPermit | ApiError> => {
  const holds = await Promise.all(
    asks.map(({ pool, amount }, at) => {
      const hold = near[at];
      return hold === undefined ? pool.take(amount) : hold;
    }),
  );
  return resultOf(asks, holds);
};

const known = (hold: Hold | null | undefined): hold is Hold | null => hold !== undefined;

/** From memory where possible; no request is made where a limit is reached already. */
const takeAll = (asks: readonly Ask[]): CallPermit | ApiError | Promise<CallPermit | ApiError> => {
  const near = asks.map(({ pool, amount }) => pool.tryTake(amount));
  if (near.every(known)) return resultOf(asks, near);
  if (near.includes(null)) {
    const answered = asks.filter((_ask, at) => near[at] !== undefined);
    return resultOf(answered, near.filter(known));
  }
  return askShared(asks, near);
};

/** Requests and tokens in a minute and calls at a time, over all relays. */
export class CallLimiter {
  readonly #pools: Pools;

  constructor(deps: PoolDeps) {
    this.#pools = new Pools(deps);
  }

  /** A promise where the shared count must be read. */
  take(applied: readonly AppliedLimits[], need: TokenNeed): PermitResult | Promise<PermitResult> {
    const asks: Ask[] = [];
    for (const limits of applied) this.#addAsks(asks, limits, need);
    const large = asks.find(({ unit, pool }) => unit === 'tokens' && need.prompt > pool.limit);
    if (large !== undefined) return shown(asks, tooLarge(large, need.prompt));
    const permit = takeAll(asks);
    if (!(permit instanceof Promise)) return shown(asks, permit);
    return permit.then((later) => shown(asks, later));
  }

  stop(): void {
    this.#pools.stop();
  }

  #addAsks(asks: Ask[], { by, name, limits }: AppliedLimits, { prompt, output }: TokenNeed): void {
    const add = (unit: LimitUnit, limit: number | undefined, amount: number): void => {
      if (limit === undefined) return;
      const find = (): PermitPool | null => this.#pools.of(`${by}.${name}`, unit);
      const pool = find();
      if (pool === null) return;
      pool.limit = limit;
      // The length of a long answer cannot be foreseen: no call is refused for the length that it
      // allows.
      asks.push({ pool, find, unit, amount: Math.min(amount, limit), by });
    };
    add('requests', limits.requestsPerMinute, 1);
    add('tokens', limits.tokensPerMinute, prompt + output);
    add('concurrent', limits.concurrentRequests, 1);
  }
}

export const isPermit = (permit: CallPermit | ApiError): permit is CallPermit =>
  !isApiError(permit);
