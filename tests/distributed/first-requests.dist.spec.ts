import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUp } from '../support/books.ts';
import { chat } from '../support/chat.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { addChannel, addToken, self, setUpSite } from '../support/console-client.ts';
import { findNatsServer } from '../support/nats-server.ts';
import { eventually } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const available = await findNatsServer();

if (available.start === null) {
  test.skip(`separate processes over NATS (left out: ${available.reason})`, () => undefined);
} else {
  const { start } = available;
  let cluster: Cluster;
  let provider: StubProvider;

  beforeAll(async () => {
    provider = await startStubProvider();
    const size = { relays: 2, commandApis: 2, projections: 2 };
    cluster = await startCluster(await start(), size);
  });
  afterAll(async () => {
    await cluster?.stop();
    await provider?.close();
  });

  test('separate processes behind one origin answer as one product', async () => {
    const admin = await setUpSite(cluster.url);
    await addChannel(admin, provider.url);
    const token = await addToken(admin);
    const before = (await self(admin)).quota;
    for (const url of cluster.relayUrls) {
      const answer = await eventually(async () => {
        const outcome = await chat(url, token.key, {});
        if (outcome.status !== 200) throw new Error(outcome.text);
        return outcome;
      });
      expect(answer.complete).toBe(true);
    }
    const log = cluster.openLog();
    const books = await eventually(async () => {
      const found = await addUp(log, admin.userId);
      if (found.charges.length < 2) throw new Error(`${found.charges.length} of 2 are charged`);
      return found;
    });
    await log.close();
    expect(books.chargedTwice).toEqual([]);
    expect(books.balance).toBe(before - books.charged);
    await eventually(async () => expect((await self(admin)).quota).toBe(books.balance));
  });
}
