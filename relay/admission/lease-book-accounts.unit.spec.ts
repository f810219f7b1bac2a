import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import {
  aStartedRecord,
  aUsedRecord,
  tokenId,
  userId,
} from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { openJournal } from '../settlement/journal.ts';
import { createShipper } from '../settlement/shipper.ts';
import { createLeaseBook, type Reservation } from './lease-book.ts';

/** Lease book, journal and shipper of one relay, on the keeper's bus. */
const openRelay = async ({ bus }: KeeperFixture, directory: string, relayId: string) => {
  const clock = () => new Date();
  const metrics = createMetrics({ process: 'test' });
  const logger = silentLogger;
  const journal = openJournal({ ...nodeSystem, directory, relayId, clock, logger, metrics });
  const shipper = createShipper({
    ...nodeSystem,
    journal,
    bus,
    logger: silentLogger,
    metrics,
    gatherMs: 1,
  });
  const book = createLeaseBook({
    ...nodeSystem,
    bus,
    relayId,
    journal,
    logger: silentLogger,
    metrics,
  });
  await shipper.start();
  await book.start();

  const begin = (requestId: string, reservation: Reservation): void => {
    const { leaseId, reserved, producerId } = reservation;
    const { kind: _k, relayId: _r, sequence: _s, producerId: _p, ...entry } = aStartedRecord();
    journal.started({ ...entry, requestId, leaseId, reserved, producerId });
  };
  const finish = (requestId: string, reservation: Reservation, amount: number): Promise<void> => {
    const { leaseId, producerId } = reservation;
    const used = aUsedRecord({ amount, leaseId, call: { requestId, relayId } });
    const { relayId: _r, sequence: _s, usageNumber: _n, ...entry } = used;
    book.settle(reservation, amount);
    return new Promise((resolve) => journal.ended({ ...entry, producerId }, resolve));
  };
  return {
    book,
    begin,
    finish,
    stop: async () => {
      await book.stop();
      await shipper.stop();
      await journal.close();
    },
    /** The process is gone: nothing is shipped any more, the files stay. */
    kill: async () => {
      const gone = JSON.stringify({ pid: 2 ** 22, startedAt: '' });
      writeFileSync(join(directory, relayId, 'owner.json'), gone);
    },
  };
};

const withDirectory = async (run: (directory: string) => Promise<void>): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'relay-'));
  try {
    await run(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

test('fifty parallel requests on a balance that funds ten: ten are served, and nothing is overdrawn', () =>
  withDirectory(async (directory) => {
    const fixture = await openKeeperFixture();
    await fixture.fund(1_000);
    const relay = await openRelay(fixture, directory, 'relay-a');
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const result = await relay.book.reserve({ userId, tokenId, need: 100 });
        if (result.kind === 'refused') return result.refusal;
        relay.begin(`req-${i}`, result.reservation);
        await relay.finish(`req-${i}`, result.reservation, 100);
        return 'served';
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'served')).toHaveLength(10);
    await relay.stop();
    await fixture.until(() => fixture.events('RequestCharged').length === 10);
    expect(await fixture.keeper.summary(userId)).toMatchObject({ balance: 0, used: 1_000 });
    await fixture.stop();
  }));

test('a relay that stops gives everything back, and nothing stays reserved', () =>
  withDirectory(async (directory) => {
    const fixture = await openKeeperFixture();
    await fixture.fund(100_000);
    const relay = await openRelay(fixture, directory, 'relay-a');
    for (let i = 0; i < 300; i += 1) {
      const result = await relay.book.reserve({ userId, tokenId, need: 200 });
      if (result.kind === 'refused') throw new Error(result.refusal);
      relay.begin(`req-${i}`, result.reservation);
      void relay.finish(`req-${i}`, result.reservation, 7 + (i % 300));
    }
    await relay.stop();
    const spent = Array.from({ length: 300 }, (_, i) => 7 + (i % 300)).reduce((a, b) => a + b, 0);
    const summary = await fixture.keeper.summary(userId);
    expect(summary).toMatchObject({ balance: 100_000 - spent, used: spent, requestCount: 300 });
    const left = await fixture.lease(100_000 - spent, { relayId: 'relay-b' });
    expect(left.granted).toBe(100_000 - spent);
    await fixture.stop();
  }));

test('relay and keeper are killed at once: what was answered is charged once, the rest is free', () =>
  withDirectory(async (directory) => {
    const first = await openKeeperFixture();
    await first.fund(10_000);
    const dead = await openRelay(first, directory, 'relay-dead');
    const reservations: Reservation[] = [];
    for (let i = 0; i < 40; i += 1) {
      const result = await dead.book.reserve({ userId, tokenId, need: 100 });
      if (result.kind === 'refused') throw new Error(result.refusal);
      dead.begin(`req-${i}`, result.reservation);
      reservations.push(result.reservation);
    }
    const ended = reservations.slice(0, 25);
    await Promise.all(ended.map((reservation, i) => dead.finish(`req-${i}`, reservation, 90)));
    await first.stop();
    await dead.kill();

    const fixture = await first.another();
    const relay = await openRelay(fixture, directory, 'relay-next');
    await fixture.until(() => fixture.events('LeaseReturned').length > 0);
    const charged = fixture.events('RequestCharged').map(({ data }) => data.call.requestId);
    expect(charged.toSorted()).toEqual(ended.map((_, i) => `req-${i}`).toSorted());
    expect(fixture.events('RequestAbandoned')).toHaveLength(15);
    expect((await fixture.lease(7_750, { relayId: 'relay-b' })).granted).toBe(7_750);
    await relay.stop();
    await fixture.stop();
  }));
