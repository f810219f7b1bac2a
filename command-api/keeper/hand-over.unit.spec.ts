import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { aFailedRecord, aStartedRecord } from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';

let bus: Bus;
let store: MemoryEventStore;
let now: { ms: number };
let desks: KeeperFixture[];

beforeEach(() => {
  bus = createMemoryBus({ logger: silentLogger });
  store = createMemoryEventStore();
  now = { ms: Date.parse('2026-03-01T08:00:00.000Z') };
  desks = [];
});
afterEach(async () => {
  await Promise.all(desks.map((placement) => placement.stop()));
  await bus.close();
});

const begin = async (keeperId: string): Promise<KeeperFixture> => {
  const placement = await openKeeperFixture({ bus, store, now, keeperId });
  desks.push(placement);
  return placement;
};

const abandoned = (placement: KeeperFixture): string[] =>
  placement.events('RequestAbandoned').map(({ data }) => data.requestId);

test('the next keeper of a partition closes what was in flight under the one before', async () => {
  const first = await begin('keeper-a');
  await first.fund(1_000);
  await first.publish(aStartedRecord({ sequence: 1, requestId: 'req-in-flight' }));
  await first.stop();
  const next = await begin('keeper-b');
  next.advance(61_000);
  await next.until(() => abandoned(next).length > 0);
  expect(abandoned(next)).toEqual(['req-in-flight']);
});

test('a request that failed under another keeper is not abandoned by the one that saw its start', async () => {
  const first = await begin('keeper-a');
  await first.fund(1_000);
  await first.publish(
    aStartedRecord({ sequence: 1, requestId: 'req-failed' }),
    aStartedRecord({ sequence: 2, requestId: 'req-open' }),
  );
  // Another keeper had the partition meanwhile and wrote the failure into the same log.
  const elsewhere = await openKeeperFixture({ store, now });
  desks.push(elsewhere);
  await elsewhere.publish(aFailedRecord({ sequence: 3, call: { requestId: 'req-failed' } }));
  first.advance(61_000);
  await first.until(() => abandoned(first).length > 0);
  expect(abandoned(first)).toEqual(['req-open']);
});
