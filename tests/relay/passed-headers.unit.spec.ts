import { expect, test } from 'vitest';
import {
  anAccount,
  aToken,
  chatAnswer,
  chatBody,
  json,
  rawKey,
  usageOf,
} from '../support/relay/relay-harness.ts';
import { oneChannel } from '../support/relay/scene.ts';

const scene = oneChannel();

const own = {
  'user-agent': 'agent/1.2 (linux)',
  'x-session-id': 's-1',
  'openai-beta': 'assistants=v2',
  session_id: 'codex-1',
  cookie: 'secret=1',
  'x-forwarded-for': '203.0.113.9',
  'x-random': 'y',
  'openai-organization': 'org-of-the-caller',
};
const sentHeaders = () => scene.upstream.requests.at(-1)?.headers ?? {};

test("a caller's own headers are sent to a provider that uses his protocol", async () => {
  await scene.relay.send('/v1/chat/completions', chatBody(), own);
  expect(sentHeaders()).toMatchObject({
    'user-agent': 'agent/1.2 (linux)',
    'x-session-id': 's-1',
    'openai-beta': 'assistants=v2',
    session_id: 'codex-1',
    authorization: 'Bearer upstream-key-1',
  });
  for (const name of ['cookie', 'x-forwarded-for', 'x-random', 'openai-organization']) {
    expect(sentHeaders()).not.toHaveProperty(name);
  }
  await scene.put({ type: 14 });
  scene.answer = json({
    type: 'message',
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 },
  });
  const versions = { 'anthropic-version': '2024-01-01', 'anthropic-beta': 'a-1' };
  await scene.relay.send('/v1/messages', chatBody({ max_tokens: 9 }), { ...own, ...versions });
  expect(sentHeaders()).toMatchObject({ ...versions, 'user-agent': 'agent/1.2 (linux)' });
  expect(sentHeaders()).not.toHaveProperty('openai-beta');
});

test('and stay where the call is translated', async () => {
  await scene.relay.send('/v1/messages', chatBody({ max_tokens: 9 }), {
    ...own,
    'idempotency-key': 'once',
    'anthropic-beta': 'a-1',
  });
  for (const name of ['user-agent', 'x-session-id', 'idempotency-key', 'anthropic-beta']) {
    expect(sentHeaders()).not.toHaveProperty(name);
  }
});

test('an idempotency key is the same for each call of one user, and another for every other', async () => {
  const other = 'q'.repeat(48);
  await scene.relay.put.account(anAccount({ userId: 8 }));
  await scene.relay.put.token(other, aToken({ tokenId: 6, userId: 8 }));
  for (const key of [rawKey, rawKey, other]) {
    await scene.relay.send('/v1/chat/completions', chatBody(), {
      authorization: `Bearer sk-${key}`,
      'idempotency-key': 'once',
    });
  }
  const keys = scene.upstream.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).toMatch(/^[0-9a-f]{64}$/);
  expect(keys[2]).not.toBe(keys[0]);
});

test('a value that no header may hold stays behind', async () => {
  await scene.relay.send('/v1/chat/completions', chatBody(), {
    'user-agent': 'caf\u00e9',
    'x-session-id': 'x'.repeat(5_000),
  });
  expect(sentHeaders()).not.toHaveProperty('x-session-id');
  expect(sentHeaders()['user-agent']).toBeUndefined();
});

test("limits and ids of the provider are not given as ours; ours is named as the protocol's is", async () => {
  const body = JSON.stringify(chatAnswer(usageOf(1, 1)));
  scene.answer = (_req, res) => {
    res.writeHead(200, {
      'content-type': 'application/json',
      'x-ratelimit-remaining-requests': '9',
      'anthropic-ratelimit-tokens-remaining': '9',
      'retry-after': '9',
      'x-request-id': 'req_of_the_provider',
      'request-id': 'req_of_the_provider',
      'openai-organization': 'org-of-the-operator',
    });
    res.end(body);
  };
  const openai = await scene.relay.send('/v1/chat/completions', chatBody());
  const claude = await scene.relay.send('/v1/messages', chatBody({ max_tokens: 9 }));
  const counted = await scene.relay.send('/v1/messages/count_tokens', chatBody());
  expect(counted.status).toBe(200);
  expect(counted.headers['request-id']).toBe(counted.headers['x-request-id']);
  const refused = await scene.relay.send('/v1/messages', '{"model":"none"}');
  for (const { headers } of [openai, claude, refused]) {
    expect(headers['x-request-id']).toMatch(/^\d{14}/);
    const text = JSON.stringify(headers);
    expect(text).not.toMatch(/ratelimit|of_the_provider|org-of|retry-after/);
  }
  expect(claude.headers['request-id']).toBe(claude.headers['x-request-id']);
  expect(refused.headers['request-id']).toBe(refused.headers['x-request-id']);
  expect(openai.headers['request-id']).toBeUndefined();
});
