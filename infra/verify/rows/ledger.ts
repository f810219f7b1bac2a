import type { Recorded } from '../../../domain/shared/event.ts';
import type { ReadModelView, VerifiedMovement } from '../../ports/read-models.ts';
import { movementOf } from '../account-types.ts';
import type { ConcernedEvent } from '../concerns.ts';
import type { Findings } from '../findings.ts';
import { compareRows } from './compare.ts';
import type { Expectation } from './expectation.ts';

type Account = {
  isOpen: boolean;
  balance: number;
  used: number;
  count: number;
  /** Of places and movements, in their order. */
  trace: number;
};
type Run = { userId: number; balance: number; count: number; trace: number; broken: boolean };

const beginRun = (userId: number): Run => ({
  userId,
  balance: 0,
  count: 0,
  trace: 0,
  broken: false,
});

const advanced = (trace: number, position: bigint, delta: number): number => {
  const place = Number(BigInt.asUintN(32, position));
  const mixed = Math.imul(trace ^ place, 0x9e3779b1) ^ (trace >>> 15);
  return (Math.imul(mixed ^ (delta | 0), 0x85ebca77) ^ Math.trunc(delta / 2 ** 32)) >>> 0;
};

const entries = 'ledger.entries';

/** Every movement once and in order, each with the balance that it led to. */
export class ExpectedLedger implements Expectation<'ledger'> {
  readonly name = 'ledger';
  readonly #accounts = new Map<number, Account>();

  see({ event, position }: Recorded<ConcernedEvent<'ledger'>>): void {
    const account = this.#account(event.data.userId);
    if (event.type === 'AccountOpened') {
      account.isOpen = true;
      return;
    }
    const delta = movementOf(event);
    account.balance += delta;
    account.count += 1;
    account.trace = advanced(account.trace, position, delta);
    if (event.type === 'RequestCharged') account.used += event.data.amount;
    if (event.type === 'RequestRefunded') account.used -= event.data.amount;
  }

  async compare(view: ReadModelView, findings: Findings): Promise<number> {
    const moved = [...this.#accounts].filter(([, { count }]) => count > 0);
    const opened = [...this.#accounts].filter(([, { isOpen }]) => isOpen);
    const accounts = await compareRows({
      findings,
      table: 'ledger.accounts',
      rows: view.accounts(),
      expected: new Map(
        opened.map(([userId, { balance, used }]) => [String(userId), { userId, balance, used }]),
      ),
      keyOf: ({ userId }) => String(userId),
    });
    const days = await compareRows({
      findings,
      table: 'ledger.days',
      rows: view.movementCounts(),
      expected: new Map(moved.map(([userId, { count }]) => [String(userId), { userId, count }])),
      keyOf: ({ userId }) => String(userId),
    });
    const rows = view.movements?.();
    return (
      accounts + days + (rows === undefined ? 0 : await this.#compareMovements(rows, findings))
    );
  }

  /** Each row against the one before it, and all rows of an account against its events. */
  async #compareMovements(
    rows: AsyncIterable<VerifiedMovement>,
    findings: Findings,
  ): Promise<number> {
    const missing = new Set([...this.#accounts].filter(([, a]) => a.count > 0).map(([id]) => id));
    let run: Run = beginRun(-1);
    let count = 0;
    for await (const row of rows) {
      count += 1;
      if (run.userId !== row.userId) {
        if (run.count > 0) this.#closeRun(run, findings);
        missing.delete(row.userId);
        run = beginRun(row.userId);
      }
      this.#follow(run, row, findings);
    }
    if (run.count > 0) this.#closeRun(run, findings);
    for (const userId of missing) {
      const detail = 'the read model has no movement of this account';
      findings.ofRow({ kind: 'row-missing', row: `${entries}/${userId}`, detail });
    }
    return count;
  }

  #follow(run: Run, { position, delta, balanceAfter }: VerifiedMovement, findings: Findings) {
    const due = run.balance + delta;
    if (balanceAfter !== due) {
      const detail = `balance_after is ${balanceAfter}, expected ${due}`;
      const row = `${entries}/${run.userId}/${position}`;
      findings.ofRow({ kind: 'row-differs', row, detail });
      run.broken = true;
    }
    run.balance = balanceAfter;
    run.count += 1;
    run.trace = advanced(run.trace, position, delta);
  }

  #closeRun(run: Run, findings: Findings): void {
    const due = this.#accounts.get(run.userId);
    const row = `${entries}/${run.userId}`;
    if (due === undefined || due.count === 0) {
      const detail = 'the log has no movement of this account';
      findings.ofRow({ kind: 'row-unexpected', row, detail });
    } else if (run.count !== due.count) {
      const kind = run.count < due.count ? 'row-missing' : 'row-unexpected';
      const detail = `${run.count} movements, the log has ${due.count}`;
      findings.ofRow({ kind, row, detail });
    } else if (run.trace !== due.trace && !run.broken) {
      const detail = 'the movements differ from the log';
      findings.ofRow({ kind: 'row-differs', row, detail });
    }
  }

  #account(userId: number): Account {
    const known = this.#accounts.get(userId);
    if (known !== undefined) return known;
    const account = { isOpen: false, balance: 0, used: 0, count: 0, trace: 0 };
    this.#accounts.set(userId, account);
    return account;
  }
}
