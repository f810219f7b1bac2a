import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  accountPartitions,
  type LeaseReply,
  type LeaseRequest,
} from '../../domain/account/messages.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import {
  aFailedRecord,
  aStartedRecord,
  relayId,
  tokenId,
  userId,
} from '../../tests/support/account-examples.ts';
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

test('a lease expires under the next keeper, though that one has loaded the account since before it', async () => {
  const first = await begin('keeper-a');
  await first.fund(1_000);
  const next = await begin('keeper-b');
  await next.until(() => (next.keeper.ready().detail?.partitions ?? 0) > 0);
  expect(await next.keeper.summary(userId)).toMatchObject({ balance: 1_000 });
  await first.lease(100);
  await first.stop();
  await next.until(() => next.keeper.ready().detail?.partitions === accountPartitions);
  // It reads the accounts of a partition after it has claimed it, and counts a relay's silence from then on.
  await next.until(() => next.keeper.ready().detail?.leases === 1);
  next.advance(61_000);
  await next.until(() => next.events('LeaseExpired').length > 0);
});

test('a lease that another keeper granted here expires after that keeper has ended', async () => {
  const owner = await begin('keeper-a');
  await owner.fund(1_000);
  const other = await begin('keeper-b');
  await other.until(() => (other.keeper.ready().detail?.partitions ?? 0) > 0);
  const request: LeaseRequest = { relayId, userId, tokenId, lease: 1, need: 100, ask: 1 };
  const reply = await bus.request<LeaseRequest, LeaseReply>('keeper.lease.keeper-b', request);
  expect(reply.granted).toBeGreaterThan(0);
  await other.stop();
  await owner.until(() => owner.keeper.ready().detail?.leases === 1);
  owner.advance(61_000);
  await owner.until(() => owner.events('LeaseExpired').length > 0);
});
