import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addChannel,
  addToken,
  allLogs,
  type ConsoleClient,
  setUpSite,
} from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

let product: Product;
let provider: StubProvider;
let admin: ConsoleClient;
let openai: OpenAI;

beforeAll(async () => {
  provider = await startStubProvider({ record: true });
  product = await startProduct();
  admin = await setUpSite(product.url);
  await addChannel(admin, provider.url);
  const { key } = await addToken(admin);
  openai = new OpenAI({ apiKey: `sk-${key}`, baseURL: `${product.url}/v1`, maxRetries: 0 });
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

const newestLog = async () =>
  eventually(async () => {
    const [row] = await allLogs(admin, 2);
    if (row === undefined) throw new Error('nothing in the log yet');
    return row;
  });

test('completions are returned whole and are charged by their own model', async () => {
  const model = 'gpt-3.5-turbo-instruct';
  const answer = await openai.completions.create({ model, prompt: 'say it again' });
  expect(answer.choices[0]?.text).toContain('say it again');
  const row = await newestLog();
  expect(row).toMatchObject({ model_name: model, prompt_tokens: 3, completion_tokens: 5 });
  // 0.75 × (3 + 5 × 4/3) = 7.25 units, rounded once.
  expect(row.quota).toBe(7);
});

test('embeddings are returned whole and are charged for their input alone', async () => {
  const model = 'text-embedding-3-small';
  const input = 'word '.repeat(1_000).trim();
  const answer = await openai.embeddings.create({ model, input, encoding_format: 'float' });
  expect(answer.data[0]?.embedding).toEqual([0.1, 0.2, 0.3]);
  await eventually(async () => {
    const row = await newestLog();
    // 1,000 tokens at ratio 0.01.
    expect(row).toMatchObject({ model_name: model, prompt_tokens: 1_000, quota: 10 });
  });
});

test('models lists what the token may call, and one of them can be read', async () => {
  const page = await openai.models.list();
  const names = page.data.map(({ id }) => id).sort();
  expect(names).toEqual([
    'gpt-3.5-turbo-instruct',
    'gpt-4o',
    'gpt-4o-mini',
    'text-embedding-3-small',
  ]);
  expect((await openai.models.retrieve('gpt-4o')).id).toBe('gpt-4o');
});

test('what a client sends arrives byte by byte, unknown fields and explicit zeros included', async () => {
  const body = {
    model: 'gpt-4o-mini',
    temperature: 0,
    top_p: 0,
    seed: 0,
    messages: [{ role: 'user' as const, content: 'ünïcödé ✓ 漢字' }],
    tools: [
      {
        type: 'function' as const,
        function: { name: 'look', strict: true, parameters: { type: 'object', properties: {} } },
      },
    ],
    tool_choice: 'auto' as const,
    something_new: { nested: [1, 2, { deep: null }] },
  };
  await openai.chat.completions.create(body);
  expect(JSON.parse(provider.requests.at(-1)?.body ?? '')).toEqual(body);
  expect(provider.requests.at(-1)?.authorization).toBe('Bearer sk-upstream');
});

test('an error of the provider reaches the client in the shape of the library', async () => {
  const call = openai.chat.completions.create({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'hi' }],
    ...{ stub: { status: 422, errorCode: 'too_odd' } },
  });
  const error = await call.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(APIError);
  expect(error).toMatchObject({ status: 422, code: 'too_odd' });
});
