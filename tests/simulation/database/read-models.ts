import type {
  ReadModelState,
  ReadModels,
  ReadModelView,
  VerifiedAccount,
  VerifiedCount,
  VerifiedMovement,
  VerifiedToken,
} from '../../../infra/ports/read-models.ts';
import type { Row } from '../../../projections/runtime/table.ts';
import type { SimDatabase } from './sim-database.ts';

const nothing = async function* (): AsyncGenerator<never> {};

const number = (row: Row, name: string): number => Number(row[name]);

const sorted = (rows: Iterable<Row>, ...by: readonly string[]): Row[] =>
  [...rows].sort((left, right) => {
    for (const name of by) {
      const difference = number(left, name) - number(right, name);
      if (difference !== 0) return difference;
    }
    return 0;
  });

async function* each<T>(rows: readonly Row[], toVerified: (row: Row) => T): AsyncGenerator<T> {
  for (const row of rows) yield toVerified(row);
}

const countsOf = (rows: Iterable<Row>): VerifiedCount[] => {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const userId = number(row, 'user_id');
    counts.set(userId, (counts.get(userId) ?? 0) + number(row, 'count'));
  }
  return [...counts]
    .map(([userId, count]) => ({ userId, count }))
    .sort((a, b) => a.userId - b.userId);
};

async function* listed<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** The read models as verify reads them: those that the simulation keeps, and no others. */
export const simulatedReadModels = (database: SimDatabase): ReadModels => {
  const checkpoints = new Map(
    [...database.checkpoints].map(([name, { at }]) => [name, at?.position ?? null]),
  );
  const begin: ReadModelState = { checkpoints };
  const view: ReadModelView = {
    ...begin,
    isUnchanged: async () => true,
    users: nothing,
    topUps: nothing,
    tokens: () =>
      each(
        sorted(database.rows('token_list', 'tokens'), 'id'),
        (row): VerifiedToken => ({
          id: number(row, 'id'),
          userId: number(row, 'user_id'),
          status: number(row, 'status'),
          remain: number(row, 'remain_quota'),
          used: number(row, 'used_quota'),
          unlimited: row.unlimited_quota === true,
        }),
      ),
    accounts: () =>
      each(
        sorted(database.rows('ledger', 'accounts'), 'user_id'),
        (row): VerifiedAccount => ({
          userId: number(row, 'user_id'),
          balance: number(row, 'balance'),
          used: number(row, 'used'),
        }),
      ),
    movements: () =>
      each(
        sorted(database.rows('ledger', 'entries'), 'user_id', 'position'),
        (row): VerifiedMovement => ({
          userId: number(row, 'user_id'),
          position: BigInt(number(row, 'position')),
          delta: number(row, 'delta'),
          balanceAfter: number(row, 'balance_after'),
        }),
      ),
    movementCounts: () => listed(countsOf(database.rows('ledger', 'days'))),
  };
  return {
    checkpoints: async () => checkpoints,
    open: (task) => task({ begin, view: (look) => look(view) }),
  };
};
