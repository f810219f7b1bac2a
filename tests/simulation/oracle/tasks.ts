import type { BatchAnswer, BatchPlan, CallPlan, ModelPrice } from '../history.ts';
import type { World } from '../world/world.ts';
import { costOf, type Tokens } from './calculator.ts';
import type { Charge, Ledger } from './ledger.ts';
import type { CallTruth } from './truth.ts';
import type { Violations } from './violations.ts';

type Owing = Readonly<{
  requestId: string;
  charged: number;
  /** What has to be returned, by how the task ended at the provider. */
  owed: number;
  /** Was returned because of that. */
  refunded: number;
  /** The same, and what people gave back. */
  givenBack: number;
}>;

const isTask = ({ task, batch, cache }: CallPlan): boolean =>
  task !== undefined || batch !== undefined || cache?.does === 'make';

type Paid = Readonly<{ plan: CallPlan; price: ModelPrice; due: number }>;

/** For an answer without usage: its share of the estimate. */
const tokensOf = (answer: Exclude<BatchAnswer, 'failed'>, plan: CallPlan): Tokens => {
  if (answer !== 'silent') {
    const { promptTokens, cachedTokens, outputTokens } = answer;
    return { prompt: promptTokens, cached: cachedTokens, output: outputTokens };
  }
  const requests = plan.batch?.requests ?? 1;
  const share = (tokens: number): number => Math.ceil(tokens / requests);
  return { prompt: share(plan.promptTokens), cached: 0, output: share(plan.outputTokens) };
};

/** A batch costs what its answers took, at its discount; all of it where their list is gone. */
const owedForBatch = (batch: BatchPlan, { plan, price, due }: Paid): number => {
  if (batch.end === 'failed') return due;
  const paid = batch.answers.filter((answer) => answer !== 'failed');
  if (paid.length === 0) return due;
  if (batch.isGone) return 0;
  const used = { prompt: 0, cached: 0, output: 0 };
  for (const answer of paid) {
    const { prompt, cached, output } = tokensOf(answer, plan);
    used.prompt += prompt;
    used.cached += cached;
    used.output += output;
  }
  return Math.max(0, due - costOf(price, used, { batchMilli: batch.ratioMilli }));
};

/** What the end of a task gives back, with nothing of the product's own prices. */
const owedFor = ({ plan, price, due }: CallTruth): number => {
  const { task, batch } = plan;
  if (price === null || due === null) return 0;
  if (batch !== undefined) return owedForBatch(batch, { plan, price, due });
  if (task === undefined) return 0;
  if (task.end === 'succeeded') return 0;
  if (task.end === 'failed') return due;
  return Math.max(0, due - costOf(price, { prompt: 0, cached: 0, output: task.usedTokens }));
};

/** A task that failed costs nothing, one that used less costs what it used, each given back once. */
export class TaskCheck {
  readonly #world: World;
  readonly #ledger: Ledger;

  constructor(world: World, ledger: Ledger) {
    this.#world = world;
    this.#ledger = ledger;
  }

  /** Money of tasks that has not been returned yet. */
  outstanding(): readonly Owing[] {
    return this.#tasks().filter(
      ({ owed, refunded, givenBack, charged }) => refunded < owed && givenBack < charged,
    );
  }

  check(violations: Violations): void {
    for (const { requestId, owed, refunded, charged } of this.outstanding()) {
      const detail = `${requestId}: ${refunded} of ${owed} came back of ${charged} charged`;
      violations.add('not-refunded', detail);
    }
    for (const { requestId, owed, refunded } of this.#tasks()) {
      if (refunded <= owed) continue;
      violations.add('refunded-too-much', `${requestId}: ${refunded} came back, ${owed} were due`);
    }
  }

  #tasks(): readonly Owing[] {
    const known = this.#accepted();
    return [...this.#ledger.books].flatMap(({ charges, refundedTasks, givenBack }) =>
      charges.flatMap(({ requestId, amount }: Charge) => {
        const call = this.#world.truth.byRequest(requestId);
        if (call === null || !isTask(call.plan)) return [];
        // The log of before ended between the charge and the note of the task.
        if (this.#world.isLogRestored && !known.has(requestId)) return [];
        return {
          requestId,
          charged: amount,
          owed: owedFor(call),
          refunded: refundedTasks.get(requestId) ?? 0,
          givenBack: givenBack.get(requestId) ?? 0,
        };
      }),
    );
  }

  #accepted(): ReadonlySet<string> {
    const { all } = this.#world.log.log;
    return new Set(
      all.flatMap(({ event, streamId }) =>
        event.type === 'TaskAccepted' ? [streamId.slice(streamId.indexOf('-') + 1)] : [],
      ),
    );
  }
}
