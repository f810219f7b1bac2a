import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  aChannel,
  aToken,
  rawKey,
  startUpstream,
} from '../../tests/support/relay/relay-harness.ts';
import {
  parsed,
  startTaskHarness,
  type TaskHarness,
} from '../../tests/support/relay/task-harness.ts';

let relay: TaskHarness;
beforeEach(async () => {
  relay = await startTaskHarness();
});
afterEach(() => relay.close());

const calls = [
  ['a drawing', '/mj/submit/imagine', { prompt: 'a gate' }, { code: 30 }],
  [
    'a song',
    '/suno/submit/music',
    { gpt_description_prompt: 'gates' },
    { code: 'rate_limit_exceeded', data: null },
  ],
] as const;

test.each(calls)('%s counts against the limits of its caller', async (_name, path, body, shape) => {
  await relay.put.token(rawKey, aToken({ limits: { requestsPerMinute: 1 } }));
  const ask = () => relay.send(path, JSON.stringify(body));
  expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(parsed(refused.text)).toMatchObject(shape);
  expect(relay.upstream.requests).toHaveLength(1);
  expect(relay.journal.outcomes).toHaveLength(1);
});

test.each(calls)('%s is a call at a time until it is taken', async (_name, path, body) => {
  await relay.put.token(rawKey, aToken({ limits: { concurrentRequests: 1 } }));
  const ask = () => relay.send(path, JSON.stringify(body));
  const together = await Promise.all([ask(), ask()]);
  expect(together.map(({ status }) => status).sort()).toEqual([200, 429]);
  expect((await ask()).status).toBe(200);
});

test('what there is no quota for counts against no limit', async () => {
  await relay.put.token(rawKey, aToken({ limits: { requestsPerMinute: 1 } }));
  const ask = () => relay.send('/mj/submit/imagine', JSON.stringify({ prompt: 'a gate' }));
  relay.leases.funds = 0;
  expect((await ask()).status).toBe(400);
  relay.leases.funds = 1_000_000;
  expect((await ask()).status).toBe(200);
});

test.each(calls)(
  '%s is served later where its quota cannot be reserved now',
  async (_name, path, body) => {
    relay.leases.funds = 0;
    relay.leases.refusal = 'usage-pending';
    const { status, text } = await relay.send(path, JSON.stringify(body));
    expect([status, text]).toEqual([503, expect.stringContaining('quota_unavailable')]);
    expect(relay.journal.outcomes).toEqual([]);
  },
);

test('a channel of drawings that asks for a pause is not called again', async () => {
  const busy = await startUpstream((_req, res) => {
    res.writeHead(429, { 'content-type': 'application/json', 'retry-after': '60' });
    res.end('{"description":"busy"}');
  });
  const models = ['mj_imagine'];
  const settings = { type: 5, models, priority: 9, baseUrl: busy.url };
  await relay.put.channel(aChannel(9, settings));
  const statuses: number[] = [];
  for (let at = 0; at < 4; at += 1) {
    statuses.push((await relay.send('/mj/submit/imagine', '{"prompt":"a gate"}')).status);
  }
  expect([busy.requests.length, statuses]).toEqual([1, [400, 200, 200, 200]]);
  busy.close();
});
