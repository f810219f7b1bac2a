import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { findNatsServer } from '../support/nats-server.ts';
import { runAttacks, runSplits, type Target } from './malformed/run.ts';

const available = await findNatsServer();

if (available.start === null) {
  test.skip(`malformed requests to single processes (left out: ${available.reason})`, () =>
    undefined);
} else {
  const { start } = available;
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster(await start(), { relays: 1, commandApis: 1, projections: 1 });
  });
  afterAll(() => cluster?.stop());

  const targetAt = (name: string, url: string | undefined, below: string): Target => ({
    name,
    port: Number(new URL(url ?? '').port),
    below: [below],
  });

  test.each(['relay', 'command API', 'projections'])(
    'no malformed request to a %s reaches or answers another connection',
    async (name) => {
      const target = {
        relay: () => targetAt(name, cluster.relayUrls[0], '/v1/'),
        'command API': () => targetAt(name, cluster.commandApiUrls[0], '/api/'),
        projections: () => targetAt(name, cluster.projectionUrls[0], '/api/'),
      }[name];
      if (target === undefined) throw new Error(`there is no ${name}`);
      const { attacks, problems } = await runAttacks(target());
      expect(problems).toEqual([]);
      expect(attacks).toBeGreaterThan(200);
      expect(await runSplits(target())).toBeGreaterThan(400);
    },
    600_000,
  );
}
