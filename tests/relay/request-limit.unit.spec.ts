import { describe, expect, test } from 'vitest';
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

describe('the request limit', () => {
  const limit = async (total: number, success: number, groups: object = {}): Promise<void> => {
    await scene.relay.put.option('ModelRequestRateLimitCount', String(total));
    await scene.relay.put.option('ModelRequestRateLimitSuccessCount', String(success));
    await scene.relay.put.option('ModelRequestRateLimitDurationMinutes', '1000');
    await scene.relay.put.option('ModelRequestRateLimitGroup', JSON.stringify(groups));
    await scene.relay.put.option('ModelRequestRateLimitEnabled', 'true');
  };
  const statuses = async (count: number): Promise<readonly number[]> => {
    const all: number[] = [];
    for (let at = 0; at < count; at += 1) all.push((await scene.chat()).status);
    return all;
  };

  test('refuses beyond the total, over all keys of a user, and reports when to retry', async () => {
    await limit(3, 100);
    expect(await statuses(3)).toEqual([200, 200, 200]);
    await scene.relay.put.token('o'.repeat(48), aToken({ tokenId: 6 }));
    const reply = await scene.relay.send('/v1/chat/completions', chatBody(), {
      authorization: `Bearer ${'o'.repeat(48)}`,
    });
    expect(reply.status).toBe(429);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(reply.text).error.message).toContain('At most 3 requests in 1000 minutes');
    expect(scene.upstream.requests).toHaveLength(3);
    expect(scene.relay.journal.startedEntries).toHaveLength(3);
  });

  test('counts only what succeeded against the limit of successes', async () => {
    await limit(0, 2);
    scene.answer = json({ error: { message: 'no', type: 'invalid_request_error' } }, 400);
    expect(await statuses(4)).toEqual([400, 400, 400, 400]);
    scene.answer = json(chatAnswer(usageOf(1, 1)));
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  test('admits no more than it allows when many arrive at the same moment', async () => {
    await limit(0, 5);
    const replies = await Promise.all(Array.from({ length: 20 }, () => scene.chat()));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  test('follows the group of the key, and another user has his own count', async () => {
    await limit(1, 100, { vip: [2, 100] });
    await scene.relay.put.option('GroupRatio', '{"default":1,"vip":1}');
    await scene.relay.put.option('UserUsableGroups', '{"default":"","vip":""}');
    await scene.put({ groups: ['default', 'vip'] });
    await scene.relay.put.token(rawKey, aToken({ group: 'vip' }));
    expect(await statuses(3)).toEqual([200, 200, 429]);
    await scene.relay.put.account(anAccount({ userId: 8 }));
    await scene.relay.put.token('p'.repeat(48), aToken({ tokenId: 9, userId: 8 }));
    const other = () =>
      scene.relay.send('/v1/chat/completions', chatBody(), {
        authorization: `Bearer ${'p'.repeat(48)}`,
      });
    expect((await other()).status).toBe(200);
    expect((await other()).status).toBe(429);
  });

  test('leaves lists of models alone', async () => {
    await limit(1, 1);
    expect(await statuses(2)).toEqual([200, 429]);
    expect((await scene.relay.get('/v1/models')).status).toBe(200);
  });
});
