import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Member } from '../support/cluster/member.ts';
import { type Cluster, readiness, startCluster } from '../support/cluster.ts';
import { self } from '../support/console-client.ts';
import { findNatsServer, type NatsServer } from '../support/nats-server.ts';
import { eventually } from '../support/product.ts';
import { type Customer, portion, type Site, setUpCustomers } from './customers.ts';
import { keepFailedRun } from './failed-run.ts';
import { faultsFor } from './faults.ts';
import { type Funding, startFunding } from './funding.ts';
import { type ListingProvider, startListingProvider } from './listing-provider.ts';
import { type Load, startLoad } from './load.ts';
import { followLog, type LogReader } from './log-reader.ts';
import { createNemesis, type Nemesis } from './nemesis.ts';
import { maxCounted } from './numbered-call.ts';
import { sumOf } from './oracle/account.ts';
import { type CallFindings, callFindings, compareCalls, type Evidence } from './oracle/calls.ts';
import { isQuotaRefusal, wrongRefusals } from './oracle/refusals.ts';
import { chaosScale, maxChaosMs, startDice } from './plan.ts';
import { printTable, tableOf } from './table.ts';

const scale = chaosScale();
/** The shortest term that the product takes: pauses and outages here last longer. */
const termMs = 3_000;
/** After two terms the quota of a silent relay is free again; the rest is for slow machines. */
const calmMs = 2 * termMs + 4_000;
const patienceMs = 240_000;
const available = await findNatsServer();

/**
 * What a process wrote before it ended other than by `kill -9`. One that finds its engines gone while
 * it starts may end: it is started again.
 */
const endsOf = ({ name, log }: Member): readonly string[] => {
  const runs = log().split(`\n--- ${name}, life `);
  return runs
    .filter((text, at) => {
      const next = runs[at + 1] ?? '0: ended with SIGKILL';
      return !/^\d+: ended with SIGKILL/.test(next) && /"msg":"(ready|relay is open)"/.test(text);
    })
    .map((text) => text.slice(-1_500));
};

if (available.start === null) {
  test.skip(`chaos over NATS (left out: ${available.reason})`, () => undefined);
} else {
  const { start } = available;
  let nats: NatsServer;
  let cluster: Cluster;
  let provider: ListingProvider;
  let site: Site;
  let log: LogReader;
  let load: Load;
  let funding: Funding;
  let nemesis: Nemesis;
  let findings: CallFindings;
  const kills = new Map<string, number[]>();

  beforeAll(async () => {
    [provider, nats] = await Promise.all([startListingProvider(), start()]);
    cluster = await startCluster(
      nats,
      { relays: 2, commandApis: 2, projections: 2 },
      {
        env: { LEASE_TTL_SECONDS: String(termMs / 1_000), API_USER_RATE_LIMIT: '0' },
        hasMachines: true,
        diskMb: 768,
      },
    );
    site = await setUpCustomers(cluster.url, provider.url, scale.customers);
    log = followLog(cluster.openLog());
    await log.catchUp();
    findings = await run();
  }, scale.timeoutMs);
  afterAll(async () => {
    await Promise.all([load?.stop(), funding?.stop()]);
    await log?.close();
    await cluster?.stop();
    await provider?.close();
  });

  const evidence = (): Evidence => ({
    served: provider.served,
    seen: load.seen,
    failed: log.failed,
    accounts: new Map(
      site.customers.map(({ userId }) => [userId, sumOf(log.accounts.get(userId) ?? [])]),
    ),
    kills: cluster.relays.map(({ name }) => kills.get(name) ?? []),
  });

  const allReady = async (): Promise<void> => {
    for (const url of [...cluster.relayUrls, ...cluster.commandApiUrls]) {
      await eventually(async () => expect((await readiness(url)).ok).toBe(true), patienceMs);
    }
  };

  /** Every call has ended in the log. */
  const settled = (): Promise<CallFindings> =>
    eventually(async () => {
      await log.catchUp();
      const findings = compareCalls(evidence());
      const open = [...findings.lost, ...findings.unaccounted];
      if (open.length > 0) throw new Error(`${open.length} open: ${open.slice(0, 10).join('\n')}`);
      return findings;
    }, patienceMs);

  /** Spends to the last call that is covered, at both relays in turn. */
  const spendAll = async (customer: Customer): Promise<void> => {
    for (let turn = 0; ; turn += 1) {
      const outcome = await load.call(customer, turn % 4 < 2 ? 0 : 1, turn % 2);
      if (isQuotaRefusal(outcome)) return;
      if (outcome.status !== 200) await pause(100);
    }
  };

  const run = async (): Promise<CallFindings> => {
    const dice = startDice();
    load = startLoad({ ...scale, relayUrls: cluster.relayUrls, customers: site.customers });
    const urls = cluster.commandApiUrls;
    funding = startFunding({ urls, admin: site.admin, customers: site.customers, log });
    const onKill = (name: string): void => {
      kills.set(name, [...(kills.get(name) ?? []), performance.now()]);
    };
    const faults = faultsFor({ cluster, nats, termMs, dice, onKill });
    nemesis = createNemesis({ ...scale, faults, dice, calmMs });
    const until = performance.now() + maxChaosMs;
    await nemesis.run({
      served: () => provider.served.size,
      isEnough: () => provider.served.size >= scale.requests || performance.now() > until,
    });
    await Promise.all([load.hold(), funding.stop()]);
    try {
      await allReady();
      return await settled();
    } catch (error) {
      console.log(`chaos: what this run can tell is in ${await keepFailedRun(cluster, nats.url)}`);
      throw error;
    }
  };

  test('whatever is killed, paused, cut off, starved or shifted, each call is charged once', () => {
    const { doubled, wrongAmounts, unfounded } = findings;
    printTable([
      ...tableOf(evidence(), nemesis.disturbances),
      ...callFindings.map((name) => [name, findings[name].length] as const),
    ]);
    const none = { doubled: [], wrongAmounts: [], unfounded: [] };
    expect({ doubled, wrongAmounts, unfounded }).toEqual(none);
  });

  test('no account and no budget was overdrawn beyond what was given up and returned', () => {
    const overdrawn = [...evidence().accounts].flatMap(([userId, { overdraft, tokenOverdrafts }]) =>
      [overdraft, ...tokenOverdrafts.values()].flatMap(({ unexplained }) =>
        unexplained > 0 ? [`${unexplained} units of user ${userId}`] : [],
      ),
    );
    expect(overdrawn).toEqual([]);
  });

  test('each portion that was confirmed to the operator is in the log once', () => {
    for (const { userId } of site.customers) {
      const { adjustments } = sumOf(log.accounts.get(userId) ?? []);
      const confirmed = funding.confirmed.get(userId) ?? 0;
      expect(adjustments).toEqual(Array.from({ length: confirmed }, () => portion));
    }
  });

  test('no call is refused for quota while available quota covers it', {
    timeout: patienceMs * 3,
  }, async () => {
    const { seen } = load;
    const { checked, wrong } = wrongRefusals({
      seen,
      accounts: log.accounts,
      isCalm: nemesis.isCalm,
    });
    console.log(`${checked} refusals in quiet times compared with what was available`);
    expect(wrong).toEqual([]);
    await pause(calmMs);
    await Promise.all(site.customers.map(spendAll));
    await settled();
    for (const { userId } of site.customers) {
      const { balance } = sumOf(log.accounts.get(userId) ?? []);
      expect(balance).toBeLessThan(maxCounted);
    }
  });

  test('no process ended by itself once it was open', () => {
    const members = [...cluster.relays, ...cluster.commandApis, ...cluster.projections];
    expect(members.flatMap(endsOf)).toEqual([]);
  });

  test('at rest nothing is set aside, balances agree, and verify finds nothing', {
    timeout: patienceMs * 3,
  }, async () => {
    await load.stop();
    await Promise.all(cluster.relays.map((relay) => relay.stop()));
    for (const { userId, client } of site.customers) {
      const sum = await eventually(async () => {
        await log.catchUp();
        const added = sumOf(log.accounts.get(userId) ?? []);
        if (added.reserved > 0) throw new Error(`${added.reserved} units of user ${userId}`);
        return added;
      }, patienceMs);
      await eventually(async () => expect((await self(client)).quota).toBe(sum.balance));
    }
    // The last checkpoints of processes may still be on their way into the log.
    const report = await eventually(async () => {
      const [first, second] = [await cluster.verify(), await cluster.verify()];
      const timeless = { startedAt: '', finishedAt: '' };
      expect({ ...second, ...timeless }).toEqual({ ...first, ...timeless });
      return second;
    }, patienceMs);
    console.log(`verify: ${report.events} events, ${report.rows} rows`);
    expect(report.breaks).toEqual([]);
  });
}
