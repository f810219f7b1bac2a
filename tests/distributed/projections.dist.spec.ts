import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProjectionRow } from '../../projections/contract/projection.ts';
import type { VerifyState } from '../../projections/contract/verify.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { type ConsoleClient, setUpSite } from '../support/console-client.ts';
import { findNatsServer } from '../support/nats-server.ts';
import { eventually } from '../support/product.ts';
import { runTool } from '../support/run-tool.ts';

/*
 * Two processes with the same projections: one is active, the other in standby, and both answer
 * alike.
 */

const available = await findNatsServer();

if (available.start === null) {
  test.skip(`two processes of projections (left out: ${available.reason})`, () => undefined);
} else {
  const { start } = available;
  let cluster: Cluster;
  let admin: ConsoleClient;

  beforeAll(async () => {
    const size = { relays: 1, commandApis: 1, projections: 2 };
    cluster = await startCluster(await start(), size, { enginesAsChosen: true });
    admin = await setUpSite(cluster.url);
  });
  afterAll(async () => {
    await cluster?.stop();
  });

  /** What every process of the kind answers to the same call, the proxy's choice left out. */
  const askEach = async <T>(method: string, path: string): Promise<T[]> =>
    Promise.all(
      cluster.projectionUrls.map(async (url) => {
        const answer = await fetch(url + path, { method, headers: admin.headers });
        const { success, message, data } = (await answer.json()) as {
          success: boolean;
          message: string;
          data: T;
        };
        if (!success) throw new Error(message);
        return data;
      }),
    );
  const list = () => askEach<ProjectionRow[]>('GET', '/api/projections');
  const states = (rows: readonly ProjectionRow[]) => rows.map(({ name, state }) => [name, state]);
  const untilLive = () =>
    eventually(async () => {
      for (const rows of await list()) {
        expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['live']));
      }
    });
  const verified = () =>
    eventually(async () => {
      const { running, report } = await admin.ok<VerifyState>('GET', '/api/verify');
      expect(running).toBeNull();
      return report ?? expect.unreachable('there is a report');
    });

  test('ten rounds of list, rebuild and verify through the proxy have one answer each', async () => {
    await untilLive();
    for (let round = 1; round <= 10; round += 1) {
      const [one = [], other = []] = await list();
      expect(states(one)).toEqual(states(other));
      expect(one.every(({ position }) => position !== '')).toBe(true);
      const shown = await admin.ok<ProjectionRow[]>('GET', '/api/projections');
      expect(states(shown)).toEqual(states(one));

      await admin.ok('POST', '/api/projections/ledger/rebuild');
      await untilLive();

      await admin.ok('POST', '/api/verify');
      expect((await verified()).breaks).toEqual([]);
    }
  }, 600_000);

  test('the commands of the operator work whichever process they reach', async () => {
    for (const url of cluster.projectionUrls) {
      const shown = await runTool('projections-cli', ['list', `--url=${url}`], cluster.env);
      expect([shown.code, shown.stderr]).toEqual([0, '']);
      expect(shown.stdout).toContain('live');
      expect(shown.stdout).not.toContain('standby');
      const args = ['rebuild', 'user-list', `--url=${url}`];
      const rebuilt = await runTool('projections-cli', args, cluster.env);
      expect([rebuilt.code, rebuilt.stderr]).toEqual([0, expect.stringContaining('rebuilt')]);
    }
  });

  test('a takeover is waited for: the one that is left answers for all of them', async () => {
    const [first, second] = cluster.projections;
    for (const member of [first, second]) {
      await member?.kill(4_000);
      const other = cluster.projectionUrls[member === first ? 1 : 0];
      const answer = await fetch(`${other}/api/projections`, { headers: admin.headers });
      const { data } = (await answer.json()) as { data: ProjectionRow[] };
      expect(data.map(({ state }) => state)).not.toContain('standby');
      await untilLive();
    }
  });
}
