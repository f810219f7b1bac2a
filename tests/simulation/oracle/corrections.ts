import type { Ledger } from './ledger.ts';
import type { Violations } from './violations.ts';

/** Corrections and refunds of one request never give back more than it was charged. */
export const checkCorrections = (ledger: Ledger, violations: Violations): void => {
  for (const { charges, givenBack } of ledger.books) {
    const amounts = new Map(charges.map(({ requestId, amount }) => [requestId, amount]));
    for (const [requestId, back] of givenBack) {
      const charged = amounts.get(requestId) ?? 0;
      if (back <= charged) continue;
      violations.add('over-corrected', `${requestId}: ${back} given back of ${charged} charged`);
    }
  }
};
