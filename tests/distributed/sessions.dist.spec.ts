import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Cluster, startCluster } from '../support/cluster.ts';
import { ConsoleClient, rootUser, setUpSite } from '../support/console-client.ts';
import { findNatsServer } from '../support/nats-server.ts';
import { eventually } from '../support/product.ts';

const available = await findNatsServer();

if (available.start === null) {
  test.skip(`sessions over NATS (left out: ${available.reason})`, () => undefined);
} else {
  const { start } = available;
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster(
      await start(),
      { relays: 2, commandApis: 2, projections: 2 },
      { enginesAsChosen: true },
    );
    await setUpSite(cluster.url);
  });
  afterAll(async () => {
    await cluster?.stop();
  });

  /** Each process's answer to the session of these headers: 401 is the one way to refuse it. */
  const answers = async (headers: Record<string, string>) => {
    const ask = async (url: string, method: string, path: string) => {
      const body = method === 'GET' ? {} : { body: '{}' };
      const answer = await fetch(url + path, { method, headers, ...body });
      await answer.text();
      return answer.status;
    };
    return Promise.all([
      ...cluster.commandApiUrls.map((url) => ask(url, 'PUT', '/api/user/self')),
      ...cluster.projectionUrls.map((url) => ask(url, 'GET', '/api/user/self')),
      ...cluster.relayUrls.map((url) => ask(url, 'POST', '/pg/chat/completions')),
    ]);
  };

  test('a session opens at every process at once, and ends at every process', async () => {
    const client = new ConsoleClient(cluster.url);
    await client.login(rootUser.username, rootUser.password);
    const { headers } = client;
    expect((await answers(headers)).slice(0, 2)).not.toContain(401);
    await eventually(async () => expect(await answers(headers)).not.toContain(401));
    await client.ok('GET', '/api/user/logout');
    const refused = Array(6).fill(401);
    await eventually(async () => expect(await answers(headers)).toEqual(refused));
  });
}
