import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serveRefusals } from '../../command-api/refusals/record-refusals.ts';
import type { CallsRefused, Refusal } from '../../domain/relay/refusals.ts';
import { createMemoryEventStore, type MemoryEventStore } from '../support/memory-event-store.ts';
import {
  aChannel,
  anAccount,
  chatBody,
  type Harness,
  json,
  startHarness,
  startUpstream,
  type UpstreamSpy,
} from '../support/relay/relay-harness.ts';

/** Refused calls on their way into the log: a relay, the bus, and control's recording of them. */

let relay: Harness;
let upstream: UpstreamSpy;
let log: MemoryEventStore;

beforeEach(async () => {
  relay = await startHarness({ tickMs: 2 });
  log = createMemoryEventStore();
  await serveRefusals({ bus: relay.bus, eventStore: log, clock: () => new Date() });
  upstream = await startUpstream(json({ error: { message: 'no', code: 'invalid_value' } }, 400));
  await relay.put.channel(aChannel(1, { baseUrl: upstream.url }));
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});

const recorded = (): readonly Refusal[] =>
  log.all.flatMap(({ event }) => (event as CallsRefused).data.refusals);
const sums = (): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { reason, userId, tokenId, model, count } of recorded()) {
    const kind = [reason, userId, tokenId, model].join(' ');
    counts[kind] = (counts[kind] ?? 0) + count;
  }
  return counts;
};
const idOf = ({ headers }: Awaited<ReturnType<Harness['send']>>): string =>
  String(headers['x-request-id']);

test('an unknown key, an unknown model and an unknown path are recorded with their request ids', async () => {
  const unknown = { authorization: `Bearer sk-${'x'.repeat(48)}` };
  const first = await relay.send('/v1/chat/completions', chatBody(), unknown);
  const last = await relay.send('/v1/embeddings', '{"model":"a"}', unknown);
  await relay.send('/v1/chat/completions', chatBody({ model: 'gpt-none' }));
  await relay.get('/v1/nothing-here');
  await vi.waitFor(() =>
    expect(sums()).toEqual({
      'invalid_api_key 0 0 ': 2,
      'model_not_found 7 5 gpt-none': 1,
      'unknown_path 0 0 ': 1,
    }),
  );
  const ids = recorded().filter(({ reason }) => reason === 'invalid_api_key');
  expect(ids[0]?.firstRequestId).toBe(idOf(first));
  expect(ids.at(-1)?.lastRequestId).toBe(idOf(last));
});

test('a call that its provider refuses is no refusal of the gateway', async () => {
  const reply = await relay.send('/v1/chat/completions', chatBody());
  expect(reply.status).toBe(400);
  expect(upstream.requests).toHaveLength(1);
  await relay.get('/v1/nothing-here');
  await vi.waitFor(() => expect(sums()).toEqual({ 'unknown_path 0 0 ': 1 }));
});

test('a banned owner and a call within a conversation are named as what they are', async () => {
  const conversation = JSON.parse((await relay.send('/v1/conversations', '{}')).text);
  const body = { model: 'gpt-none', input: 'Hello', conversation: conversation.id };
  const inner = await relay.send('/v1/responses', JSON.stringify(body));
  expect(inner.status).toBe(404);
  await relay.put.account(anAccount({ status: 2 }));
  await relay.send('/v1/chat/completions', chatBody());
  await vi.waitFor(() =>
    expect(sums()).toEqual({
      'model_not_found 7 5 gpt-none': 1,
      'account_deactivated 7 5 ': 1,
    }),
  );
});

test('a relay that stops sends what it has counted', async () => {
  await relay.close();
  relay = await startHarness();
  log = createMemoryEventStore();
  await serveRefusals({ bus: relay.bus, eventStore: log, clock: () => new Date() });
  await relay.get('/v1/nothing-here');
  await vi.waitFor(() => relay.relay.ready());
  await relay.relay.stop();
  expect(sums()).toEqual({ 'unknown_path 0 0 ': 1 });
});
