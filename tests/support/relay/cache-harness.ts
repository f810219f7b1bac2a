import { GoogleGenAI } from '@google/genai';
import type { ChannelSettings } from '../../../domain/channel/events.ts';
import { createStubCaches, type StubCaches } from '../stub-provider/caches.ts';
import { serveReadModels } from './batch-harness.ts';
import {
  aChannel,
  anAccount,
  aToken,
  type Harness,
  rawKey,
  startHarness,
  startUpstream,
  type UpstreamSpy,
} from './relay-harness.ts';

const otherKey = 'z'.repeat(48);
export const model = 'gemini-2.0-flash';
/** Long enough for Google, which takes none below 1,024 tokens. */
export const book = 'A chapter of the book. '.repeat(400);

export type CacheHarness = Harness &
  Readonly<{
    stub: StubCaches;
    upstream: UpstreamSpy;
    client: GoogleGenAI;
    stranger: GoogleGenAI;
    gemini: (channelId: number, settings?: Partial<ChannelSettings>) => Promise<void>;
  }>;

const clientOf = (port: number, key: string): GoogleGenAI =>
  new GoogleGenAI({
    apiKey: `sk-${key}`,
    httpOptions: { baseUrl: `http://127.0.0.1:${port}` },
  });

/** A relay, a Google that keeps its own rules, and two callers with the real client. */
export const startCacheHarness = async (): Promise<CacheHarness> => {
  const harness = await startHarness({ maxBodyBytes: 16_777_216 });
  const stub = createStubCaches((key) => /^upstream-key-\d$/.test(key));
  const upstream = await startUpstream((req, res, body) => {
    const { method = 'GET', url = '/', headers } = req;
    stub.serve(res, { method, url, headers, body });
  });
  await serveReadModels(harness);
  await harness.put.option('ModelRatio', JSON.stringify({ [model]: 1, 'gemini-1.5-pro': 2 }));
  await harness.put.option('CompletionRatio', JSON.stringify({ [model]: 4 }));
  await harness.put.option('CacheRatio', JSON.stringify({ [model]: 0.25 }));
  const gemini: CacheHarness['gemini'] = (channelId, settings = {}) => {
    const own = { type: 24, models: [model], baseUrl: upstream.url, ...settings };
    return harness.put.channel(aChannel(channelId, own));
  };
  await gemini(1);
  await harness.put.account(anAccount({ userId: 8 }));
  await harness.put.token(otherKey, aToken({ tokenId: 6, userId: 8 }));
  return {
    ...harness,
    stub,
    upstream,
    gemini,
    client: clientOf(harness.port, rawKey),
    stranger: clientOf(harness.port, otherKey),
    close: async () => {
      await harness.close();
      upstream.close();
    },
  };
};

export const createBook = (client: GoogleGenAI, config: object = {}) =>
  client.caches.create({ model, config: { contents: book, displayName: 'the book', ...config } });
