import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChannelCooling } from '../../domain/relay/messages.ts';
import {
  type Answer,
  aChannel,
  chatAnswer,
  chatBody,
  type Harness,
  json,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageOf,
} from '../../tests/support/relay/relay-harness.ts';
import { CoolDowns } from './cool-down.ts';

let relay: Harness;
let upstream: UpstreamSpy;
let first: Answer;
const good = json(chatAnswer(usageOf(1, 1)));
const busy: Answer = (_req, res) => {
  res.writeHead(429, { 'content-type': 'application/json', 'retry-after': '60' });
  res.end('{"error":{"message":"busy"}}');
};

beforeEach(async () => {
  relay = await startHarness();
  first = busy;
  upstream = await startUpstream((req, res, body) =>
    (req.headers.authorization?.endsWith('1') ? first : good)(req, res, body),
  );
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});
const put = (id: number, priority = 0) =>
  relay.put.channel(aChannel(id, { baseUrl: upstream.url, priority }));
const chat = () => relay.send('/v1/chat/completions', chatBody());

test('a channel in cool-down is passed over while another can serve', async () => {
  await put(1, 10);
  await put(2);
  expect((await chat()).status).toBe(429);
  for (let nth = 0; nth < 5; nth += 1) expect((await chat()).status).toBe(200);
  expect(upstream.requests).toHaveLength(6);
  expect((await relay.journal.used(5)).call).toMatchObject({ channelsTried: [2] });
});

test('a channel that cools down is reported with the time until when', async () => {
  const reported: ChannelCooling[] = [];
  await relay.bus.subscribe<ChannelCooling>('channel.cooling', (body) => reported.push(body));
  await put(1);
  const before = Date.now();
  await chat();
  await vi.waitFor(() => expect(reported.map(({ channelId }) => channelId)).toEqual([1]));
  expect(Date.parse(reported[0]?.until ?? '') - before).toBeGreaterThanOrEqual(59_000);
});

test('a single channel is called all the same', async () => {
  await put(1);
  expect((await chat()).status).toBe(429);
  first = good;
  expect((await chat()).status).toBe(200);
});

test('a single channel whose connection broke is called once more, with retries on', async () => {
  await put(1);
  first = (req) => {
    first = good;
    req.socket.destroy();
  };
  await relay.put.option('RetryTimes', '1');
  expect((await chat()).status).toBe(200);
  first = (req) => req.socket.destroy();
  expect((await chat()).status).toBe(500);
  expect(upstream.requests).toHaveLength(4);
});

test('the pause is applied up to ten minutes, and only of an overloaded provider', () => {
  let nowMs = 0;
  const reported: [number, number][] = [];
  const coolDowns = new CoolDowns(
    (channelId, seconds) => reported.push([channelId, seconds]),
    () => nowMs,
  );
  const channels = [1, 2].map((channelId) => ({ channelId })) as never;
  const tiers = [{ priority: 0, channels }];
  const note = (upstreamStatus: number, retryAfterSeconds: number): void =>
    coolDowns.note(1, {
      upstreamStatus,
      error: { status: upstreamStatus, message: '', type: '', code: null, retryAfterSeconds },
    });
  const ids = () =>
    coolDowns.available(tiers).flatMap((tier) => tier.channels.map(({ channelId }) => channelId));
  note(500, 60);
  expect(ids()).toEqual([1, 2]);
  note(503, 86_400);
  note(503, 86_400);
  expect(ids()).toEqual([2]);
  expect(reported).toEqual([[1, 600]]);
  nowMs = 599_999;
  expect(ids()).toEqual([2]);
  nowMs = 600_001;
  expect(ids()).toEqual([1, 2]);
});
