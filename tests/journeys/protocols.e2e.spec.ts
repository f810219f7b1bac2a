import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConsoleClient } from '../support/console-client.ts';
import { addChannel, addToken, allLogs, setUpSite } from '../support/console-client.ts';
import { type MediaClient, mediaClient } from '../support/media-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type ProtocolClient, protocolClients } from '../support/protocol-clients.ts';
import {
  helloFrom,
  type ProtocolStub,
  type StubProtocol,
  startProtocolStub,
  toolInput,
  toolName,
} from '../support/stub-provider/protocols.ts';

const channels: readonly (readonly [protocol: StubProtocol, type: number, model: string])[] = [
  ['openai', 1, 'gpt-4o-mini'],
  ['claude', 14, 'claude-3-5-haiku-20241022'],
  ['gemini', 24, 'gemini-2.0-flash'],
];
const libraries = ['openai', '@anthropic-ai/sdk', '@google/genai'] as const;
/** Answers that are billed, for each pair of a library and a channel. */
const billed = 4;

describe('the official client libraries on channels of every protocol', () => {
  let product: Product;
  let provider: ProtocolStub;
  let admin: ConsoleClient;
  let key = '';

  beforeAll(async () => {
    provider = await startProtocolStub();
    product = await startProduct();
    admin = await setUpSite(product.url);
    for (const [protocol, type, model] of channels) {
      await addChannel(admin, provider.url, { type, name: protocol, models: model });
    }
    key = `sk-${(await addToken(admin, { unlimited_quota: true })).key}`;
  });

  afterAll(async () => {
    await product?.stop();
    await provider?.close();
    if (product !== undefined) removeData(product);
  });

  const pairs = libraries.flatMap((library) =>
    channels.map(([protocol, , model]) => ({ library, protocol, model })),
  );

  describe.each(pairs)('$library on a channel of $protocol', ({ library, protocol, model }) => {
    let client: ProtocolClient;
    beforeAll(() => {
      client = protocolClients[library](product.url, key);
    });

    test('chats', async () => {
      const said = await eventually(() => client.chat(model, 'Hi'), 10_000);
      expect(said).toBe(helloFrom(protocol));
    });
    test('reads a stream', async () => {
      expect(await client.stream(model, 'Hi')).toBe(helloFrom(protocol));
    });
    test('receives a call of its tool, whole and as a stream', async () => {
      const called = { name: toolName, input: toolInput };
      expect(await client.tool(model)).toEqual(called);
      expect(await client.streamedTool(model)).toEqual(called);
    });
    test('throws the error of the provider as its own', async () => {
      expect(await client.failure(model)).toBe(400);
    });
  });

  describe('pictures and sound through the openai library', () => {
    let client: MediaClient;
    const costs: Readonly<Record<string, readonly number[]>> = {
      // 0.04 USD for each: once tall and in high quality, twice edited.
      'dall-e-3': [60_000, 40_000],
      // By the character, and by the begun second at 1,000 tokens a minute.
      'tts-1': [11 * 7.5],
      'whisper-1': [15_495, 15_495],
      // 12 in, 4 out, one search with a middling context at 35 USD for 1,000.
      'gpt-4o': [(12 + 4 * 4) * 1.25 + 17_500],
    };

    beforeAll(async () => {
      const models = Object.keys(costs).join(',');
      await addChannel(admin, provider.url, { type: 1, name: 'media', models });
      client = mediaClient(product.url, key);
    });

    test('draws and edits', async () => {
      const drawn = await eventually(() => client.draw(), 10_000);
      expect(drawn).toEqual(['cGljdHVyZQ==']);
      expect(await client.edit()).toEqual(['cGljdHVyZQ==', 'cGljdHVyZQ==']);
    });
    test('generates speech', async () => {
      expect((await client.speak('Hello world')).toString()).toBe('sound of Hello world');
    });
    test('listens', async () => {
      expect(await client.transcribe()).toBe('heard 489644 bytes');
      expect(await client.translate()).toBe('heard 489644 bytes');
    });
    test('searches', async () => {
      expect(await client.search()).toBe('found it');
    });
    test('throws the error of the provider as its own', async () => {
      expect(await client.failures()).toEqual([400, 400, 400]);
    });

    test('each is billed by its own price', async () => {
      await eventually(async () => {
        const logs = await allLogs(admin, 2);
        for (const [model, amounts] of Object.entries(costs)) {
          const charged = logs.filter(({ model_name }) => model_name === model);
          const quotas = charged.map(({ quota }) => quota).sort((a, b) => b - a);
          expect([model, quotas]).toEqual([model, amounts.map(Math.round)]);
        }
      }, 20_000);
    });
  });

  test('each answer is billed by what its provider reported', async () => {
    await eventually(async () => {
      const asked = channels.map(([, , model]) => model);
      const all = await allLogs(admin, 2);
      const logs = all.filter(({ model_name }) => asked.includes(model_name));
      expect(logs).toHaveLength(pairs.length * billed);
      for (const log of logs) {
        expect([log.prompt_tokens, log.completion_tokens]).toEqual([12, 4]);
      }
    }, 20_000);
  });
});
