import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI, { type APIError } from 'openai';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { allRoutes } from '../support/all-routes.ts';
import { addToken, type ConsoleClient, setUpSite } from '../support/console-client.ts';
import {
  eventually,
  type Product,
  type ProductOptions,
  removeData,
  startProduct,
} from '../support/product.ts';
import { askRaw, openRaw, type RawConnection } from '../support/raw-http.ts';

let product: Product;
let root: ConsoleClient;

beforeAll(async () => {
  product = await startProduct({ env: { BODY_TIMEOUT_SECONDS: '4' } });
  root = await setUpSite(product.url);
});
afterAll(async () => {
  await product?.stop();
  if (product !== undefined) removeData(product);
});

const at = (): { port: number } => ({ port: Number(new URL(product.url).port) });
/** A product for one test, with special limits. */
const startNarrow = async (options: ProductOptions): Promise<Product> => {
  const narrow = await startProduct(options);
  onTestFinished(async () => {
    await narrow.stop();
    removeData(narrow);
  });
  return narrow;
};

const headersOf = (fields: Readonly<Record<string, string>>): string =>
  Object.entries({ Host: 'x', ...fields })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

const halfPost = async (path: string): Promise<RawConnection> => {
  const connection = await openRaw(at());
  connection.write(`POST ${path} HTTP/1.1\r\n${headersOf({ 'Content-Length': '500' })}\r\n{"a`);
  return connection;
};

test('three hundred half-sent bodies take nothing from anybody, and are given up', async () => {
  const half = await Promise.all(
    Array.from({ length: 300 }, (_, nth) =>
      halfPost(['/api/user/login', '/api/setup', '/api/nowhere'][nth % 3] ?? ''),
    ),
  );
  for (let nth = 0; nth < 4; nth += 1) {
    const answer = await fetch(`${product.url}/api/status`, {
      signal: AbortSignal.timeout(10_000),
    });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  expect(half.filter((one) => !one.isClosed()).length).toBeGreaterThan(0);
  await Promise.all(half.map(({ closed }) => closed));
  expect(half.every((one) => one.received().startsWith('HTTP/1.1 408 '))).toBe(true);
  expect(half.some((one) => one.received().includes('"request.too-slow"'))).toBe(true);
}, 60_000);

test('a body that arrives byte by byte is given up in the end', async () => {
  const slow = await halfPost('/api/user/login');
  const timer = setInterval(() => slow.write('b'), 200);
  await slow.closed;
  clearInterval(timer);
  expect(slow.received()).toMatch(/^HTTP\/1.1 408 /);
}, 30_000);

test('a body that is too large is refused as such, every time', async () => {
  const large = Buffer.alloc(20_000_000, 'a');
  for (const path of ['/api/user/login', '/api/option/', '/api/verify']) {
    for (let nth = 0; nth < 12; nth += 1) {
      const answer = await fetch(product.url + path, {
        method: path === '/api/option/' ? 'PUT' : 'POST',
        headers: { ...root.headers, 'accept-language': nth % 2 === 0 ? 'en' : 'zh' },
        body: large,
      });
      const body = (await answer.json()) as { code: string; message: string };
      expect([path, answer.status, body.code]).toEqual([path, 413, 'request.too-large']);
      expect(body.message).toMatch(nth % 2 === 0 ? /too large/ : /过大/);
    }
  }
}, 120_000);

/** Routes whose bodies hold tables. */
const takesTables = new Set([
  'PUT /api/option/',
  'POST /api/channel/',
  'PUT /api/channel/',
  'PUT /api/channel/tag',
  'POST /api/channel/fetch_models',
  'POST /api/channel/batch',
  'POST /api/channel/batch/tag',
  'POST /api/audit/reprice',
  'POST /api/data/price_preview',
]);
const withBody = allRoutes.filter(({ method }) => method === 'POST' || method === 'PUT');

test.each(withBody)('$key takes no more than it needs', async ({ key, method, url }) => {
  const path = url.replaceAll(/:\w+/g, '1');
  const bytes = takesTables.has(key) ? 513 * 1_024 : 65 * 1_024;
  const answer = await fetch(product.url + path, {
    method,
    headers: { ...root.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ pad: 'x'.repeat(bytes) }),
  });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
    413,
    'request.too-large',
  ]);
});

test('what is odd but small is refused as such, never as a fault', async () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  const headers = { ...root.headers, 'content-type': 'application/json', 'idempotency-key': 'one' };
  for (const [method, path] of [
    ['POST', '/api/token/'],
    ['PUT', '/api/option/'],
    ['POST', '/api/audit/reprice'],
    ['POST', '/api/user/login'],
  ] as const) {
    for (const body of [deep, `{"name":${deep}}`]) {
      const answer = await fetch(product.url + path, { method, headers, body });
      const { code } = (await answer.json()) as { code: string };
      expect([path, answer.status, code]).toEqual([path, 200, 'request.malformed']);
    }
  }
  const lines = Array.from({ length: 100_000 }, (_, nth) => `10.${nth % 256}.1.1`).join('\n');
  const long = await fetch(`${product.url}/api/token/`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'a', allow_ips: lines }),
  });
  expect(long.status).toBe(413);
  const odd = await fetch(`${product.url}/pg/chat/completions`, {
    method: 'POST',
    headers: { cookie: 'session=%' },
    body: '{}',
  });
  expect(odd.status).toBe(401);
  expect((await fetch(`${product.url}/api/%zz`)).status).toBe(400);
});

test.each([1_000, 300_000, 25_000_000])(
  'an upload of %i bytes with a wrong key gets that error, every time',
  async (bytes) => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-upload-'));
    const file = join(folder, 'sound.wav');
    writeFileSync(file, Buffer.alloc(bytes));
    const openai = new OpenAI({ apiKey: 'sk-wrong', baseURL: `${product.url}/v1`, maxRetries: 0 });
    const told: unknown[] = [];
    for (let nth = 0; nth < 12; nth += 1) {
      const wrong = openai.audio.transcriptions.create({
        model: 'whisper-1',
        file: createReadStream(file),
      });
      told.push(await wrong.catch((error: unknown) => (error as APIError).status));
    }
    expect(told).toEqual(Array.from({ length: 12 }, () => 401));
    rmSync(folder, { recursive: true, force: true });
  },
  120_000,
);

test('a websocket where there is none is refused', async () => {
  const upgrade = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  for (const path of ['/', '/api/status', '/v1/nowhere', '/v1/chat/completions', '/socket']) {
    const request = `GET ${path} HTTP/1.1\r\n${headersOf(upgrade)}\r\n`;
    expect([path, await askRaw(at(), request)]).toMatchObject([path, [{ status: 404 }]]);
  }
  const known = `GET /v1/realtime?model=x HTTP/1.1\r\n${headersOf(upgrade)}\r\n`;
  expect(await askRaw(at(), known)).toMatchObject([{ status: 401 }]);
});

test('silent connections keep neither probes nor callers out', async () => {
  const narrow = await startNarrow({ openFiles: 600 });
  const port = Number(new URL(narrow.url).port);
  const silent = await Promise.all(
    Array.from({ length: 700 }, (_, nth) =>
      openRaw({ port, localAddress: `127.0.0.${2 + (nth % 4)}` }),
    ),
  );
  onTestFinished(() => {
    for (const one of silent) one.close();
  });
  for (const path of ['/healthz', '/readyz', '/api/status', '/v1/models']) {
    const answer = await eventually(() => fetch(narrow.url + path), 5_000);
    expect([path, answer.status]).toEqual([path, path === '/v1/models' ? 401 : 200]);
    await answer.text();
  }
}, 120_000);

test('what one address holds half-sent takes no memory from others', async () => {
  const narrow = await startNarrow({ env: { MAX_BODY_MB: '8', BODY_MEMORY_MB: '16' } });
  const port = Number(new URL(narrow.url).port);
  const owner = await setUpSite(narrow.url);
  const { key } = await addToken(owner);
  const half = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const connection = await openRaw({ port, localAddress: '127.0.0.2' });
      const head = headersOf({ 'Content-Length': '65000' });
      connection.write(`POST /api/user/login HTTP/1.1\r\n${head}\r\n${'a'.repeat(64_000)}`);
      return connection;
    }),
  );
  onTestFinished(() => {
    for (const one of half) one.close();
  });
  await eventually(async () =>
    expect(half.some((one) => one.received().includes('"request.no-memory"'))).toBe(true),
  );
  for (let nth = 0; nth < 5; nth += 1) {
    expect((await owner.call('PUT', '/api/user/self', {})).code).not.toBe('request.no-memory');
    const relayed = await fetch(`${narrow.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [], user: 'x'.repeat(200_000) }),
    });
    expect(await relayed.text()).not.toContain('request_memory_exhausted');
  }
}, 120_000);
