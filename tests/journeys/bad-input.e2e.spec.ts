import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addChannel, addToken, type ConsoleClient, setUpSite } from '../support/console-client.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

let product: Product;
let provider: StubProvider;
let admin: ConsoleClient;
let key = '';

beforeAll(async () => {
  provider = await startStubProvider();
  product = await startProduct();
  admin = await setUpSite(product.url);
  await addChannel(admin, provider.url);
  key = (await addToken(admin)).key;
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

const looksLikeAFault = /\bat .*\.(ts|js|mjs):\d+|node_modules|ECONNREFUSED|SyntaxError|TypeError/;

describe('the console API refuses clearly', () => {
  const odd: [string, string, unknown][] = [
    ['POST', '/api/user/login', '{"username":'],
    ['POST', '/api/user/login', '{"username":7,"password":[]}'],
    ['POST', '/api/setup', '{}'],
    ['POST', '/api/channel/', '{"name":""}'],
    ['POST', '/api/channel/', `{"type":1,"name":"x","key":"k","models":"m","model_mapping":"{"}`],
    ['PUT', '/api/channel/', '{"id":"seven"}'],
    ['PUT', '/api/channel/', '{"id":999999,"name":"x"}'],
    ['DELETE', '/api/channel/999999', ''],
    ['GET', '/api/channel/not-a-number', ''],
    ['GET', '/api/channel/test/999999', ''],
    ['POST', '/api/token/', '{"name":"\\u0000","remain_quota":-1}'],
    ['POST', '/api/token/', '{"name":"x","remain_quota":1.5}'],
    ['PUT', '/api/token/?status_only=true', '{"id":999999,"status":1}'],
    ['PUT', '/api/option/', '{"key":"NoSuchOption","value":"1"}'],
    ['PUT', '/api/option/', '{"key":"ModelRatio","value":"{broken"}'],
    ['PUT', '/api/option/', '{"key":"QuotaPerUnit","value":"0"}'],
    [
      'PUT',
      '/api/user/',
      '{"id":999999,"username":"x","display_name":"x","group":"default","quota":1}',
    ],
    ['GET', '/api/ledger/999999', ''],
    ['GET', '/api/user/99999999999999999999', ''],
  ];
  test.each(odd)('%s %s', async (method, path, body) => {
    const answer = await fetch(`${product.url}${path}`, {
      method,
      headers: {
        ...admin.headers,
        ...(body === '' ? {} : { 'content-type': 'application/json' }),
        'accept-language': 'en',
      },
      ...(body === '' ? {} : { body: String(body) }),
    });
    const text = await answer.text();
    expect(answer.status, text).toBeLessThan(500);
    expect(text).not.toMatch(looksLikeAFault);
    const refusal = JSON.parse(text);
    expect(refusal.success).toBe(false);
    expect(refusal.message.length).toBeGreaterThan(5);
  });

  test('without signing in, what needs it is 401', async () => {
    for (const path of [
      '/api/user/self',
      '/api/channel/',
      '/api/token/',
      '/api/log/',
      '/api/option/',
    ]) {
      const answer = await fetch(`${product.url}${path}`);
      expect(answer.status, path).toBe(401);
      expect((await answer.json()).success).toBe(false);
    }
  });

  test('an unknown path below /api is 404, any other shows the console', async () => {
    expect((await fetch(`${product.url}/api/no-such-thing`)).status).toBe(404);
    const page = await fetch(`${product.url}/no-such-page`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="root">');
  });
});

describe('the relay refuses clearly, in the shape its clients read', () => {
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    fetch(`${product.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer sk-${key}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: body as BodyInit,
    });
  const message = { role: 'user', content: 'hi' };
  const odd: [string, number, () => Promise<Response>][] = [
    ['no key', 401, () => post('{}', { authorization: '' })],
    ['an unknown key', 401, () => post('{}', { authorization: `Bearer sk-${'x'.repeat(48)}` })],
    ['an empty body', 400, () => post('')],
    ['broken JSON', 400, () => post('{"model":"gpt-4o-mini",')],
    ['JSON that is no object', 400, () => post('[1,2,3]')],
    ['no model', 400, () => post(JSON.stringify({ messages: [message] }))],
    ['no messages', 400, () => post(JSON.stringify({ model: 'gpt-4o-mini' }))],
    [
      'an unserved model',
      404,
      () => post(JSON.stringify({ model: 'no-such', messages: [message] })),
    ],
    ['bytes that are no UTF-8', 400, () => post(new Uint8Array([0xff, 0xfe, 0x00, 0x7b]))],
  ];
  test.each(odd)('%s', async (_, status, call) => {
    const answer = await call();
    const text = await answer.text();
    expect(answer.status, text).toBe(status);
    expect(text).not.toMatch(looksLikeAFault);
    const { error } = JSON.parse(text);
    expect(error.message).toContain('request id');
    expect(error.type.length).toBeGreaterThan(0);
  });

  test('a failure of the provider is passed on and charged to no account', async () => {
    const before = await admin.ok<{ quota: number }>('GET', '/api/user/self');
    const answer = await post(
      JSON.stringify({ model: 'gpt-4o-mini', messages: [message], stub: { status: 418 } }),
    );
    expect(answer.status).toBe(418);
    expect((await answer.json()).error.code).toBe('stub_error');
    expect((await admin.ok<{ quota: number }>('GET', '/api/user/self')).quota).toBe(before.quota);
  });
});
