import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, readOutcomes } from '../support/cluster/audit.ts';
import { startLoad, unanswered } from '../support/cluster/load.ts';
import { type NatsCluster, startNatsCluster } from '../support/cluster/nats-cluster.ts';
import { type Site, setUpCustomers } from '../support/cluster/site.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { findNatsServer } from '../support/nats-server.ts';
import { eventually } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const callsOfEachLoss = 120;
const available = await findNatsServer();
const reason = available.start === null ? available.reason : 'the one of TEST_NATS_URL is not ours';
const isOurs = available.start !== null && process.env.TEST_NATS_URL === undefined;

if (!isOurs) {
  test.skip(`a NATS cluster of three (left out: ${reason})`, () => undefined);
} else {
  let nats: NatsCluster;
  let cluster: Cluster;
  let provider: StubProvider;
  let site: Site;

  beforeAll(async () => {
    [provider, nats] = await Promise.all([startStubProvider(), startNatsCluster()]);
    const env = { NATS_REPLICAS: '3', LEASE_TTL_SECONDS: '30' };
    const size = { relays: 2, commandApis: 2, projections: 1 };
    cluster = await startCluster(nats, size, { env });
    site = await setUpCustomers(cluster.url, provider.url, 2);
  });
  afterAll(async () => {
    await cluster?.stop();
    await nats?.stop();
    await provider?.close();
  });

  test('each server of a NATS cluster is lost in turn: no call is refused, each is charged once', {
    timeout: 240_000,
  }, async () => {
    const load = startLoad({
      url: cluster.url,
      keys: site.customers.map(({ key }) => key),
      clients: 4,
      body: (n) => ({ stream: n % 2 === 0, max_tokens: 32, stub: { delayMs: 50, chunks: 3 } }),
    });
    await load.until(callsOfEachLoss);
    // The one that leads the usage first, and whoever leads it then, and so on.
    const lost: string[] = [];
    for (let turn = 0; turn < nats.names.length; turn += 1) {
      const leader = await nats.leaderOf(/usage/);
      const victim = lost.includes(leader)
        ? nats.names.find((name) => !lost.includes(name))
        : leader;
      if (victim === undefined) break;
      lost.push(victim);
      await nats.kill(victim);
      await load.until(load.taken() + callsOfEachLoss);
      await nats.revive(victim);
    }
    await load.stop();
    expect(lost.toSorted()).toEqual(nats.names);
    expect(unanswered(load.seen)).toEqual({});

    const log = cluster.openLog();
    const { counts, doubled } = await eventually(async () => {
      const result = audit(load, await readOutcomes(log));
      const { lost: notCharged, unaccounted } = result;
      if (notCharged.length + unaccounted.length === 0) return result;
      throw new Error(`${notCharged.length} not charged, ${unaccounted.length} unaccounted`);
    }, 90_000);
    await log.close();
    console.log(`NATS cluster: lost ${lost.join(', ')}; ${JSON.stringify(counts)}`);
    expect(doubled).toEqual([]);
    expect(counts.charged).toBe(load.seen.length);
    await eventually(async () => expect((await cluster.verify()).breaks).toEqual([]), 90_000);
  });
}
