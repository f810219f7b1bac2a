import OpenAI from 'openai';
import { afterEach, beforeEach } from 'vitest';
import {
  type Answer,
  aChannel,
  anAccount,
  aToken,
  type Harness,
  json,
  rawKey,
  startHarness,
  startUpstream,
  type UpstreamSpy,
} from './relay-harness.ts';

export const model = 'gpt-4o-mini';

export type ResponsesScene = {
  relay: Harness;
  upstream: UpstreamSpy;
  /** The provider's next answer. */
  answer: Answer;
  client: OpenAI;
  /** The one channel. */
  put: (type: number, more?: object) => Promise<void>;
  /** The library as another user has it. */
  stranger: () => Promise<OpenAI>;
  /** What went up last. */
  sent: () => ReturnType<typeof JSON.parse>;
};

const otherKey = 'j'.repeat(48);
const clientOf = (relay: Harness, key: string): OpenAI =>
  new OpenAI({ apiKey: `sk-${key}`, baseURL: `http://127.0.0.1:${relay.port}/v1`, maxRetries: 0 });

/** A relay with one channel, and the library of OpenAI as its caller. */
export const responsesScene = (): ResponsesScene => {
  const scene = {
    answer: json({}),
    put: (type, more = {}) =>
      scene.relay.put.channel(aChannel(1, { type, baseUrl: scene.upstream.url, ...more })),
    stranger: async () => {
      await scene.relay.put.account(anAccount({ userId: 8 }));
      await scene.relay.put.token(otherKey, aToken({ tokenId: 6, userId: 8 }));
      return clientOf(scene.relay, otherKey);
    },
    sent: () => JSON.parse(scene.upstream.requests.at(-1)?.body.toString() ?? ''),
  } as ResponsesScene;
  beforeEach(async () => {
    scene.relay = await startHarness();
    scene.upstream = await startUpstream((req, res, body) => scene.answer(req, res, body));
    scene.client = clientOf(scene.relay, rawKey);
  });
  afterEach(async () => {
    scene.upstream.close();
    await scene.relay.close();
  });
  return scene;
};

export const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
export const event = (value: { type: string } & Record<string, unknown>): string =>
  `event: ${value.type}\n${data(value)}`;

export const lookUp = {
  type: 'function' as const,
  name: 'look_up',
  description: 'finds a place',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: false,
};

/** What a conversation holds, as its owner is shown it. */
export const conversationReader = (scene: Pick<ResponsesScene, 'client'>) => {
  const itemsOf = async (id: string): Promise<readonly unknown[]> => {
    const page = await scene.client.conversations.items.list(id, { order: 'asc', limit: 100 });
    return page.data;
  };
  const textsOf = async (id: string): Promise<readonly unknown[]> =>
    (await itemsOf(id)).map((item) => {
      const { role, content } = item as { role: string; content: readonly { text: string }[] };
      return [role, content[0]?.text];
    });
  return { itemsOf, textsOf };
};
