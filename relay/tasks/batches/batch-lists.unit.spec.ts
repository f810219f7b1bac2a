import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BatchHarness,
  chatLine,
  startBatchHarness,
} from '../../../tests/support/relay/batch-harness.ts';
import { rawKey } from '../../../tests/support/relay/relay-harness.ts';

let relay: BatchHarness;
/** Newest first, of either API; they were submitted in turn. */
const [chats, messages]: [string[], string[]] = [[], []];
beforeAll(async () => {
  relay = await startBatchHarness();
  const file = await relay.upload([chatLine('one')]);
  const params = {
    model: 'claude-3-5-sonnet-20241022',
    max_tokens: 9,
    messages: [{ role: 'user' as const, content: 'Hello' }],
  };
  for (let at = 0; at < 4; at += 1) {
    chats.unshift((await relay.order(file.id)).id);
    const requests = [{ custom_id: 'one', params }];
    messages.unshift((await relay.claude.messages.batches.create({ requests })).id);
  }
});
afterAll(() => relay.close());

const idsOf = (page: Readonly<{ data: readonly Readonly<{ id: string }>[] }>): string[] =>
  page.data.map(({ id }) => id);

test('the list of each API is read to its end, one batch a page', async () => {
  const seen: string[] = [];
  for await (const { id } of relay.client.batches.list({ limit: 1 })) seen.push(id);
  expect(seen).toEqual(chats);
  seen.splice(0);
  for await (const { id } of relay.claude.messages.batches.list({ limit: 1 })) seen.push(id);
  expect(seen).toEqual(messages);
});

test('a page of either API is full while there are more', async () => {
  const first = await relay.client.batches.list({ limit: 3 });
  expect([idsOf(first), first.has_more]).toEqual([chats.slice(0, 3), true]);
  const own = await relay.claude.messages.batches.list({ limit: 3 });
  expect([idsOf(own), own.has_more]).toEqual([messages.slice(0, 3), true]);
  expect([own.first_id, own.last_id]).toEqual([messages[0], messages[2]]);
});

test("Anthropic's list is read forwards and back again by its own client", async () => {
  const { batches } = relay.claude.messages;
  const after_id = messages[1] ?? '';
  const behind = await batches.list({ limit: 9, after_id });
  expect([idsOf(behind), behind.has_more]).toEqual([messages.slice(2), false]);
  const before = await batches.list({ limit: 2, before_id: messages[3] ?? '' });
  expect([idsOf(before), before.has_more]).toEqual([messages.slice(1, 3), true]);
  const first = await before.getNextPage();
  expect([idsOf(first), first.has_more]).toEqual([messages.slice(0, 1), false]);
  expect(first.hasNextPage()).toBe(false);
});

test('a page before and behind a batch at once is refused, in the shape of the API', async () => {
  const query = `?before_id=${messages[3]}&after_id=${messages[0]}`;
  const { status, text } = await relay.get(`/v1/messages/batches${query}`, {
    authorization: `Bearer sk-${rawKey}`,
  });
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({
    type: 'error',
    error: { type: 'invalid_request_error', message: expect.stringContaining('before_id') },
  });
});
