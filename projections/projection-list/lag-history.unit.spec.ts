import { expect, test } from 'vitest';
import type { RequestCharged } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import { aRequestCharged } from '../../tests/support/account-events.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import type { ProjectionStatus } from '../runtime/status.ts';
import { createLagHistory } from './lag-history.ts';

const start = Date.parse('2026-03-01T08:00:00.000Z');
const minute = 60_000;
const startSeconds = start / 1_000;

const setUp = () => {
  let now = start;
  const history = createLagHistory({ clock: () => new Date(now) });
  const goTo = (ms: number) => {
    now = start + ms;
  };
  return { history, goTo };
};

const rowOf = (name: string, lagSeconds: number): ProjectionStatus => ({
  name,
  state: 'live',
  position: 1n,
  head: 2n,
  lagSeconds,
  eventsPerSecond: 0,
  rebuildProgress: null,
  error: '',
});

/** Ended at `endedMs` and in the log at `settledMs`, both from the start. */
const charge = (endedMs: number, settledMs: number): Recorded<RequestCharged> => ({
  event: aRequestCharged({
    call: { startedAt: new Date(start + endedMs - 400).toISOString(), durationMs: 400 },
  }),
  eventId: 'e',
  streamId: 'account-7',
  revision: 0n,
  position: 0n,
  metadata: aMetadata({ occurredAt: new Date(start + settledMs).toISOString() }),
});

test('each minute holds the largest lag, and which projection had it', () => {
  const { history, goTo } = setUp();
  history.observe([rowOf('ledger', 0.5), rowOf('usage-log', 3)]);
  goTo(10_000);
  history.observe([rowOf('ledger', 1), rowOf('usage-log', 0)]);
  goTo(minute);
  history.observe([rowOf('ledger', 0), rowOf('usage-log', 0)]);
  expect(history.points()).toEqual([
    {
      at: startSeconds,
      projection_seconds: 3,
      projection: 'usage-log',
      settlement_seconds: null,
    },
    {
      at: startSeconds + 60,
      projection_seconds: 0,
      projection: '',
      settlement_seconds: null,
    },
  ]);
});

test('settlement lag is from the end of a call to its charge, in the minute of the charge', () => {
  const { history, goTo } = setUp();
  goTo(2 * minute);
  history.charged(charge(0, 250));
  history.charged(charge(0, 90_000));
  history.charged(charge(89_000, 90_500));
  expect(history.points().map(({ at, settlement_seconds }) => [at, settlement_seconds])).toEqual([
    [startSeconds, 0.25],
    [startSeconds + 60, 90],
  ]);
});

test('what is older than six hours is left out, also where it arrives late', () => {
  const { history, goTo } = setUp();
  history.observe([rowOf('ledger', 1)]);
  goTo(6 * 60 * minute + minute);
  history.charged(charge(0, 100));
  expect(history.points()).toEqual([]);
});
