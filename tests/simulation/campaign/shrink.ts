import type { Action, CallPlan, History } from '../history.ts';
import type { ViolationKind } from '../oracle/violations.ts';

/** Does this history still show the violation? */
type Fails = (history: History) => Promise<boolean>;

/** Tries that one shrinking may take. */
const mostRuns = 600;

/** Events of one moment are drawn again for what is left, so a few draws are tried. */
const draws = 3;

class Shrinking {
  readonly #fails: Fails;
  #runs = 0;
  best: History;

  constructor(history: History, fails: Fails) {
    this.best = history;
    this.#fails = fails;
  }

  get isExhausted(): boolean {
    return this.#runs >= mostRuns;
  }

  /** Keeps the candidate when it fails as well. */
  async try(candidate: History): Promise<boolean> {
    for (let draw = 0; draw < draws && !this.isExhausted; draw += 1) {
      const drawn = { ...candidate, seed: candidate.seed + draw };
      this.#runs += 1;
      if (!(await this.#fails(drawn))) continue;
      this.best = drawn;
      return true;
    }
    return false;
  }

  /** Leaves out as many items as it can: halves, then quarters, then one by one. */
  async without<T>(
    items: (history: History) => readonly T[],
    withItems: (history: History, left: readonly T[]) => History,
  ): Promise<boolean> {
    let isShorter = false;
    for (
      let size = Math.ceil(items(this.best).length / 2);
      size >= 1;
      size = Math.floor(size / 2)
    ) {
      for (let at = 0; at < items(this.best).length && !this.isExhausted; ) {
        const all = items(this.best);
        const left = [...all.slice(0, at), ...all.slice(at + size)];
        if (await this.try(withItems(this.best, left))) isShorter = true;
        else at += size;
      }
    }
    return isShorter;
  }

  /** Replaces each item by a simpler one where the violation stays. */
  async simpler<T>(
    items: (history: History) => readonly T[],
    withItems: (history: History, left: readonly T[]) => History,
    simpler: (item: T) => T | null,
  ): Promise<void> {
    for (let at = 0; at < items(this.best).length && !this.isExhausted; at += 1) {
      const all = items(this.best);
      const item = all[at];
      const changed = item === undefined ? null : simpler(item);
      if (changed !== null) await this.try(withItems(this.best, all.with(at, changed)));
    }
  }
}

const calls = ({ calls: all }: History): readonly CallPlan[] => all;
const withCalls = (history: History, left: readonly CallPlan[]): History => ({
  ...history,
  calls: left,
});
const actions = ({ actions: all }: History): readonly Action[] => all;
const withActions = (history: History, left: readonly Action[]): History => ({
  ...history,
  actions: left,
});

const plainCall = (call: CallPlan): CallPlan | null => {
  const { task: _task, batch: _batch, cache: _cache, session: _session, ...text } = call;
  const plain: CallPlan = {
    ...text,
    cachedTokens: 0,
    chunks: 0,
    fate: 'served',
    leavesAfterMs: null,
    promptEstimate: call.promptTokens,
    limit: call.outputTokens,
  };
  return JSON.stringify(plain) === JSON.stringify(call) ? null : plain;
};

const shorterAction = (action: Action): Action | null =>
  'forMs' in action && action.forMs > 200
    ? { ...action, forMs: Math.round(action.forMs / 2) }
    : null;

/** Smaller sites first; a candidate that names what is not there does nothing, and so fails not. */
const smallerSites = (history: History): readonly History[] => {
  const { setup } = history;
  const with_ = (change: Partial<History['setup']>): History => ({
    ...history,
    setup: { ...setup, ...change },
  });
  const end = Math.max(0, ...history.calls.map(({ at }) => at), ...history.actions.map(endOf));
  return [
    with_({ keepers: 1 }),
    with_({ keepers: 2 }),
    with_({ relays: 1 }),
    with_({ relays: 2 }),
    with_({ projections: false }),
    with_({ clocks: {} }),
    with_({ latency: { lowMs: 0.2, highMs: 1 } }),
    with_({ lengthMs: end + 500 }),
    with_({ models: setup.models.map(() => plainPrice) }),
  ].filter((candidate) => JSON.stringify(candidate) !== JSON.stringify(history));
};

const plainPrice = {
  modelMilli: 1_000,
  completionMilli: 1_000,
  cacheMilli: 1_000,
  groupMilli: 1_000,
};
const endOf = (action: Action): number => action.at + ('forMs' in action ? action.forMs : 0);

/** The shortest history that is found to show the same violation. */
export const shrink = async (
  history: History,
  kind: ViolationKind,
  violationsOf: (candidate: History) => Promise<ReadonlySet<ViolationKind>>,
): Promise<History> => {
  const before = await violationsOf(history);
  /** What shows other things as well may be another defect. */
  const fails: Fails = async (candidate) => {
    const kinds = await violationsOf(candidate);
    return kinds.has(kind) && [...kinds].every((other) => before.has(other));
  };
  const shrinking = new Shrinking(history, fails);
  for (let isShorter = true; isShorter && !shrinking.isExhausted; ) {
    isShorter = await shrinking.without(actions, withActions);
    isShorter = (await shrinking.without(calls, withCalls)) || isShorter;
  }
  for (const candidate of smallerSites(shrinking.best)) {
    const { setup } = candidate;
    await shrinking.try({ ...shrinking.best, setup: { ...shrinking.best.setup, ...setup } });
  }
  await shrinking.simpler(calls, withCalls, plainCall);
  await shrinking.simpler(actions, withActions, shorterAction);
  return shrinking.best;
};
