import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BatchHarness,
  chatLine,
  startBatchHarness,
} from '../../../tests/support/relay/batch-harness.ts';
import {
  aChannel,
  startUpstream,
  type UpstreamSpy,
} from '../../../tests/support/relay/relay-harness.ts';
import { usedBy } from '../../../tests/support/stub-provider/batches.ts';

const root = '/compatible-mode';
let relay: BatchHarness;
let alibaba: UpstreamSpy;
beforeAll(async () => {
  relay = await startBatchHarness();
  alibaba = await startUpstream((req, res, body) => {
    const { method = 'GET', url = '/', headers } = req;
    // A path of another provider is no path of its API.
    const own = url.startsWith(root) ? url.slice(root.length) : '/elsewhere';
    void relay.stub.serve(res, { method, url: own, headers, body });
  });
  const baseUrl = alibaba.url;
  await relay.put.channel(aChannel(3, { type: 17, models: ['qwen-plus'], baseUrl }));
  await relay.put.channel(
    aChannel(4, { type: 3, models: ['gpt-4.1', 'gpt-4o'], baseUrl, priority: 9 }),
  );
  await relay.put.option('ModelRatio', '{"qwen-plus":0.4,"gpt-4.1":1,"gpt-4o":1.25}');
});
afterAll(async () => {
  await relay.close();
  alibaba.close();
});

test('a batch on a channel of Alibaba goes up, is settled, read and removed there', async () => {
  const line = chatLine('one', { model: 'qwen-plus' });
  const file = await relay.upload([line]);
  const { id } = await relay.order(file.id);
  const { task } = await relay.journal.used(1);
  expect(task?.facts).toMatchObject({ channelId: 3, model: 'qwen-plus', action: 'BATCH' });
  await relay.poll();
  await relay.poll();
  const { prompt } = usedBy(relay.stub.batches[0]?.requests[0]?.body);
  expect(relay.settled).toMatchObject([{ promptTokens: prompt, completionTokens: 7 }]);
  const done = await relay.client.batches.retrieve(id);
  const text = await (await relay.client.files.content(done.output_file_id ?? '')).text();
  expect(JSON.parse(text)).toMatchObject({ custom_id: 'one' });
  expect(await relay.client.files.delete(file.id)).toMatchObject({ deleted: true });
  expect([...new Set(alibaba.requests.map(({ path }) => path.split('/')[1]))]).toEqual([
    'compatible-mode',
  ]);
  expect(relay.upstream.requests).toEqual([]);
});

test('a model whose channels take no batches is refused for good, by name, and costs nothing', async () => {
  const before = alibaba.requests.length;
  const refused = relay.upload([chatLine('one', { model: 'gpt-4.1' })]);
  await expect(refused).rejects.toMatchObject({
    status: 400,
    code: 'batches_not_offered',
    param: 'model',
    message: expect.stringContaining('gpt-4.1'),
  });
  const params = { model: 'qwen-plus', max_tokens: 9, messages: [] };
  const messages = relay.claude.messages.batches.create({
    requests: [{ custom_id: 'one', params }],
  });
  await expect(messages).rejects.toMatchObject({ status: 400 });
  expect(alibaba.requests).toHaveLength(before);
});

test('a batch goes past a channel that takes none to one that does', async () => {
  const file = await relay.upload([chatLine('one', { model: 'gpt-4o' })]);
  await relay.order(file.id);
  const { task } = await relay.journal.used(relay.journal.outcomes.length - 1);
  expect(task?.facts.channelId).toBe(1);
});
