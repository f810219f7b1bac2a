import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpSite } from '../support/console-client.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { openRaw } from '../support/raw-http.ts';
import { runAttacks, runSplits, type Target } from './malformed/run.ts';

let product: Product;
let target: Target;

beforeAll(async () => {
  product = await startProduct();
  target = { name: 'edge', port: Number(new URL(product.url).port), below: ['/api/', '/v1/'] };
});
afterAll(async () => {
  await product?.stop();
  if (product !== undefined) removeData(product);
});

test('no malformed, ambiguous or half request reaches or answers another connection', async () => {
  const { attacks, problems } = await runAttacks(target);
  expect(problems).toEqual([]);
  expect(attacks).toBeGreaterThan(200);
}, 600_000);

test('a request is understood wherever the network cuts it', async () => {
  expect(await runSplits(target)).toBeGreaterThan(800);
}, 300_000);

/** A GET whose body is a request; the body of a GET belongs to its own request only. */
const smuggling = (path: string): string => {
  const request = `GET /api/setup HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n`;
  const chunk = `${request.length.toString(16)}\r\n${request}\r\n0\r\n\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`;
};

test('a visitor never gets the answer to a request inside another’s body', async () => {
  await setUpSite(product.url);
  const foreign: string[] = [];
  let asked = 0;
  let isOver = false;
  const attack = async (): Promise<void> => {
    while (!isOver) {
      const connection = await openRaw(target);
      for (let nth = 0; nth < 5; nth += 1) connection.write(smuggling('/api/notice'));
      await connection.settled(200);
      connection.close();
    }
  };
  const visit = async (visitor: number): Promise<void> => {
    for (let nth = 0; nth < 20; nth += 1) {
      asked += 1;
      const path = `/api/visitor-${visitor}-${nth}`;
      const answer = await fetch(product.url + path);
      const text = await answer.text();
      if (!text.includes(path)) foreign.push(`${path}: ${text.slice(0, 200)}`);
    }
  };
  const attackers = Array.from({ length: 8 }, attack);
  await Promise.all(Array.from({ length: 30 }, (_, visitor) => visit(visitor)));
  isOver = true;
  await Promise.all(attackers);
  expect(asked).toBe(600);
  expect(foreign).toEqual([]);
}, 300_000);
