import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUp } from '../support/books.ts';
import { audit, readOutcomes } from '../support/cluster/audit.ts';
import { ownEventStore } from '../support/cluster/engines.ts';
import { type Load, startLoad } from '../support/cluster/load.ts';
import { type Site, setUpCustomers } from '../support/cluster/site.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { self } from '../support/console-client.ts';
import { findNatsServer, type NatsServer } from '../support/nats-server.ts';
import { eventually } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';
import { outageScale } from './outage-plan.ts';
import { shuffled, startDice } from './plan.ts';

const { requests, processKills, clients, timeoutMs } = outageScale();
const patienceMs = 90_000;
const available = await findNatsServer();

type Blow = Readonly<{ name: string; strike: () => Promise<void> }>;

/** Kills of processes at random, every one of them at least once, and each engine once. */
const planBlows = (cluster: Cluster, nats: NatsServer, dice: () => number): readonly Blow[] => {
  const members = [...cluster.relays, ...cluster.commandApis, ...cluster.projections];
  const victims = Array.from({ length: processKills }, (_, n) => {
    const at = n < members.length ? n : Math.floor(dice() * members.length);
    return members[at];
  }).filter((member) => member !== undefined);
  const engines: readonly Blow[] = [
    { name: 'event-store', strike: () => ownEventStore(cluster.engines).kill(500) },
    { name: 'nats', strike: async () => nats.restart?.() },
    { name: 'postgres', strike: () => cluster.engines.restartPostgres() },
  ];
  const blows = victims.map((member) => ({
    name: member.name,
    strike: () => member.kill(Math.floor(dice() * 1_000)),
  }));
  return shuffled([...blows, ...engines], dice);
};

if (available.start === null) {
  test.skip(`chaos over NATS (left out: ${available.reason})`, () => undefined);
} else {
  const { start } = available;
  let nats: NatsServer;
  let cluster: Cluster;
  let provider: StubProvider;
  let site: Site;

  beforeAll(async () => {
    [provider, nats] = await Promise.all([startStubProvider(), start()]);
    cluster = await startCluster(nats, { relays: 2, commandApis: 2, projections: 2 });
    site = await setUpCustomers(cluster.url, provider.url, 4);
  });
  afterAll(async () => {
    await cluster?.stop();
    await provider?.close();
  });

  const underLoad = async (blows: readonly Blow[]): Promise<Load> => {
    const load = startLoad({
      url: cluster.url,
      keys: site.customers.map(({ key }) => key),
      clients,
      body: (n) => ({ stream: n % 2 === 0, stub: { delayMs: 20, chunkDelayMs: 5, chunks: 6 } }),
    });
    try {
      for (const [index, { strike }] of blows.entries()) {
        await load.until(Math.floor(((index + 1) * requests) / (blows.length + 1)));
        await strike();
      }
      await load.until(requests);
    } finally {
      await load.stop();
    }
    return load;
  };

  test('whatever is killed under load, every request is in the books exactly once', {
    timeout: timeoutMs,
  }, async () => {
    const dice = startDice();
    const before = await Promise.all(site.customers.map(({ client }) => self(client)));
    const blows = planBlows(cluster, nats, dice);
    const load = await underLoad(blows);

    const log = cluster.openLog();
    const found = await eventually(async () => {
      const result = audit(load, await readOutcomes(log));
      const { lost, unaccounted } = result;
      if (lost.length + unaccounted.length === 0) return result;
      throw new Error(`${lost.length} lost, ${unaccounted.length} unaccounted: ${lost[0]}`);
    }, patienceMs);
    console.log(
      `chaos: ${JSON.stringify(found.counts)}, 0 lost, ${found.doubled.length} doubled, ` +
        `upstream saw ${provider.counts.get('/v1/chat/completions')}; ` +
        `killed ${blows.map(({ name }) => name).join(', ')}`,
    );
    expect(found.doubled).toEqual([]);
    expect(found.twoOutcomes).toEqual([]);

    // Relays that stop give back what they hold: nothing stays set aside.
    await Promise.all(cluster.relays.map((relay) => relay.stop()));
    for (const [index, { userId, client }] of site.customers.entries()) {
      const books = await eventually(async () => {
        const added = await addUp(log, userId);
        if (added.reserved > 0) throw new Error(`${added.reserved} units are still set aside`);
        return added;
      }, patienceMs);
      expect(books.wrongAmounts).toEqual([]);
      expect(books.chargedTwice).toEqual([]);
      expect(books.balance).toBe((before[index]?.quota ?? 0) - books.charged);
      await eventually(async () => expect((await self(client)).quota).toBe(books.balance));
    }
    await log.close();
    // The last checkpoints of processes may still be on their way into the log.
    const report = await eventually(async () => {
      const [first, second] = [await cluster.verify(), await cluster.verify()];
      expect({ ...second, startedAt: '', finishedAt: '' }).toEqual({
        ...first,
        startedAt: '',
        finishedAt: '',
      });
      return second;
    }, patienceMs);
    expect(report.breaks).toEqual([]);
    console.log(`verify: ${report.events} events, ${report.rows} rows, 0 breaks`);
  });
}
