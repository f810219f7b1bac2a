import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  aChangeRedemption,
  aCreateRedemption,
  aRedeemCode,
  aRedemptionCommand,
} from '../../tests/support/redemption-examples.ts';
import { redemptionDecider } from './decider.ts';
import type { RedemptionEvent } from './events.ts';

const command = fc.oneof(
  fc.constant(aCreateRedemption()),
  fc.integer({ min: 1, max: 9 }).map((userId) => aRedeemCode(userId)),
  fc.integer({ min: 1, max: 500 }).map((quota) => aChangeRedemption('renamed', quota)),
  fc
    .constantFrom('EnableRedemption', 'DisableRedemption', 'DeleteRedemption')
    .map((type) => aRedemptionCommand(type)),
);

test('no sequence of commands redeems a code twice, or changes one that was used', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      let state = redemptionDecider.initialState;
      const events: RedemptionEvent[] = [];
      for (const each of commands) {
        const decision = redemptionDecider.decide(each, state);
        if (decision.kind === 'rejected') continue;
        events.push(...decision.events);
        state = decision.events.reduce(redemptionDecider.evolve, state);
      }
      const types = events.map(({ type }) => type);
      const used = types.indexOf('RedemptionRedeemed');
      expect(types.filter((type) => type === 'RedemptionRedeemed').length).toBeLessThanOrEqual(1);
      if (used < 0) return;
      const after = types.slice(used + 1);
      expect(after.every((type) => type === 'RedemptionDeleted')).toBe(true);
    }),
    { numRuns: 500 },
  );
});
