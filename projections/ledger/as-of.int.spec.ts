import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountEvent } from '../../domain/account/events.ts';
import { aRequestCharged } from '../../tests/support/account-events.ts';
import {
  type ReadSide,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
} from '../../tests/support/read-side.ts';
import { signedIn, tellStory } from '../../tests/support/read-side-story.ts';
import type { LedgerEntry, LedgerPage } from '../contract/ledger.ts';

let postgres: TestPostgres;
let side: ReadSide;
let app: FastifyInstance;

const userId = 42;
const leaseId = 'relay-a.42.7';
/** What was there before: the story's grant, charge and adjustment. */
const start = { balance: 495_375, used: 3_625 };
const at = (minute: number) => `2026-03-01T09:${String(minute).padStart(2, '0')}:00.000Z`;

const tell = async (minute: number, event: AccountEvent): Promise<void> => {
  await side.append('account-42', [event, { occurredAt: at(minute) }]);
};
const charge = (requestId: string, balanceAfter: number): AccountEvent =>
  aRequestCharged({ leaseId, balanceAfter, call: { requestId } });

beforeAll(async () => {
  postgres = await startTestPostgres();
  side = await startReadSide(postgres);
  app = Fastify();
  await side.projections.register(app);
  await tellStory(side);
  const lease = { userId, tokenId: 7, leaseId, relayId: 'relay-a', producerId: 1 };
  await tell(1, { type: 'QuotaLeased', data: { ...lease, amount: 9_000, ask: 1 } });
  await tell(2, charge('req-200', start.balance - 3_625));
  await tell(3, { type: 'QuotaLeased', data: { ...lease, amount: 1_000, ask: 2 } });
  await tell(4, charge('req-201', start.balance - 7_250));
  await tell(5, { type: 'LeaseReturned', data: { userId, leaseId, unspent: 2_750, closes: true } });
  await tell(6, { type: 'QuotaLeased', data: { ...lease, amount: 500, ask: 3 } });
  await side.settle();
});
afterAll(async () => {
  await app.close();
  await side.stop();
  await postgres.stop();
});

const ask = async (query: string, as: number): Promise<LedgerPage> => {
  const url = `/api/ledger/42${query}`;
  return (await app.inject({ method: 'GET', url, headers: signedIn(as) })).json().data;
};
const asOf = async (minute: number) => {
  const { balance, used, total, leases } = await ask(`?as_of=${at(minute)}`, 1);
  return { balance, used, total, leases: leases.map(({ amount, spent }) => [amount, spent]) };
};

test('balance, use and leases are those of the requested instant', async () => {
  expect(await asOf(0)).toEqual({ ...start, total: 3, leases: [] });
  expect(await asOf(1)).toEqual({ ...start, total: 3, leases: [[9_000, 0]] });
  const once = { balance: start.balance - 3_625, used: start.used + 3_625, total: 4 };
  expect(await asOf(2)).toEqual({ ...once, leases: [[9_000, 3_625]] });
  expect(await asOf(3)).toEqual({ ...once, leases: [[10_000, 3_625]] });
  const twice = { balance: start.balance - 7_250, used: start.used + 7_250, total: 5 };
  expect(await asOf(4)).toEqual({ ...twice, leases: [[10_000, 7_250]] });
  expect(await asOf(5)).toEqual({ ...twice, leases: [] });
  expect(await asOf(6)).toEqual({ ...twice, leases: [[500, 0]] });
});

test('without an instant the ledger shows the account as it is, its lease included', async () => {
  const now = await ask('', 1);
  expect(now).toMatchObject({ as_of: null, balance: start.balance - 7_250 });
  expect(now.leases).toEqual([
    { token_id: 7, relay: 'relay-a', opened_at: Date.parse(at(6)) / 1_000, amount: 500, spent: 0 },
  ]);
  expect((await ask('', userId)).leases[0]?.relay).toBe('');
});

test('balances over a range are in one answer, each that of the ledger at its instant', async () => {
  const seconds = (minute: number): number => Date.parse(at(minute)) / 1_000;
  const query = `start_timestamp=${seconds(0)}&end_timestamp=${seconds(6)}`;
  const url = `/api/ledger/self/balances?${query}`;
  const answer = await app.inject({ method: 'GET', url, headers: signedIn(userId) });
  const points: { at: number; balance: number }[] = answer.json().data;
  expect(points.length).toBeLessThanOrEqual(48);
  expect(points[0]).toEqual({ at: seconds(0), balance: start.balance });
  expect(points.at(-1)).toEqual({ at: seconds(6), balance: start.balance - 7_250 });
  const before = points.filter((point) => point.at < seconds(2));
  expect(new Set(before.map(({ balance }) => balance))).toEqual(new Set([start.balance]));
  const between = points.filter((point) => point.at >= seconds(2) && point.at < seconds(4));
  expect(new Set(between.map(({ balance }) => balance))).toEqual(new Set([start.balance - 3_625]));
});

test('an export has every movement however many there are, each with its balance', async () => {
  let balance = start.balance - 7_250;
  const many = Array.from({ length: 2_500 }, (_, n): AccountEvent => {
    const delta = n % 2 === 0 ? 3 : -1;
    balance += delta;
    return {
      type: 'QuotaAdjusted',
      data: {
        userId,
        delta,
        seen: null,
        reason: { kind: 'set-by-admin', note: 'more' },
        balanceAfter: balance,
      },
    };
  });
  await side.append('account-42', ...many);
  await side.settle();
  const url = '/api/ledger/self/export?format=json';
  const file = await app.inject({ method: 'GET', url, headers: signedIn(userId) });
  const rows = JSON.parse(file.body) as LedgerEntry[];
  expect(rows).toHaveLength(2_505);
  expect(rows[0]?.balance_after).toBe(balance);
  for (const [index, row] of rows.entries()) {
    const before = rows[index + 1]?.balance_after ?? 0;
    expect(row.balance_after).toBe(before + row.delta);
  }
  const csv = await app.inject({
    method: 'GET',
    url: '/api/ledger/self/export?kind=QuotaAdjusted',
    headers: signedIn(userId),
  });
  expect(csv.body.trimEnd().split('\r\n')).toHaveLength(2_502);
  expect(csv.body).toContain(',-1,');
});
