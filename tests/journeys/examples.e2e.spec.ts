import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allLogs, type ConsoleClient, setUpSite } from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const folder = new URL('../../infra/examples/', import.meta.url).pathname;
const run = promisify(execFile);

/** What each prints of the provider's answers, and how many calls it makes of the provider. */
const clients = {
  'curl.sh': { prints: ['gpt-4o-mini', 'You said: Hello from curl', 'data: [DONE]'], calls: 2 },
  'openai-chat.mjs': {
    prints: ['You said: Hello from the OpenAI library', 'You said: Hello, piece by piece\n'],
    calls: 2,
  },
  'openai-responses.mjs': { prints: ['You said: Hello from Responses', 'tokens'], calls: 1 },
  'anthropic-messages.mjs': {
    prints: ['You said: Hello from the Anthropic library', 'You said: Hello, piece by piece\n'],
    calls: 2,
  },
  'gemini-generate.mjs': {
    prints: ['You said: Hello from the Google library', 'You said: Hello, piece by piece\n'],
    calls: 2,
  },
} as const;
const names = Object.keys(clients) as (keyof typeof clients)[];

describe('the examples run unchanged', () => {
  let product: Product;
  let provider: StubProvider;
  let admin: ConsoleClient;
  let env: NodeJS.ProcessEnv = {};

  const runExample = async (name: string): Promise<string> => {
    const program = name.endsWith('.sh') ? 'sh' : process.execPath;
    const { stdout } = await run(program, [`${folder}${name}`], { env });
    return stdout;
  };

  beforeAll(async () => {
    provider = await startStubProvider({ record: true });
    product = await startProduct();
    admin = await setUpSite(product.url);
    env = {
      PATH: process.env.PATH,
      TOLLGATE_URL: product.url,
      PROVIDER_URL: provider.url,
      ACCESS_TOKEN: await admin.ok<string>('GET', '/api/user/token'),
      USER_ID: String(admin.userId),
      NEW_USER: 'ada',
    };
    const printed = await runExample('operator.mjs');
    const [, key] = /^TOLLGATE_KEY=(sk-\S+)$/m.exec(printed) ?? [];
    env = { ...env, TOLLGATE_KEY: key };
    // The relay learns of the channel and the key within moments.
    await eventually(() => runExample('openai-responses.mjs'));
    provider.requests.splice(0);
  });

  afterAll(async () => {
    await product?.stop();
    await provider?.close();
    if (product !== undefined) removeData(product);
  });

  test('the operator’s script leaves a channel, a user with quota, and a key', async () => {
    const channels = await admin.ok<{ base_url: string }[]>('GET', '/api/channel/');
    expect(channels).toMatchObject([{ base_url: provider.url, models: 'gpt-4o-mini' }]);
    const users = await admin.ok<{ items: unknown[] }>('GET', '/api/user/search?keyword=ada');
    expect(users.items).toMatchObject([{ username: 'ada' }]);
    expect(env.TOLLGATE_KEY).toMatch(/^sk-\w{20,}$/);
  });

  test.each(names)('%s prints what the provider answered', async (name) => {
    const before = provider.requests.length;
    const printed = await runExample(name);
    for (const text of clients[name].prints) expect(printed).toContain(text);
    expect(provider.requests.length - before).toBe(clients[name].calls);
  });

  test('every call of theirs is in the log of the user who has the key', async () => {
    const calls = names.reduce((sum, name) => sum + clients[name].calls, 0);
    expect(provider.requests).toHaveLength(calls);
    await eventually(async () => {
      // One more: the call that waited for the channel.
      expect(await allLogs(admin, 2)).toHaveLength(calls + 1);
    });
  });

  test('no example is without a test', () => {
    const files = readdirSync(folder).filter((name) => !name.endsWith('.md'));
    expect(files.sort()).toEqual([...names, 'operator.mjs'].sort());
  });

  test('what the console API answers is compressed for a client that takes it', async () => {
    const answer = await fetch(`${product.url}/api/option/`, {
      headers: { ...admin.headers, 'accept-encoding': 'gzip' },
    });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(await answer.json()).toMatchObject({ success: true });
  });
});
