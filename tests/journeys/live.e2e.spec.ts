import { GoogleGenAI, type LiveServerMessage, Modality, type Session } from '@google/genai';
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

const model = 'gemini-live-2.5-flash-preview';
let product: Product;
let provider: StubProvider;
let admin: ConsoleClient;
let apiKey: string;

beforeAll(async () => {
  provider = await startStubProvider();
  product = await startProduct();
  admin = await setUpSite(product.url);
  for (const [key, value] of [
    ['ModelRatio', '0.25'],
    ['CompletionRatio', '4'],
    ['AudioRatio', '6'],
    ['AudioCompletionRatio', '4'],
  ] as const) {
    await admin.ok('PUT', '/api/option/', { key, value: `{"${model}":${value}}` });
  }
  await addChannel(admin, provider.url, { type: 24, models: model });
  apiKey = `sk-${(await addToken(admin)).key}`;
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

type Talk = Readonly<{ session: Session; turn: () => Promise<string> }>;

/** The client waits for ever where a session is refused, so each attempt has a separate timeout. */
const openTalk = (apiVersion: string): Promise<Talk> =>
  eventually(async () => {
    const genai = new GoogleGenAI({
      apiKey,
      httpOptions: { baseUrl: product.url, apiVersion },
    });
    const heard: LiveServerMessage[] = [];
    let wake = (): void => {};
    const session = await new Promise<Session>((resolve, reject) => {
      const callbacks = {
        onmessage: (message: LiveServerMessage): void => {
          heard.push(message);
          if (message.serverContent?.turnComplete === true) wake();
        },
        onclose: ({ reason }: { reason: string }) => reject(new Error(`closed: ${reason}`)),
        onerror: ({ message }: { message: string }) => reject(new Error(message)),
      };
      const config = { responseModalities: [Modality.TEXT] };
      genai.live.connect({ model, config, callbacks }).then(resolve, reject);
    });
    const turn = async (): Promise<string> => {
      heard.length = 0;
      const over = new Promise<void>((resolve) => {
        wake = resolve;
      });
      session.sendClientContent({ turns: 'Is the gate open?' });
      await over;
      return heard.map(({ text }) => text ?? '').join('');
    };
    return { session, turn };
  });

test.each(['v1beta', 'v1alpha'])(
  'turns of a session by the %s of the Gemini client are entries of the log, charged by text and sound',
  async (apiVersion) => {
    const before = (await allLogs(admin, 2)).length;
    const { session, turn } = await openTalk(apiVersion);
    expect(await turn()).toBe('The gate is open.');
    expect(await turn()).toBe('The gate is open.');
    session.close();
    const rows = await eventually(async () => {
      const found = await allLogs(admin, 2);
      if (found.length < before + 2) throw new Error('the turns are not in the log yet');
      return found;
    });
    expect(rows).toHaveLength(before + 2);
    for (const row of rows) {
      expect(row).toMatchObject({ model_name: model, prompt_tokens: 100, completion_tokens: 50 });
      // Text 40 + 10 × 4, sound 60 × 6 + 40 × 6 × 4, all at ratio 0.25.
      expect(row.quota).toBe((40 + 40 + 360 + 960) / 4);
      expect(JSON.parse(row.other)).toMatchObject({ ws: true, audio_input: 60, audio_output: 40 });
    }
  },
);
