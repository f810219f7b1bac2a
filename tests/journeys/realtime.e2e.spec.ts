import { Agent } from 'node:http';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
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

const model = 'gpt-4o-realtime-preview';
let product: Product;
let provider: StubProvider;
let admin: ConsoleClient;
let openai: OpenAI;

beforeAll(async () => {
  provider = await startStubProvider();
  product = await startProduct();
  admin = await setUpSite(product.url);
  await addChannel(admin, provider.url, { models: model });
  const { key } = await addToken(admin);
  openai = new OpenAI({ apiKey: `sk-${key}`, baseURL: `${product.url}/v1`, maxRetries: 0 });
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

/** The client accepts only addresses with a certificate; the product under test has none. */
const withoutCertificate = Object.assign(new Agent(), { protocol: 'https:' });

const openSession = (): Promise<OpenAIRealtimeWS> =>
  eventually(async () => {
    const session = new OpenAIRealtimeWS({ model, options: { agent: withoutCertificate } }, openai);
    await new Promise<void>((resolve, reject) => {
      session.socket.once('open', () => resolve());
      session.on('error', reject);
    });
    return session;
  });

test('two answers of one session are two entries of the log, charged by text and sound', async () => {
  const session = await openSession();
  for (const word of ['first', 'second']) {
    const done = session.emitted('response.done');
    session.send({ type: 'response.create', event_id: word });
    await done;
  }
  session.close();
  const rows = await eventually(async () => {
    const found = await allLogs(admin, 2);
    if (found.length < 2) throw new Error('the answers are not in the log yet');
    return found;
  });
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    expect(row).toMatchObject({ model_name: model, prompt_tokens: 100, completion_tokens: 50 });
    // Text 40 + 10 × 4, sound 60 × 20 + 40 × 20 × 2, all at ratio 2.5.
    expect(row.quota).toBe(Math.round((40 + 40 + 60 * 20 + 40 * 20 * 2) * 2.5));
    expect(JSON.parse(row.other)).toMatchObject({ ws: true, audio_input: 60, audio_output: 40 });
  }
});
