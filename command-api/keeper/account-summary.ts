import type { AccountSummary } from './accounts.ts';
import type { Work } from './command-batch.ts';

/** The account as it stands now, for an answer that shows it. */
export const summaryWork: Work<AccountSummary | null> = {
  size: 0,
  questions: () => [],
  run: (batch) => {
    // Another keeper may have moved the account since.
    batch.needsTail = true;
    const { state } = batch;
    if (!state.opened) return null;
    const { balance, used, requestCount } = state;
    const tokens = new Map([...state.budgets].map(([id, budget]) => [id, { ...budget }] as const));
    return { balance, used, requestCount, tokens };
  },
};
