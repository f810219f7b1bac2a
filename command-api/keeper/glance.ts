import type { AccountGlance } from '../keeper-port.ts';
import type { Work } from './desk.ts';

/** The books as they stand, for an answer that shows them. */
export const glanceWork: Work<AccountGlance | null> = {
  size: 0,
  questions: () => [],
  run: (desk) => {
    // Another keeper may have moved the books since.
    desk.doubtful = true;
    const { state } = desk;
    if (!state.opened) return null;
    const { balance, used, requestCount } = state;
    const tokens = new Map([...state.budgets].map(([id, budget]) => [id, { ...budget }] as const));
    return { balance, used, requestCount, tokens };
  },
};
