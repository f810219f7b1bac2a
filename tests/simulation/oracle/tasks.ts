import type { World } from '../world/world.ts';
import { costOf } from './calculator.ts';
import type { Charge, Ledger } from './ledger.ts';
import type { CallTruth } from './truth.ts';
import type { Violations } from './violations.ts';

type Owing = Readonly<{
  requestId: string;
  charged: number;
  /** What has to come back, by how the task ended at the provider. */
  owed: number;
  /** Came back because of that. */
  refunded: number;
  /** The same, and what people gave back. */
  givenBack: number;
}>;

/** What the end of a task gives back, with nothing of the product's own prices. */
const owedFor = ({ plan, price, due }: CallTruth): number => {
  const { task } = plan;
  if (task === undefined || price === null || due === null) return 0;
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

  /** Money of tasks that has not come back yet. */
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
        if (call?.plan.task === undefined) return [];
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
