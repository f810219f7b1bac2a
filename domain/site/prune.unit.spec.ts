import { test } from 'vitest';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import type { PruneUsageLog } from './commands.ts';
import { siteDecider } from './decider.ts';

const given = deciderSpec(siteDecider);
const now = Date.parse(aMetadata().occurredAt) / 1_000;
const prune = (before: number): PruneUsageLog => ({
  type: 'PruneUsageLog',
  data: { before },
  metadata: aMetadata(),
});

test('the usage log is cut at a time that has passed', () =>
  given()
    .when(prune(now - 3_600))
    .thenEvents({ type: 'UsageLogPruned', data: { before: now - 3_600 } }));

test('a cut at no time, at a part of a second or ahead of now is refused', () => {
  for (const before of [0, -1, 1.5, now + 60]) {
    given().when(prune(before)).thenRejected('log.cut-invalid');
  }
});
