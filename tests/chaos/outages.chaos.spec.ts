import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUp } from '../support/books.ts';
import { audit, readOutcomes } from '../support/cluster/audit.ts';
import { ownEventStore } from '../support/cluster/engines.ts';
import { type Load, startLoad, unanswered } from '../support/cluster/load.ts';
import { type Site, setUpCustomers } from '../support/cluster/site.ts';
import { type Cluster, readiness, startCluster } from '../support/cluster.ts';
import { self } from '../support/console-client.ts';
import { findNatsServer, type NatsServer } from '../support/nats-server.ts';
import { eventually } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';
import { outageScale } from './outage-plan.ts';
import { shuffled, startDice } from './plan.ts';

const { outageMs } = outageScale();
const timeout = 180_000 + 2 * outageMs;
const available = await findNatsServer();

if (available.start === null) {
  test.skip(`outages over NATS (left out: ${available.reason})`, () => undefined);
} else {
  const { start } = available;
  let nats: NatsServer;
  let cluster: Cluster;
  let provider: StubProvider;
  let site: Site;

  beforeAll(async () => {
    [provider, nats] = await Promise.all([startStubProvider(), start()]);
    const size = { relays: 2, commandApis: 2, projections: 2 };
    // Leases outlive the outage: what is tested is that traffic does.
    const env = { LEASE_TTL_SECONDS: String(Math.ceil(outageMs / 1_000) * 2 + 30) };
    cluster = await startCluster(nats, size, { env });
    site = await setUpCustomers(cluster.url, provider.url, 2);
  });
  afterAll(async () => {
    await cluster?.stop();
    await provider?.close();
  });

  /** Gentle traffic, so that what a lease holds lasts for the outage. */
  const loadOn = (url: string): Load =>
    startLoad({
      url,
      keys: site.customers.map(({ key }) => key),
      clients: 4,
      body: (n) => ({ stream: n % 2 === 0, max_tokens: 32, stub: { delayMs: 100, chunks: 3 } }),
    });

  /** Each relay holds quota of each customer before anything is taken away. */
  const warmUp = async (): Promise<void> => {
    for (const url of cluster.relayUrls) {
      const load = loadOn(url);
      await load.until(4 * site.customers.length);
      await load.stop();
    }
  };

  const settled = async ({ seen }: Load): Promise<Readonly<Record<string, number>>> => {
    const log = cluster.openLog();
    const begun = performance.now();
    const found = await eventually(async () => {
      const result = audit({ seen }, await readOutcomes(log));
      const { lost, unaccounted } = result;
      if (lost.length + unaccounted.length === 0) return result;
      throw new Error(`${lost.length} lost, ${unaccounted.length} unaccounted`);
    });
    expect(found.doubled).toEqual([]);
    for (const { userId, client } of site.customers) {
      const { balance, chargedTwice } = await addUp(log, userId);
      expect(chargedTwice).toEqual([]);
      await eventually(async () => expect((await self(client)).quota).toBe(balance));
    }
    await log.close();
    return { ...found.counts, settledAfterMs: Math.round(performance.now() - begun) };
  };

  test('while the whole control plane is down relays answer, and all is settled afterwards', {
    timeout,
  }, async () => {
    await warmUp();
    const load = loadOn(cluster.url);
    await load.until(50);
    const controlPlane = [
      ...cluster.commandApis,
      ...cluster.projections,
      ownEventStore(cluster.engines),
    ];
    await Promise.all(controlPlane.map((member) => member.fell()));
    const seenBefore = load.seen.length;
    await pause(outageMs);
    const during = load.seen.slice(seenBefore);
    for (const member of controlPlane) member.revive();
    await load.stop();

    expect(during.length).toBeGreaterThan(20);
    expect(unanswered(during)).toEqual({});
    const counts = await settled(load);
    console.log(
      `control plane down for ${outageMs} ms: ${during.length} calls answered; ` +
        JSON.stringify(counts),
    );
  });

  test('while the event store hangs again and again relays answer, and nothing is lost', {
    timeout,
  }, async () => {
    await warmUp();
    const load = loadOn(cluster.url);
    await load.until(20);
    const seenBefore = load.seen.length;
    for (let times = 0; times < 3; times += 1) {
      await ownEventStore(cluster.engines).hang(outageMs / 4);
      await pause(200);
    }
    const during = load.seen.slice(seenBefore);
    await load.stop();
    expect(unanswered(during)).toEqual({});
    const counts = await settled(load);
    console.log(`event store hung 3 × ${outageMs / 4} ms: ${JSON.stringify(counts)}`);
  });

  test('when everything falls under load and rises in any order, the books add up', {
    timeout,
  }, async () => {
    const dice = startDice();
    const load = loadOn(cluster.url);
    await load.until(40);
    const everything = [
      ...cluster.relays,
      ...cluster.commandApis,
      ...cluster.projections,
      ownEventStore(cluster.engines),
    ];
    await Promise.all([...everything.map((member) => member.fell()), nats.restart?.()]);
    for (const member of shuffled(everything, dice)) {
      member.revive();
      await pause(dice() * 500);
    }
    const takenBefore = load.taken();
    await load.until(takenBefore + 40);
    await load.stop();
    const counts = await settled(load);
    console.log(`everything fell and rose: ${JSON.stringify(counts)}`);
  });

  test('a relay that is cut off from NATS serves within its leases and loses nothing', {
    timeout,
  }, async () => {
    const [url = ''] = cluster.relayUrls;
    const line = cluster.natsLines.get('relay-1');
    await warmUp();
    const load = loadOn(url);
    await load.until(50);
    line?.cut();
    const seenBefore = load.seen.length;
    await pause(outageMs);
    const during = load.seen.slice(seenBefore);
    line?.heal();
    await load.stop();

    expect(during.length).toBeGreaterThan(20);
    expect(unanswered(during)).toEqual({});
    await eventually(async () => expect((await readiness(url)).ok).toBe(true));
    const counts = await settled(load);
    console.log(
      `a relay cut off for ${outageMs} ms: ${during.length} calls answered; ` +
        `${JSON.stringify(counts)}`,
    );
    // It is not deaf either: what changes now reaches it.
    const [customer] = site.customers;
    await expect(customer?.client.ok('DELETE', '/api/user/self')).resolves.not.toThrow();
    await eventually(async () => {
      const after = loadOn(url);
      await pause(50);
      await after.stop();
      if (after.seen.every(({ status }) => status === 200)) throw new Error('still served');
    });
  });
}
