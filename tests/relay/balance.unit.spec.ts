import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  aChannel,
  chatAnswer,
  chatBody,
  chunkEvent,
  type Harness,
  json,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageOf,
} from '../support/relay/relay-harness.ts';

let relay: Harness;
let upstream: UpstreamSpy;
let answer: Answer;
const stream = chatBody({ stream: true });

beforeEach(async () => {
  relay = await startHarness();
  upstream = await startUpstream((req, res, body) => answer(req, res, body));
  await relay.put.channel(aChannel(1, { baseUrl: upstream.url }));
});
afterEach(async () => {
  upstream.close();
  await relay.close();
  expect(relay.journal.outcomes.length).toBe(relay.journal.startedEntries.length);
  expect(relay.leases.open).toBe(0);
});

describe('the balance', () => {
  test('that does not cover the estimate: refused with 429, nothing started', async () => {
    relay.leases.funds = 10;
    const reply = await relay.send('/v1/chat/completions', chatBody());
    expect(reply.status).toBe(429);
    expect(JSON.parse(reply.text).error.code).toBe('insufficient_quota');
    expect(relay.journal.startedEntries).toEqual([]);
  });

  test('that the keeper cannot decide: 503, retry', async () => {
    relay.leases.funds = 0;
    relay.leases.refusal = 'keeper-unavailable';
    const reply = await relay.send('/v1/chat/completions', chatBody());
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toBe('1');
  });

  test('that a cold lease funds after a question: served', async () => {
    relay.leases.cold = true;
    answer = json(chatAnswer(usageOf(1, 1)));
    expect((await relay.send('/v1/chat/completions', chatBody())).status).toBe(200);
    await relay.journal.used();
  });

  test('that runs out while a stream outgrows its estimate: the stream ends with a notice', async () => {
    let stopped = false;
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      const say = (): void => {
        if (!stopped) res.write(chunkEvent('word '), () => setTimeout(say, 0));
      };
      res.on('close', () => {
        stopped = true;
      });
      say();
    };
    await relay.put.option('PreConsumedQuota', '20');
    relay.leases.funds = 40;
    const reply = await relay.send('/v1/chat/completions', stream);
    const events = reply.text.trim().split('\n\n');
    expect(JSON.parse(events.at(-2)?.slice(6) ?? '')).toMatchObject({
      choices: [{ finish_reason: 'length' }],
      notice: { code: 'insufficient_quota' },
    });
    expect(events.at(-1)).toBe('data: [DONE]');
    const used = await relay.journal.used();
    expect(used).toMatchObject({ end: 'cut-off', usageSource: 'counted' });
    expect(used.usage.completionTokens).toBeGreaterThan(15);
  });
});
