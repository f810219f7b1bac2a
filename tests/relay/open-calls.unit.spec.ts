import { describe, expect, test } from 'vitest';
import { aChannel, chatAnswer, json, usageOf } from '../support/relay/relay-harness.ts';
import { sceneWithOutcomes } from '../support/relay/scene.ts';

const scene = sceneWithOutcomes({ tickMs: 10 });
const models = ['gpt-4o', 'o3-mini'];

const user = (content: unknown) => [{ role: 'user', content }];
const text = { type: 'text', text: 'x' };
const limited = { model: 'gpt-4o', max_tokens: 10 };

/** Calls that name their input, or whose output nothing bounds. */
const open: readonly (readonly [string, string, object])[] = [
  [
    'a file',
    '/v1/chat/completions',
    { ...limited, messages: user([{ type: 'file', file: { file_id: 'file-abc' } }, text]) },
  ],
  [
    'pictures by address',
    '/v1/chat/completions',
    {
      ...limited,
      messages: user([
        ...Array.from({ length: 30 }, (_, at) => ({
          type: 'image_url',
          image_url: { url: `https://pictures.example/${at}.png`, detail: 'high' },
        })),
        text,
      ]),
    },
  ],
  [
    'a video by address',
    '/v1/chat/completions',
    {
      ...limited,
      messages: user([{ type: 'video_url', video_url: { url: 'https://v.example/1' } }, text]),
    },
  ],
  [
    'items of the provider',
    '/v1/responses',
    {
      model: 'gpt-4o',
      max_output_tokens: 10,
      input: [{ type: 'item_reference', id: 'msg_1' }],
    },
  ],
  [
    'a thread',
    '/v1/messages',
    {
      ...limited,
      thread: { type: 'continue', id: 'thread_1' },
      messages: user('x'),
    },
  ],
  ['hidden thoughts', '/v1/chat/completions', { model: 'o3-mini', messages: user('x') }],
];

const put = () => scene.relay.put.channel(aChannel(1, { baseUrl: scene.upstream.url, models }));
const ask = (path: string, body: object) => scene.relay.send(path, JSON.stringify(body));
/** Units that were charged, of all calls. */
const charged = (): number =>
  scene.relay.leases.settled.reduce((sum, { amount }) => sum + amount, 0);

describe.each(open)('a call with %s', (_what, path, body) => {
  test('is refused below the floor, and its provider is not called', async () => {
    await put();
    scene.relay.leases.funds = 3_000;
    const replies = await Promise.all(Array.from({ length: 40 }, () => ask(path, body)));
    const statuses = new Set(replies.map(({ status }) => status));
    expect([...statuses]).toEqual([path === '/v1/messages' ? 402 : 429]);
    expect(scene.upstream.requests).toEqual([]);
  });

  test('runs alone with a floor of 0, and holds all that is free', async () => {
    await put();
    await scene.relay.put.option('open_calls.floor', '0');
    let running = 0;
    let most = 0;
    scene.answer = (_req, res) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        res.writeHead(200, { 'content-type': 'application/json' });
        res.end(JSON.stringify(chatAnswer(usageOf(100_000, 10))));
      }, 50);
    };
    scene.relay.leases.funds = 3_000;
    const replies = await Promise.all(Array.from({ length: 40 }, () => ask(path, body)));
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(most).toBe(1);
    expect(scene.relay.leases.funds).toBe(3_000 - charged());
  });
});

test('with enough quota every token that is reported is charged', async () => {
  await put();
  const [, path, body] = open[0] ?? ['', '', {}];
  scene.answer = json(chatAnswer(usageOf(120_000, 10)));
  expect((await ask(path, body)).status).toBe(200);
  expect((await scene.relay.journal.used()).usage).toMatchObject({
    promptTokens: 120_000,
    completionTokens: 10,
  });
});

test('the operator sets how much a call of a model may hold', async () => {
  await put();
  await scene.relay.put.option('open_calls.input_tokens', '{"gpt-4o":1000}');
  const [, path, body] = open[0] ?? ['', '', {}];
  scene.answer = json(chatAnswer(usageOf(900, 10)));
  scene.relay.leases.funds = 3_000;
  expect((await ask(path, body)).status).toBe(200);
});

test('a call that holds its whole input is served from a small balance', async () => {
  await put();
  scene.answer = json(chatAnswer(usageOf(10, 5)));
  scene.relay.leases.funds = 3_000;
  const reply = await ask('/v1/chat/completions', { ...limited, messages: user('hello') });
  expect(reply.status).toBe(200);
});

test('calls that hold their whole input reserve what they count, so that two run at once', async () => {
  await put();
  let running = 0;
  let most = 0;
  scene.answer = (_req, res) => {
    running += 1;
    most = Math.max(most, running);
    setTimeout(() => {
      running -= 1;
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify(chatAnswer(usageOf(400, 1))));
    }, 50);
  };
  // Each counts as about 515 units, and is estimated at about 1,600 by its bytes.
  scene.relay.leases.funds = 1_100;
  const body = { model: 'gpt-4o', max_tokens: 1, messages: user(' hello'.repeat(400)) };
  const replies = await Promise.all([1, 2].map(() => ask('/v1/chat/completions', body)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(most).toBe(2);
});
