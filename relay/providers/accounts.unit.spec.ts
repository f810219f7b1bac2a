import { describe, expect, test } from 'vitest';
import { aTranslatingChannel, fakeIo } from '../../tests/support/vectors/context.ts';
import type { ChannelExample } from '../../tests/support/vectors/types.ts';
import { providerOf } from './registry.ts';

const accountOf = (type: number) => providerOf(type)?.account ?? {};

type Case = Readonly<{
  type: number;
  /** In order. */
  asks: readonly string[];
  answers: readonly unknown[];
  headers?: Readonly<Record<string, string>>;
  channel?: Partial<ChannelExample>;
  produced: unknown;
}>;

const bearer = { authorization: 'Bearer sk-test' };
const openAiList = { data: [{ id: 'm1' }, { id: 'm2' }] };
const ids = ['m1', 'm2'];
const plain = (type: number, address: string): Case => ({
  type,
  asks: [address],
  answers: [openAiList],
  headers: bearer,
  produced: ids,
});

const lists: readonly Case[] = [
  plain(1, 'https://api.openai.com/v1/models'),
  plain(17, 'https://dashscope.aliyuncs.com/compatible-mode/v1/models'),
  plain(20, 'https://openrouter.ai/api/v1/models'),
  plain(22, 'https://fastgpt.run/api/openapi/v1/models'),
  plain(25, 'https://api.moonshot.cn/v1/models'),
  plain(26, 'https://open.bigmodel.cn/api/paas/v4/models'),
  plain(31, 'https://api.lingyiwanwu.com/v1/models'),
  plain(40, 'https://api.siliconflow.cn/v1/models'),
  plain(42, 'https://api.mistral.ai/v1/models'),
  plain(43, 'https://api.deepseek.com/v1/models'),
  plain(45, 'https://ark.cn-beijing.volces.com/api/v3/models'),
  plain(48, 'https://api.x.ai/v1/models'),
  {
    ...plain(46, 'https://qianfan.baidubce.com/v2/models'),
    channel: { key: 'sk-test|app' },
  },
  {
    ...plain(47, 'http://xin.example.com:9997/v1/models'),
    channel: { base_url: 'http://xin.example.com:9997/' },
  },
  {
    type: 3,
    asks: ['https://res.example.com/openai/models?api-version=2024-12-01-preview'],
    answers: [openAiList],
    headers: { 'api-key': 'sk-test' },
    channel: { base_url: 'https://res.example.com' },
    produced: ids,
  },
  {
    type: 4,
    asks: ['http://localhost:11434/api/tags'],
    answers: [{ models: [{ name: 'm1' }, { name: 'm2' }] }],
    produced: ids,
  },
  {
    type: 14,
    asks: [
      'https://api.anthropic.com/v1/models?limit=1000',
      'https://api.anthropic.com/v1/models?limit=1000&after_id=m1',
    ],
    answers: [
      { data: [{ id: 'm1' }], has_more: true, last_id: 'm1' },
      { data: [{ id: 'm2' }], has_more: false, last_id: 'm2' },
    ],
    headers: { 'x-api-key': 'sk-test', 'anthropic-version': '2023-06-01' },
    produced: ids,
  },
  {
    type: 24,
    asks: [
      'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000',
      'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000&pageToken=p2',
    ],
    answers: [
      {
        models: [
          { name: 'models/m1', supportedGenerationMethods: ['generateContent'] },
          { name: 'models/aqa', supportedGenerationMethods: ['generateAnswer'] },
        ],
        nextPageToken: 'p2',
      },
      { models: [{ name: 'models/m2', supportedGenerationMethods: ['embedContent'] }] },
    ],
    headers: { 'x-goog-api-key': 'sk-test' },
    produced: ids,
  },
  {
    type: 33,
    asks: ['https://bedrock.us-east-1.amazonaws.com/foundation-models'],
    answers: [{ modelSummaries: [{ modelId: 'm1' }, { modelId: 'm2' }] }],
    headers: { authorization: 'Bearer api-key' },
    channel: { key: 'api-key|us-east-1' },
    produced: ids,
  },
  {
    type: 34,
    asks: ['https://api.cohere.ai/v1/models?page_size=1000'],
    answers: [{ models: [{ name: 'm1' }, { name: 'm2' }] }],
    headers: bearer,
    produced: ids,
  },
  {
    type: 39,
    asks: ['https://api.cloudflare.com/client/v4/accounts/acc/ai/models/search?per_page=1000'],
    answers: [{ result: [{ name: 'm1' }, { name: 'm2' }] }],
    headers: bearer,
    channel: { other: 'acc' },
    produced: ids,
  },
];

const balances: readonly Case[] = [
  {
    type: 1,
    asks: [
      'https://api.openai.com/v1/dashboard/billing/subscription',
      'https://api.openai.com/v1/dashboard/billing/usage?start_date=2023-11-01&end_date=2023-11-14',
    ],
    answers: [{ hard_limit_usd: 120, has_payment_method: true }, { total_usage: 1_234.5 }],
    headers: bearer,
    produced: { amount: '107.655', unit: 'USD' },
  },
  {
    type: 8,
    asks: [
      'https://llm.example.com/v1/dashboard/billing/subscription',
      'https://llm.example.com/v1/dashboard/billing/usage?start_date=2023-08-06&end_date=2023-11-14',
    ],
    answers: [{ hard_limit_usd: 1, has_payment_method: false }, { total_usage: 100 }],
    channel: { base_url: 'https://llm.example.com/run/{model}/chat' },
    produced: { amount: '0', unit: 'USD' },
  },
  {
    type: 20,
    asks: ['https://openrouter.ai/api/v1/credits'],
    answers: [{ data: { total_credits: 10.3, total_usage: 10.1 } }],
    produced: { amount: '0.2', unit: 'USD' },
  },
  {
    type: 25,
    asks: ['https://api.moonshot.cn/v1/users/me/balance'],
    answers: [{ data: { available_balance: 49.58894 } }],
    produced: { amount: '49.58894', unit: 'CNY' },
  },
  {
    type: 40,
    asks: ['https://own.example.com/v1/user/info'],
    answers: [{ code: 20_000, data: { totalBalance: '88.00' } }],
    channel: { base_url: 'https://own.example.com' },
    produced: { amount: '88', unit: 'CNY' },
  },
  {
    type: 43,
    asks: ['https://api.deepseek.com/user/balance'],
    answers: [
      {
        balance_infos: [
          { currency: 'USD', total_balance: '1.00' },
          { currency: 'CNY', total_balance: '110.00' },
        ],
      },
    ],
    produced: { amount: '110', unit: 'CNY' },
  },
  {
    type: 43,
    asks: ['https://api.deepseek.com/user/balance'],
    answers: [{ balance_infos: [{ currency: 'USD', total_balance: '1.50' }] }],
    produced: { amount: '1.5', unit: 'USD' },
  },
];

const play = async (kind: 'models' | 'balance', example: Case): Promise<void> => {
  const io = fakeIo({ exchanges: example.answers.map((response) => ({ request: {}, response })) });
  const channel = aTranslatingChannel({ type: example.type, key: 'sk-test', ...example.channel });
  expect(await accountOf(example.type)[kind]?.(channel, io)).toEqual(example.produced);
  expect(io.sent.map(({ url }) => url)).toEqual(example.asks);
  for (const { headers } of io.sent) expect(headers).toMatchObject(example.headers ?? {});
};

describe('what a provider reports of an account', () => {
  test.each(lists.map((example) => [example.type, example] as const))(
    'type %i lists its models',
    (_type, example) => play('models', example),
  );

  test.each(balances.map((example) => [example.type, example] as const))(
    'type %i reports its balance',
    (_type, example) => play('balance', example),
  );

  test.each([2, 5, 11, 15, 16, 18, 21, 23, 27, 35, 36, 37, 38, 41, 44, 49])(
    'type %i has no list of models and no balance',
    (type) => {
      expect(accountOf(type)).toEqual({});
    },
  );

  test('a balance that is no number is an error', async () => {
    const io = fakeIo({ exchanges: [{ request: {}, response: { data: { totalBalance: 'x' } } }] });
    const produced = await accountOf(40).balance?.(aTranslatingChannel({ type: 40 }), io);
    expect(produced).toMatchObject({ status: 502, code: 'bad_response_body' });
  });

  test('an answer that is no list of models is an error', async () => {
    const io = fakeIo({ exchanges: [{ request: {}, response: { html: '<html>' } }] });
    const produced = await accountOf(1).models?.(aTranslatingChannel({ type: 1 }), io);
    expect(produced).toMatchObject({ status: 502, code: 'bad_response_body' });
  });

  test('a request for models in a region is signed as a GET', async () => {
    const io = fakeIo({ exchanges: [{ request: {}, response: { modelSummaries: [] } }] });
    const channel = aTranslatingChannel({ type: 33, key: 'ak|sk|eu-west-1' });
    expect(await accountOf(33).models?.(channel, io)).toEqual([]);
    expect(io.sent[0]?.headers.authorization).toContain(
      'Credential=ak/20231114/eu-west-1/bedrock/aws4_request',
    );
  });
});
