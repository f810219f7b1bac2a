import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BillingCall, billingCalls } from '../support/billing-calls.ts';
import { billingGroups, billingOptions } from '../support/billing-cases.ts';
import { f, rounded, times } from '../support/fractions.ts';
import {
  type Answer,
  aChannel,
  aToken,
  type Harness,
  startHarness,
  startUpstream,
  type UpstreamSpy,
} from '../support/relay/relay-harness.ts';

const groups = ['default', 'vip', 'svip'] as const;
type Group = (typeof groups)[number];
const keys = { limited: 'l', unlimited: 'u' } as const;
type KeyKind = keyof typeof keys;

const keyOf = (group: Group, kind: KeyKind): string => `${keys[kind]}${group[0]}`.padEnd(48, 'x');

const rows = billingCalls.flatMap((call) =>
  groups.flatMap((group) =>
    (Object.keys(keys) as KeyKind[]).map((key) => ({ kind: call.kind, call, group, key })),
  ),
);

const encoded = async (body: object | FormData): Promise<readonly [Buffer, string]> => {
  if (!(body instanceof FormData)) return [Buffer.from(JSON.stringify(body)), 'application/json'];
  const whole = new Response(body);
  const type = whole.headers.get('content-type') ?? '';
  return [Buffer.from(await whole.arrayBuffer()), type];
};

const claudeModel = 'claude-3-5-sonnet-20241022';

describe('what a call through the relay costs', () => {
  let relay: Harness;
  let upstream: UpstreamSpy;
  let answer: Answer = () => {};
  let sent = 0;

  beforeAll(async () => {
    upstream = await startUpstream((...all) => answer(...all));
    relay = await startHarness();
    const models = [...new Set(billingCalls.map(({ model }) => model))];
    const shared = { baseUrl: upstream.url, groups: [...groups] };
    const ofOpenAi = models.filter((model) => model !== claudeModel);
    await relay.put.channel(aChannel(1, { ...shared, models: ofOpenAi }));
    await relay.put.channel(aChannel(2, { ...shared, type: 14, models: [claudeModel] }));
    for (const [key, value] of billingOptions) await relay.put.option(key, value);
    await relay.put.option('UserUsableGroups', '{"default":"","vip":"","svip":""}');
    for (const group of groups) {
      await relay.put.token(keyOf(group, 'limited'), aToken({ group }));
      await relay.put.token(
        keyOf(group, 'unlimited'),
        aToken({ tokenId: 6, group, unlimitedQuota: true }),
      );
    }
  });
  afterAll(async () => {
    await relay.close();
    upstream.close();
  });

  const charged = async (call: BillingCall, key: string): Promise<number | undefined> => {
    answer = call.answer;
    const [body, type] = await encoded(call.body);
    const headers = { authorization: `Bearer sk-${key}`, 'content-type': type };
    const reply = await relay.send(call.path, body, headers);
    expect([reply.status, reply.broken]).toEqual([200, false]);
    await relay.journal.used(sent);
    const { amount } = relay.leases.settled[sent] ?? {};
    sent += 1;
    return amount;
  };

  test.each(rows)(
    '$kind, in group $group, with a key that is $key',
    async ({ call, group, key }) => {
      const due = times(call.due, f(billingGroups[group]));
      expect(await charged(call, keyOf(group, key))).toBe(rounded(due));
    },
  );
});
