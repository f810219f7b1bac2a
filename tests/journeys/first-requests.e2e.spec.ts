import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventStore } from '../../infra/ports/event-store.ts';
import { addUp, openLog } from '../support/books.ts';
import {
  addChannel,
  addToken,
  allLogs,
  ConsoleClient,
  rootUser,
  self,
  setUpSite,
  type TokenRow,
} from '../support/console-client.ts';
import { inParallel } from '../support/in-parallel.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const calls = 1_000;

describe('a newcomer makes a thousand requests with the openai package', () => {
  let product: Product;
  let provider: StubProvider;
  let admin: ConsoleClient;
  let token: TokenRow;
  let balanceBefore = 0;
  let log: EventStore;

  beforeAll(async () => {
    provider = await startStubProvider();
    product = await startProduct();
    admin = await setUpSite(product.url);
    await addChannel(admin, provider.url);
    token = await addToken(admin, { unlimited_quota: false, remain_quota: 10_000_000 });
    balanceBefore = (await self(admin)).quota;
    log = openLog(product.dataDir);
  });

  afterAll(async () => {
    await log?.close();
    await product?.stop();
    await provider?.close();
    if (product !== undefined) removeData(product);
  });

  test('each is answered, half of them as streams with their usage', async () => {
    const openai = new OpenAI({
      apiKey: `sk-${token.key}`,
      baseURL: `${product.url}/v1`,
      maxRetries: 0,
    });
    await inParallel({ count: calls, atOnce: 20 }, async (i) => {
      const messages = [{ role: 'user' as const, content: `question number ${i} of many` }];
      if (i % 2 === 0) {
        const answer = await openai.chat.completions.create({ model: 'gpt-4o-mini', messages });
        expect(answer.choices[0]?.message.content).toContain(`question number ${i}`);
        expect(answer.usage?.prompt_tokens).toBe(5);
        return;
      }
      const stream = await openai.chat.completions.create({
        model: 'gpt-4o',
        messages,
        stream: true,
        ...(i % 4 === 1 ? { stream_options: { include_usage: true } } : {}),
      });
      const chunks: OpenAI.ChatCompletionChunk[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const text = chunks.map(({ choices: [first] }) => first?.delta.content ?? '').join('');
      expect(text).toContain(`question number ${i}`);
      expect(chunks.some(({ usage }) => usage)).toBe(i % 4 === 1);
    });
  });

  /** Log, balance, token, counters and events show the same number. */
  const booksAgree = async (): Promise<void> => {
    const rows = await eventually(async () => {
      const found = await allLogs(admin, 2);
      if (found.length !== calls) throw new Error(`${found.length} log rows`);
      return found;
    });
    const spent = rows.reduce((sum, { quota }) => sum + quota, 0);
    const books = await addUp(log, admin.userId);
    const me = await self(admin);
    const [tokenNow] = await admin.ok<TokenRow[]>('GET', '/api/token/?p=0&size=10');
    expect(rows.filter(({ is_stream }) => is_stream)).toHaveLength(calls / 2);
    expect(spent).toBeGreaterThan(0);
    expect(balanceBefore - me.quota).toBe(spent);
    expect(books.charged).toBe(spent);
    expect(books.charges).toHaveLength(calls);
    expect(books.balance).toBe(me.quota);
    expect(books.wrongAmounts).toEqual([]);
    expect(books.chargedTwice).toEqual([]);
    expect(me.used_quota).toBe(spent);
    expect(me.request_count).toBe(calls);
    expect(tokenNow?.used_quota).toBe(spent);
    expect(tokenNow?.remain_quota).toBe(10_000_000 - spent);
    const stat = await admin.ok<{ quota: number }>('GET', '/api/log/stat?type=2');
    expect(stat.quota).toBe(spent);
  };

  test('log, balance, token, counters and events agree to the unit', booksAgree);

  test('the ledger explains every charge and ends at the balance', async () => {
    const page = await admin.ok<{
      items: {
        kind: string;
        delta: number;
        balance_after: number;
        price: { amount: number; steps: { units: string }[] } | null;
      }[];
      total: number;
      balance: number;
    }>('GET', `/api/ledger/${admin.userId}?p=1&page_size=100&kind=RequestCharged`);
    expect(page.total).toBe(calls);
    expect(page.items[0]?.balance_after).toBe((await self(admin)).quota);
    for (const { delta, price } of page.items) {
      expect(price?.amount).toBe(-delta);
      expect(price?.steps.length).toBeGreaterThan(0);
    }
  });

  test('they agree after a restart', async () => {
    await log.close();
    await product.stop();
    product = await startProduct({ dataDir: product.dataDir });
    admin = new ConsoleClient(product.url);
    await admin.login(rootUser.username, rootUser.password);
    log = openLog(product.dataDir);
    await booksAgree();
  });

  test('they agree after every read model was rebuilt', async () => {
    for (const name of ['usage-log', 'ledger', 'user-list', 'token-list', 'channel-list']) {
      await admin.ok('POST', `/api/projections/${name}/rebuild`);
    }
    await eventually(async () => {
      const rows = await admin.ok<{ name: string; state: string }[]>('GET', '/api/projections');
      if (rows.some(({ state }) => state !== 'live')) throw new Error('still rebuilding');
    });
    await booksAgree();
  });

  test('npm run verify walks the whole log and finds no break', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['infra/tooling/start.mjs', 'verify', '--json'],
      { env: { PATH: process.env.PATH, DATA_DIR: product.dataDir }, maxBuffer: 10_000_000 },
    );
    const report = JSON.parse(stdout);
    expect(report.breaks).toEqual([]);
    expect(report.requests.charged).toBe(calls);
  });
});
