import { toFile } from 'openai';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { price } from '../../../domain/pricing/price.ts';
import {
  type BatchHarness,
  chatLine,
  startBatchHarness,
} from '../../../tests/support/relay/batch-harness.ts';
import { aChannel, aToken, rawKey } from '../../../tests/support/relay/relay-harness.ts';
import { usedBy } from '../../../tests/support/stub-provider/batches.ts';

let relay: BatchHarness;
beforeAll(async () => {
  relay = await startBatchHarness();
});
afterAll(() => relay.close());
afterEach(async () => {
  relay.journal.outcomes.splice(0);
  relay.settled.splice(0);
  relay.stub.batches.splice(0);
  relay.stub.end.of = 'completed';
  relay.stub.lost.of = false;
  relay.stub.lines.of = (lines) => lines;
  relay.upstream.requests.splice(0);
  await relay.put.token(rawKey, aToken());
});

const failing = (work: Promise<unknown>) =>
  work.then(
    () => ({ status: 200, message: 'no error' }),
    (error: unknown) => error,
  );
const charged = () => {
  const used = relay.journal.outcomes.filter((own) => own.kind === 'used');
  return used.map(({ usage, quote }) => price(usage, quote));
};
const ended = async (fileId: string): Promise<string> => {
  const { id } = await relay.order(fileId);
  await relay.poll();
  await relay.poll();
  return id;
};

test('a file goes up with its limits, is ours by its id, and costs nothing', async () => {
  const file = await relay.upload([chatLine('one', { max_tokens: undefined }), chatLine('two')]);
  expect(file.id).toMatch(/^file-/);
  const [up] = [...relay.stub.files.values()].slice(-1);
  const [first, second] = (up?.toString('utf8') ?? '').trim().split('\n');
  expect(JSON.parse(first ?? '').body).toMatchObject({ max_completion_tokens: 8_192 });
  expect(JSON.parse(second ?? '').body).toMatchObject({ max_tokens: 100 });
  expect(charged()).toEqual([0]);
  expect(await relay.client.files.retrieve(file.id)).toEqual(file);
  expect(JSON.stringify(file)).not.toContain('file-up');
});

test('a batch is charged by its estimate at half the price, once, and reserved before', async () => {
  const line = chatLine('one');
  const file = await relay.upload([line, chatLine('two')]);
  const batch = await relay.order(file.id);
  expect(batch).toMatchObject({ status: 'validating', request_counts: { total: 2 } });
  const bytes = JSON.stringify(JSON.parse(line).body).length;
  const prompt = Math.ceil(bytes / 3);
  // 0.075 units for a prompt token, four times as much for one of answer, times 0.5.
  const due = Math.round((2 * prompt * 0.075 + 200 * 0.3) * 0.5);
  expect(charged()).toEqual([0, due]);
  expect(relay.leases.settled.at(-1)?.amount).toBe(due);
  expect(relay.leases.open).toBe(0);
  const { task } = await relay.journal.used(1);
  expect(task?.outcome).toMatchObject({ quota: due, quote: { batch: { ratio: '0.5' } } });
});

test('the ratio of a batch is that of its channel, else that of the site', async () => {
  await relay.put.option('BatchRatio', '0.25');
  const file = await relay.upload([chatLine('one')]);
  await relay.order(file.id);
  const setting = JSON.stringify({ batch_ratio: 0.8 });
  const own = { type: 1, models: ['gpt-4o'], baseUrl: relay.upstream.url, setting };
  await relay.put.channel(aChannel(3, { ...own, priority: 9 }));
  const other = await relay.upload([chatLine('one', { model: 'gpt-4o' })]);
  await relay.order(other.id);
  const quotes = relay.journal.outcomes.map((one) => (one.kind === 'used' ? one.quote : null));
  expect(quotes[1]?.batch).toEqual({ ratio: '0.25' });
  expect(quotes[3]?.batch).toEqual({ ratio: '0.8' });
  await relay.put.channel(aChannel(3, own, 2));
  await relay.put.option('BatchRatio', '0.5');
});

test('usage of its answers is reported the same, whatever polls coincide', async () => {
  const lines = [chatLine('one'), chatLine('two', { user: 'be refused' }), chatLine('three')];
  const file = await relay.upload(lines);
  const { id } = await relay.order(file.id);
  await relay.poll();
  await Promise.all([relay.poll(), relay.poll(), relay.poll()]);
  const bodies = relay.stub.batches[0]?.requests.map(({ body }) => usedBy(body).prompt) ?? [];
  const promptTokens = (bodies[0] ?? 0) + (bodies[2] ?? 0);
  const used = { promptTokens, completionTokens: 14, batchRequests: 2 };
  for (const report of relay.settled) expect(report).toMatchObject(used);
  const done = await relay.client.batches.retrieve(id);
  expect(done).toMatchObject({ status: 'completed', request_counts: { total: 3 } });
  const text = await (await relay.client.files.content(done.output_file_id ?? '')).text();
  expect(text.trim().split('\n')).toHaveLength(3);
});

test.each([
  ['says nothing of its use', (line: object) => ({ ...line, response: { status_code: 200 } })],
  ['is no JSON', () => '{"custom_id": "one", "resp'],
])('an answer that %s counts with its share of the estimate', async (_, broken) => {
  relay.stub.lines.of = ([first = {}, ...rest]) => [broken(first), ...rest];
  const file = await relay.upload([chatLine('one'), chatLine('two')]);
  await ended(file.id);
  const { usage } = await relay.journal.used(1);
  const [used] = relay.settled;
  expect(used).toMatchObject({
    batchRequests: 2,
    completionTokens: usage.completionTokens / 2 + 7,
  });
});

test('results that the provider no longer has leave the estimate as it was charged', async () => {
  const file = await relay.upload([chatLine('one')]);
  relay.stub.lost.of = true;
  const id = await ended(file.id);
  expect(relay.settled).toEqual([undefined]);
  const { status, output_file_id: output } = await relay.client.batches.retrieve(id);
  expect(status).toBe('completed');
  expect(await failing(relay.client.files.content(output ?? ''))).toMatchObject({ status: 404 });
});

test('an expired batch is settled by the answers that there are', async () => {
  relay.stub.end.of = 'expired';
  const file = await relay.upload([chatLine('one'), chatLine('two')]);
  const id = await ended(file.id);
  expect(relay.settled).toMatchObject([{ batchRequests: 1, completionTokens: 7 }]);
  expect((await relay.client.batches.retrieve(id)).status).toBe('expired');
});

test('files and batches of another user are not found, nor listed', async () => {
  const file = await relay.upload([chatLine('one')]);
  const id = await ended(file.id);
  const { output_file_id: output } = await relay.client.batches.retrieve(id);
  const { stranger } = relay;
  const missing = { status: 404 };
  expect(await failing(stranger.files.retrieve(file.id))).toMatchObject(missing);
  expect(await failing(stranger.files.content(file.id))).toMatchObject(missing);
  expect(await failing(stranger.files.content(output ?? ''))).toMatchObject(missing);
  expect(await failing(stranger.files.delete(file.id))).toMatchObject(missing);
  expect(await failing(stranger.batches.retrieve(id))).toMatchObject(missing);
  expect(await failing(stranger.batches.cancel(id))).toMatchObject(missing);
  expect(await failing(relay.order(file.id, stranger))).toMatchObject(missing);
  expect(await failing(relay.client.files.retrieve('file-up1'))).toMatchObject(missing);
  expect((await stranger.batches.list()).data).toEqual([]);
  expect((await stranger.files.list()).data).toEqual([]);
});

const wrong: readonly (readonly [string, readonly string[], string])[] = [
  ['another model', [chatLine('one'), chatLine('two', { model: 'gpt-4o' })], 'one model'],
  ['a line that is no JSON', [chatLine('one'), '{"custom_id'], 'Line 2'],
  ['a stream', [chatLine('one', { stream: true })], 'stream'],
  ['a conversation of others', [chatLine('one', { previous_response_id: 'r' })], 'previous'],
  ['a search', [chatLine('one', { tools: [{ type: 'web_search' }] })], 'tools'],
  ['a file of others', [chatLine('one', { messages: [{ file: { file_id: 'f' } }] })], 'file_id'],
  ['a negative limit', [chatLine('one', { max_tokens: -5 })], 'max_tokens'],
  ['an endpoint of its own', [chatLine('one', {}, { url: '/v1/images' })], 'url'],
  ['a line without end', [chatLine('one', { user: 'x'.repeat(1_100_000) })], 'longer than'],
  ['no line', ['', ''], 'no request'],
];

test.each(wrong)('a file with %s is refused by name and costs nothing', async (_, lines, word) => {
  const error = await failing(relay.upload(lines));
  expect(error).toMatchObject({ status: 400 });
  expect(String((error as Error).message)).toContain(word);
  expect(relay.journal.outcomes).toEqual([]);
});

test('a model that the token may not use is refused in any line, and at the order', async () => {
  const file = await relay.upload([chatLine('one')]);
  await relay.put.token(rawKey, aToken({ modelLimits: ['gpt-4o'] }));
  expect(await failing(relay.upload([chatLine('one')]))).toMatchObject({ status: 403 });
  expect(await failing(relay.order(file.id))).toMatchObject({ status: 403 });
});

test('a file above the limit, for another purpose or that is no form is refused', async () => {
  await relay.put.option('batches.max_file_mb', '1');
  const many = Array.from({ length: 1_200 }, (_, at) =>
    chatLine(`${at}`, { user: 'x'.repeat(1_000) }),
  );
  const error = await failing(relay.upload(many));
  expect(error).toMatchObject({ status: 413, code: 'file_too_large' });
  await relay.put.option('batches.max_file_mb', '100');
  const file = await toFile(Buffer.from(chatLine('one')), 'work.jsonl');
  const tune = relay.client.files.create({ file, purpose: 'fine-tune' });
  expect(await failing(tune)).toMatchObject({ status: 400, code: 'invalid_purpose' });
  const { status } = await relay.send('/v1/files', '{}');
  expect(status).toBe(400);
});

test('a batch without quota is refused, and the provider is not called', async () => {
  const file = await relay.upload([chatLine('one')]);
  const { funds } = relay.leases;
  relay.leases.funds = 1;
  expect(await failing(relay.order(file.id))).toMatchObject({ status: 429 });
  relay.leases.funds = funds;
  expect(relay.stub.batches).toEqual([]);
});

test('a message batch is charged, settled and read, and its limits are its own', async () => {
  const params = { model: 'claude-3-5-sonnet-20241022', max_tokens: 100 };
  const asked = (custom_id: string) => ({
    custom_id,
    params: { ...params, messages: [{ role: 'user' as const, content: 'Hello' }] },
  });
  const batch = await relay.claude.messages.batches.create({ requests: [asked('a'), asked('b')] });
  const { usage, quote } = await relay.journal.used(0);
  expect(usage).toMatchObject({ completionTokens: 200, batchRequests: 2 });
  expect(quote).toMatchObject({ batch: { ratio: '0.5' } });
  await relay.poll();
  await relay.poll();
  expect(relay.settled).toMatchObject([
    { completionTokens: 14, batchRequests: 2, cacheApart: true },
  ]);
  const results = await relay.claude.messages.batches.results(batch.id);
  const ids: string[] = [];
  for await (const { custom_id } of results) ids.push(custom_id);
  expect(ids).toEqual(['a', 'b']);
  expect(await relay.claude.messages.batches.delete(batch.id)).toMatchObject({ id: batch.id });
  const bad = { ...asked('a'), params: { ...asked('a').params, max_tokens: undefined } };
  const body = JSON.stringify({ requests: [bad] });
  const refused = await relay.send('/v1/messages/batches', body);
  expect([refused.status, refused.text.includes('max_tokens is required')]).toEqual([400, true]);
});
