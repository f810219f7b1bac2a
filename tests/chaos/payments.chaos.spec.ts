import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConsoleClient, rootUser, self, setUpSite } from '../support/console-client.ts';
import { freePort } from '../support/free-port.ts';
import { inParallel } from '../support/in-parallel.ts';
import { type LantuStub, startLantuStub } from '../support/lantu-stub.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';

const rounds = process.env.CHAOS === 'full' ? 10 : 2;
const ordersOfRound = 20;
/** Another moment in each round: after so many answers. */
const killAfter = (round: number): number => 1 + ((round * 7) % (ordersOfRound - 3));
/** One dollar and 5 % of it. */
const credit = 525_000;

let product: Product;
let provider: LantuStub;

beforeAll(async () => {
  provider = await startLantuStub();
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

const signIn = async (): Promise<ConsoleClient> => {
  const client = new ConsoleClient(product.url);
  await client.login(rootUser.username, rootUser.password);
  return client;
};
/** Each round restarts the product. */
const timeoutMs = 300_000;
/** "": no process answered. */
const tell = (tradeNo: string): Promise<string> => provider.payAndNotify(tradeNo).catch(() => '');

test('kill -9 between payments and credits loses no payment and credits none twice', {
  timeout: timeoutMs,
}, async () => {
  const port = await freePort();
  product = await startProduct({ port });
  let admin = await setUpSite(product.url);
  for (const [key, value] of [
    ['ServerAddress', product.url],
    ['LantuApiUrl', provider.url],
    ['LantuMchId', provider.merchantId],
    ['LantuSecretKey', provider.secret],
  ]) {
    await admin.ok('PUT', '/api/option/', { key, value });
  }
  const before = (await self(admin)).quota;
  const heardBeforeTheKill: number[] = [];

  for (let round = 0; round < rounds; round += 1) {
    const placed: string[] = [];
    await inParallel({ count: ordersOfRound, atOnce: 10 }, async () => {
      const order = { amount: 1 };
      const { trade_no } = await admin.ok<{ trade_no: string }>(
        'POST',
        '/api/user/pay_lantu',
        order,
      );
      placed.push(trade_no);
    });
    // Each answer may be the last one of the product.
    let heard = 0;
    let killed: Promise<void> | null = null;
    const untold = [...placed];
    await inParallel({ count: ordersOfRound, atOnce: 3 }, async () => {
      if ((await tell(untold.pop() ?? '')) === 'SUCCESS') heard += 1;
      if (heard === killAfter(round)) killed ??= product.kill();
    });
    await (killed ?? product.kill());
    heardBeforeTheKill.push(heard);
    product = await startProduct({ dataDir: product.dataDir, port });
    // As providers do: repeated until acknowledged, acknowledged ones too.
    await Promise.all(
      placed.map((tradeNo) =>
        eventually(async () => {
          if ((await tell(tradeNo)) !== 'SUCCESS') throw new Error(`${tradeNo} is not heard`);
        }),
      ),
    );
    admin = await signIn();
    await eventually(async () => {
      expect((await self(admin)).quota).toBe(before + (round + 1) * ordersOfRound * credit);
    });
  }
  expect(Math.max(...heardBeforeTheKill)).toBeLessThan(ordersOfRound);

  const found = await admin.ok<Record<string, unknown>>('GET', '/api/topup/reconciliation');
  expect(found).toMatchObject({
    paid: { count: rounds * ordersOfRound },
    credited: { count: rounds * ordersOfRound, quota: rounds * ordersOfRound * credit },
    paid_not_credited: [],
    credited_not_paid: [],
  });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['infra/tooling/start.mjs', 'verify', '--json'],
    { env: { PATH: process.env.PATH, DATA_DIR: product.dataDir }, maxBuffer: 10_000_000 },
  );
  expect(JSON.parse(stdout).breaks).toEqual([]);
});
