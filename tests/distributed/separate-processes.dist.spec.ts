import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUp } from '../support/books.ts';
import { chat } from '../support/chat.ts';
import { readOutcomes } from '../support/cluster/audit.ts';
import { type Customer, setUpCustomers } from '../support/cluster/site.ts';
import { type Cluster, readiness, startCluster } from '../support/cluster.ts';
import { self } from '../support/console-client.ts';
import { findNatsServer } from '../support/nats-server.ts';
import { eventually } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const available = await findNatsServer();
const allPartitions = 64;

if (available.start === null) {
  test.skip(`takeovers over NATS (left out: ${available.reason})`, () => undefined);
} else {
  const { start } = available;
  let cluster: Cluster;
  let provider: StubProvider;
  let customers: readonly Customer[];

  beforeAll(async () => {
    provider = await startStubProvider();
    const size = { relays: 2, commandApis: 2, projections: 2 };
    cluster = await startCluster(await start(), size, { enginesAsChosen: true });
    customers = (await setUpCustomers(cluster.url, provider.url, 3)).customers;
  });
  afterAll(async () => {
    await cluster?.stop();
    await provider?.close();
  });

  const detailOf = async (url: string, part: string): Promise<unknown> =>
    (await readiness(url)).parts.find(({ name }) => name === part)?.detail;

  const partitionsOf = async (url: string): Promise<number> =>
    ((await detailOf(url, 'keeper')) as { partitions: number }).partitions;

  /** Every partition has an owner, and the parts are equal. */
  const expectFairParts = (urls: readonly string[]): Promise<void> =>
    eventually(async () => {
      const parts = await Promise.all(urls.map(partitionsOf));
      expect(parts).toEqual(urls.map(() => allPartitions / urls.length));
    });

  const spendAndSettle = async (): Promise<void> => {
    const log = cluster.openLog();
    for (const { key } of customers) {
      const { requestId, complete } = await chat(cluster.url, key, {});
      expect(complete).toBe(true);
      await eventually(async () => {
        const { charged } = await readOutcomes(log);
        expect(charged.get(requestId)).toBe(1);
      });
    }
    await log.close();
  };

  test('separate processes behind one origin answer as one product', async () => {
    const [customer] = customers;
    const { client, userId, key } = customer ?? expect.unreachable('there are customers');
    const before = (await self(client)).quota;
    for (const url of cluster.relayUrls) {
      const answer = await chat(url, key, {});
      expect([answer.status, answer.complete]).toEqual([200, true]);
    }
    const log = cluster.openLog();
    const books = await eventually(async () => {
      const found = await addUp(log, userId);
      expect(found.charges).toHaveLength(cluster.relayUrls.length);
      return found;
    });
    await log.close();
    expect(books.chargedTwice).toEqual([]);
    expect(books.balance).toBe(before - books.charged);
    await eventually(async () => expect((await self(client)).quota).toBe(books.balance));
  });

  test('the standby of the read side takes over within 5 s of kill -9', async () => {
    const details = await Promise.all(
      cluster.projectionUrls.map((url) => detailOf(url, 'projections')),
    );
    expect([...details].sort()).toEqual(['live', 'standby']);
    const active = cluster.projections[details.indexOf('live')];
    const standbyUrl = cluster.projectionUrls[details.indexOf('standby')] ?? '';
    const killedAt = performance.now();
    await active?.fell();
    await eventually(async () => expect(await detailOf(standbyUrl, 'projections')).toBe('live'));
    const tookMs = performance.now() - killedAt;
    console.log(`the standby was live ${Math.round(tookMs)} ms after the kill`);
    expect(tookMs).toBeLessThan(5_000);

    const [customer] = customers;
    await customer?.client.ok('POST', '/api/token/', {
      name: 'made-after-the-takeover',
      remain_quota: 1_000,
      expired_time: -1,
      unlimited_quota: false,
    });
    const tokens = await customer?.client.ok<{ name: string }[]>('GET', '/api/token/?p=0&size=10');
    expect(tokens?.map(({ name }) => name)).toContain('made-after-the-takeover');
    active?.revive();
    await eventually(async () => {
      for (const url of cluster.projectionUrls) expect((await readiness(url)).ok).toBe(true);
    });
  });

  test('keepers share the accounts, and those of a killed one are taken over', async () => {
    await expectFairParts(cluster.commandApiUrls);
    await spendAndSettle();
    const [first, second] = cluster.commandApis;
    const [, secondUrl = ''] = cluster.commandApiUrls;
    await first?.fell();
    await expectFairParts([secondUrl]);
    await spendAndSettle();
    first?.revive();
    await expectFairParts(cluster.commandApiUrls);
    await second?.fell();
    await spendAndSettle();
    second?.revive();
    await expectFairParts(cluster.commandApiUrls);
    for (const { client, userId } of customers) {
      const log = cluster.openLog();
      const { balance, charges, chargedTwice } = await addUp(log, userId);
      await log.close();
      expect(chargedTwice).toEqual([]);
      await eventually(async () => {
        const { quota, request_count } = await self(client);
        expect([quota, request_count]).toEqual([balance, charges.length]);
      });
    }
  });

  test('a keeper that stops in order hands its accounts over before it goes', async () => {
    const [first] = cluster.commandApis;
    const [, secondUrl = ''] = cluster.commandApiUrls;
    await expectFairParts(cluster.commandApiUrls);
    await first?.stop();
    await expectFairParts([secondUrl]);
    await spendAndSettle();
    first?.revive();
    await expectFairParts(cluster.commandApiUrls);
  });
}
