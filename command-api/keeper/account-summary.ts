import type { AccountSummary } from './accounts.ts';
import { readState } from './command-batch.ts';

/** The account as of now, for an answer that shows it. */
export const summaryWork = readState<AccountSummary | null>((state) => {
  if (!state.opened) return null;
  const { balance, used, requestCount } = state;
  const tokens = new Map([...state.budgets].map(([id, budget]) => [id, { ...budget }] as const));
  return { balance, used, requestCount, tokens };
});
