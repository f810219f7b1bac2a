import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUp } from '../support/books.ts';
import { chat } from '../support/chat.ts';
import { type RoleNats, startRoleNats } from '../support/cluster/role-nats.ts';
import { type ClusterSecrets, makeClusterSecrets } from '../support/cluster/secrets.ts';
import { type Customer, setUpCustomers } from '../support/cluster/site.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { self } from '../support/console-client.ts';
import { findNatsServer } from '../support/nats-server.ts';
import { eventually } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

/* The three processes over the provided NATS: TLS, and a user for each role. */

const available = await findNatsServer();

if (available.start === null) {
  test.skip(`processes by role over NATS (left out: ${available.reason})`, () => undefined);
} else {
  let secrets: ClusterSecrets;
  let nats: RoleNats;
  let cluster: Cluster;
  let provider: StubProvider;
  let customer: Customer;

  beforeAll(async () => {
    provider = await startStubProvider();
    secrets = makeClusterSecrets();
    nats = await startRoleNats(secrets);
    cluster = await startCluster(
      nats,
      { relays: 2, commandApis: 1, projections: 1 },
      { enginesAsChosen: true },
    );
    const [first] = (await setUpCustomers(cluster.url, provider.url, 1)).customers;
    customer = first ?? expect.unreachable('there is a customer');
  });
  afterAll(async () => {
    await cluster?.stop();
    await provider?.close();
    secrets?.remove();
  });

  const books = async () => {
    const log = cluster.openLog();
    const found = await addUp(log, customer.userId);
    await log.close();
    return found;
  };

  test('a request to each relay is served and charged, and nothing was refused on the way', async () => {
    const before = (await self(customer.client)).quota;
    for (const url of cluster.relayUrls) {
      const answer = await chat(url, customer.key, {});
      expect([answer.status, answer.complete]).toEqual([200, true]);
    }
    await eventually(async () => expect((await books()).charges).toHaveLength(2));
    const { balance, charged } = await books();
    expect(charged).toBeGreaterThan(0);
    expect(balance).toBe(before - charged);
    await eventually(async () => expect((await self(customer.client)).quota).toBe(balance));
    for (const member of [...cluster.relays, ...cluster.commandApis, ...cluster.projections]) {
      expect(member.log()).not.toContain('PERMISSIONS_VIOLATION');
      for (const user of ['command-api', 'projections', 'relay-0', 'relay-1']) {
        expect(member.log()).not.toContain(secrets.read(`nats-${user}-password`));
      }
    }
  });
}
