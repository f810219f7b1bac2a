import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleClient, rootUser, setUpSite } from '../support/console-client.ts';
import { freePort } from '../support/free-port.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { askRaw } from '../support/raw-http.ts';

const login = (url: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(rootUser),
  });

describe('without a proxy in front', () => {
  let product: Product;
  let root: ConsoleClient;
  beforeAll(async () => {
    product = await startProduct({ env: { API_RATE_LIMIT: '40', API_USER_RATE_LIMIT: '3000' } });
    root = await setUpSite(product.url);
  });
  afterAll(async () => {
    await product?.stop();
    if (product !== undefined) removeData(product);
  });

  test('the control process listens where its own user alone has access', () => {
    const folder = join(product.dataDir, 'run');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).some((name) => name.endsWith('.sock'))).toBe(true);
  });

  test('no client can claim the protocol of its connection', async () => {
    const answer = await login(product.url, { 'x-forwarded-proto': 'https' });
    expect(answer.headers.getSetCookie()[0]).not.toContain('Secure');
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });

  test('no client chooses the address that counts, by whatever header', async () => {
    const statuses: number[] = [];
    for (let nth = 0; nth < 45; nth += 1) {
      const address = `203.0.113.${nth}`;
      const headers = [
        'Host: x',
        `X-Forwarded-For: ${address}`,
        `X-Real-IP: ${address}`,
        `Forwarded: for=${address}`,
        `Connection: ${nth % 2 === 0 ? 'X-Forwarded-For, ' : ''}close`,
      ];
      const port = Number(new URL(product.url).port);
      const request = `GET /api/status HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
      statuses.push((await askRaw({ port }, request))[0]?.status ?? 0);
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
    const guesses: number[] = [];
    for (let nth = 0; nth < 30; nth += 1) {
      const answer = await fetch(`${product.url}/api/oauth/state?provider=github`, {
        headers: { ...root.headers, 'x-forwarded-for': `198.51.100.${nth}` },
      });
      guesses.push(answer.status);
      await answer.text();
    }
    expect(guesses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10);
  });

  test('an address that has used its calls up is recognised however it writes the path', async () => {
    for (const path of ['/api/status', '/%61pi/status', '/api/%73tatus', '/api/status/']) {
      expect([path, (await fetch(product.url + path)).status]).toEqual([path, 429]);
    }
  });

  test('calls of a signed-in person do not meet the limit of strangers', async () => {
    for (let nth = 0; nth < 100; nth += 1) await root.ok('GET', '/api/user/self');
    const headers = { 'new-api-user': String(root.userId) };
    const token = await root.ok<string>('GET', '/api/user/token');
    for (let nth = 0; nth < 3; nth += 1) {
      const answer = await fetch(`${product.url}/api/user/self`, {
        headers: { ...headers, authorization: `Bearer made-up-${nth}` },
      });
      expect(answer.status).toBe(429);
    }
    for (let nth = 0; nth < 50; nth += 1) {
      const answer = await fetch(`${product.url}/api/user/self`, {
        headers: { ...headers, authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(200);
      await answer.text();
    }
  });

  test('how the product fares is for its own machine to see', async () => {
    const answer = await fetch(`${product.url}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
    expect(await (await fetch(`${product.url}/healthz`)).json()).toEqual({ ok: true });
    for (const path of ['/metrics', '/metrics?x', '/%6detrics', '/metrics.json', '/metrics/']) {
      const text = await (await fetch(product.url + path)).text();
      expect([path, /process_cpu|relay_/.test(text)]).toEqual([path, false]);
    }
    expect((await fetch(`${product.url}/metrics`)).status).toBe(404);

    const metrics = product.metricsUrl();
    expect(new URL(metrics).hostname).toBe('127.0.0.1');
    const text = await (await fetch(`${metrics}/metrics`)).text();
    for (const name of ['edge', 'control']) {
      expect(text).toContain(`process_cpu_seconds_total{process="${name}"}`);
    }
    const names = text.match(/^# TYPE (\S+)/gm) ?? [];
    expect(new Set(names).size).toBe(names.length);
    const { parts } = (await (await fetch(`${metrics}/readyz`)).json()) as {
      parts: { name: string }[];
    };
    expect(parts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['relay', 'keeper', 'command-api', 'projections']),
    );
  });
});

describe('behind a proxy that is trusted', () => {
  let product: Product;
  beforeAll(async () => {
    const env = { TRUSTED_PROXIES: '127.0.0.1', API_RATE_LIMIT: '5' };
    product = await startProduct({ env });
    await setUpSite(product.url);
  });
  afterAll(async () => {
    await product?.stop();
    if (product !== undefined) removeData(product);
  });

  test('its word on the protocol keeps sessions to TLS', async () => {
    const secure = await login(product.url, {
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.1',
    });
    expect(secure.headers.getSetCookie()[0]).toContain('; Secure');
    expect(secure.headers.get('strict-transport-security')).toMatch(/^max-age=/);
    const plain = await login(product.url, { 'x-forwarded-for': '203.0.113.1' });
    expect(plain.headers.getSetCookie()[0]).not.toContain('; Secure');
  });

  test('its value of the address counts, and what is left of it does not', async () => {
    const status = async (forwarded: string): Promise<number> => {
      const headers = { 'x-forwarded-for': forwarded };
      return (await fetch(`${product.url}/api/status`, { headers })).status;
    };
    for (let nth = 0; nth < 5; nth += 1)
      expect(await status(`1.1.1.${nth}, 203.0.113.9`)).toBe(200);
    expect(await status('1.1.1.9, 203.0.113.9')).toBe(429);
    expect(await status('203.0.113.10')).toBe(200);
  });
});

describe('the port of metrics', () => {
  test('changes when the usual one is taken, and not when it was configured', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const child = spawn(process.execPath, ['infra/tooling/start.mjs', 'all-in-one'], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: String(await freePort()),
        HOST: '127.0.0.1',
        DATA_DIR: folder,
        METRICS_PORT: String(port),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (bytes) => {
      said += String(bytes);
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(said).toContain('METRICS_PORT');
    taken.close();
    rmSync(folder, { recursive: true, force: true });

    // Two sites on one machine, neither of which names a port.
    const sites = await Promise.all([0, 1].map(() => startProduct({ env: { METRICS_PORT: '' } })));
    const urls = sites.map((site) => site.metricsUrl());
    expect(new Set(urls).size).toBe(2);
    for (const url of urls) expect((await fetch(`${url}/metrics`)).status).toBe(200);
    for (const site of sites) {
      await site.stop();
      expect(existsSync(join(site.dataDir, 'run'))).toBe(true);
      removeData(site);
    }
  }, 180_000);
});
