import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConsoleClient } from '../support/console-client.ts';
import { addChannel, addToken, allLogs, setUpSite } from '../support/console-client.ts';
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
    test('is told of a call of its tool, whole and as a stream', async () => {
      const called = { name: toolName, input: toolInput };
      expect(await client.tool(model)).toEqual(called);
      expect(await client.streamedTool(model)).toEqual(called);
    });
    test('throws the error of the provider as its own', async () => {
      expect(await client.failure(model)).toBe(400);
    });
  });

  test('each answer is billed by what its provider reported', async () => {
    await eventually(async () => {
      const logs = await allLogs(admin, 2);
      expect(logs).toHaveLength(pairs.length * billed);
      for (const log of logs) {
        expect([log.prompt_tokens, log.completion_tokens]).toEqual([12, 4]);
      }
    }, 20_000);
  });
});
