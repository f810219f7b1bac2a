import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  aChannel,
  type Harness,
  json,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageOf,
} from '../../tests/support/relay/relay-harness.ts';

let relay: Harness;
let upstream: UpstreamSpy;
const model = 'text-embedding-3-small';
const anthropic = 14;

beforeEach(async () => {
  relay = await startHarness();
  const data = [{ object: 'embedding', index: 0, embedding: [1] }];
  upstream = await startUpstream(json({ object: 'list', data, usage: usageOf(1, 0) }));
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});
const put = (id: number, type: number, priority = 0) =>
  relay.put.channel(aChannel(id, { baseUrl: upstream.url, type, priority }));
const embed = () => relay.send('/v1/embeddings', JSON.stringify({ model, input: 'Hello' }));

test('a call is sent to a channel whose provider offers it, whatever its place', async () => {
  for (const id of [1, 2, 3]) await put(id, anthropic, 10);
  await put(4, anthropic);
  await put(5, 1);
  for (let nth = 0; nth < 20; nth += 1) {
    expect((await embed()).status).toBe(200);
    expect((await relay.journal.used(nth)).call).toMatchObject({
      channelId: 5,
      channelsTried: [5],
    });
  }
});

test('attempts are not spent on channels that cannot answer', async () => {
  await put(1, 1, 10);
  for (const id of [2, 3, 4]) await put(id, anthropic, 5);
  await relay.put.option('RetryTimes', '1');
  upstream.close();
  const answers = [
    json({ error: { message: 'x' } }, 500),
    json({ data: [], usage: usageOf(1, 0) }),
  ];
  upstream = await startUpstream((...asked) => answers.shift()?.(...asked));
  await put(1, 1, 10);
  await put(5, 1);
  expect((await embed()).status).toBe(200);
  expect((await relay.journal.used()).call).toMatchObject({ channelsTried: [1, 5] });
});

test('where no channel can, the caller gets an error that states it', async () => {
  await put(1, anthropic);
  const reply = await embed();
  expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([400, 'invalid_api_type']);
});
