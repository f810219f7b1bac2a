import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventStore } from '../../infra/ports/event-store.ts';
import { addUp, openLog } from '../support/books.ts';
import { startLoad, unanswered } from '../support/cluster/load.ts';
import {
  addChannel,
  addToken,
  type ConsoleClient,
  self,
  setUpSite,
} from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const clients = 200;
const keys = 20;
const calls = 10_000;

describe(`${clients} clients with ${keys} keys make ${calls} calls of one relay`, () => {
  let product: Product;
  let provider: StubProvider;
  let admin: ConsoleClient;
  let log: EventStore;

  beforeAll(async () => {
    provider = await startStubProvider();
    product = await startProduct({ env: { API_RATE_LIMIT: '0' } });
    admin = await setUpSite(product.url);
    await addChannel(admin, provider.url);
    log = openLog(product.dataDir);
  });

  afterAll(async () => {
    await log?.close();
    await product?.stop();
    await provider?.close();
    if (product !== undefined) removeData(product);
  });

  test('every call is answered whole and charged once, to the unit', async () => {
    const tokens: string[] = [];
    for (let n = 0; n < keys; n += 1) tokens.push((await addToken(admin)).key);
    // The relay learns of the channel and the keys within moments.
    for (const key of tokens) {
      await eventually(async () => {
        const headers = { authorization: `Bearer sk-${key}` };
        const answer = await fetch(`${product.url}/v1/models`, { headers });
        expect(await answer.text()).toContain('gpt-4o-mini');
      });
    }
    const before = (await self(admin)).quota;
    const load = startLoad({
      url: product.url,
      keys: tokens,
      clients,
      body: (n) => (n % 2 === 0 ? {} : { stream: true }),
    });
    const startedAt = performance.now();
    await load.until(calls);
    await load.stop();
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(`${Math.round(load.taken() / seconds)} calls a second`);

    expect(unanswered(load.seen)).toEqual({});
    expect(provider.counts.get('/v1/chat/completions')).toBe(load.seen.length);
    const books = await eventually(async () => {
      const now = await addUp(log, admin.userId);
      expect(now.charges).toHaveLength(load.seen.length);
      return now;
    });
    expect(books.wrongAmounts).toEqual([]);
    expect(books.chargedTwice).toEqual([]);
    await eventually(async () => expect((await self(admin)).quota).toBe(before - books.charged));
  });
});
