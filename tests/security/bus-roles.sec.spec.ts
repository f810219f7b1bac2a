import { nanos, headers as natsHeaders } from 'nats';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requestRateBuckets } from '../../domain/option/request-rate-buckets.ts';
import { responseBucket } from '../../domain/relay/response-bucket.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { roleFeeds as feeds, patience, roleClients } from '../support/cluster/role-clients.ts';
import { type RoleNats, startRoleNats } from '../support/cluster/role-nats.ts';
import { type ClusterSecrets, makeClusterSecrets } from '../support/cluster/secrets.ts';
import { findNatsServer } from '../support/nats-server.ts';

const available = await findNatsServer();
/** Each is about money: what a relay may spend, and what it may drop. */
const publishedByKeepers = ['lease.renewed', 'lease.recall', 'lease.inquiry', 'usage.settled'];

if (available.start === null) {
  test.skip(`roles on NATS (left out: ${available.reason})`, () => undefined);
} else {
  let secrets: ClusterSecrets;
  let nats: RoleNats;
  let commandApi: Bus;
  let projections: Bus;
  let relay: Bus;
  const { busOf, rawOf, publishAll, closeRaw } = roleClients(() => nats);

  beforeAll(async () => {
    secrets = makeClusterSecrets();
    nats = await startRoleNats(secrets);
    [commandApi, projections] = await Promise.all([busOf('command-api'), busOf('projections')]);
    relay = await busOf('relay-0');
    await projections.feed('tokens').put([{ key: 'k', position: 1n, value: { owner: 'alice' } }]);
  });
  afterAll(async () => {
    await closeRaw();
    for (const bus of [relay, projections, commandApi]) await bus?.close();
    await nats?.stop();
    secrets?.remove();
  });

  const heldToken = async () => (await projections.feed<unknown>('tokens').get('k'))?.value;

  describe('what a relay may do', () => {
    test('it reads every feed, at once and as it changes', async () => {
      const seen = new Map<string, unknown>();
      const watches = await Promise.all(
        feeds.map((name) =>
          relay.feed(name).watch((entries) => {
            for (const { key, value } of entries) seen.set(`${name}.${key}`, value);
          }),
        ),
      );
      await Promise.all(watches.map(({ ready }) => ready));
      expect(seen.get('tokens.k')).toEqual({ owner: 'alice' });
      await projections.feed('accounts').put([{ key: '7', position: 2n, value: { group: 'vip' } }]);
      await vi.waitFor(() => expect(seen.get('accounts.7')).toEqual({ group: 'vip' }), patience);
      expect((await relay.feed('tokens').get('k'))?.value).toEqual({ owner: 'alice' });
      for (const { stop } of watches) await stop();
    });

    test('it ships usage, requests leases, sends heartbeats and counts requests', async () => {
      const handled: unknown[] = [];
      const stop = await commandApi.queue<string>('usage').consume([3], async (items) => {
        handled.push(...items);
      });
      await relay.queue<string>('usage').publish(3, ['line']);
      await vi.waitFor(() => expect(handled).toEqual(['line']), patience);
      await stop();

      await commandApi.serve('keeper.lease', async (asked) => ({ asked }));
      expect(await relay.request('keeper.lease', { need: 5 })).toEqual({ asked: { need: 5 } });
      const beats: unknown[] = [];
      await commandApi.subscribe('relay.alive', (said) => void beats.push(said));
      relay.publish('relay.alive', { relayId: 'r' });
      await vi.waitFor(() => expect(beats).toEqual([{ relayId: 'r' }]), patience);
      const recalled: unknown[] = [];
      await commandApi.subscribe('lease.recalled', (said) => void recalled.push(said));
      relay.publish('lease.recalled', { relayId: 'r' });
      await vi.waitFor(() => expect(recalled).toEqual([{ relayId: 'r' }]), patience);
      const cooling: unknown[] = [];
      await projections.subscribe('channel.cooling', (said) => void cooling.push(said));
      relay.publish('channel.cooling', { channelId: 1 });
      await vi.waitFor(() => expect(cooling).toEqual([{ channelId: 1 }]), patience);
      for (const { bucket, ttlSeconds } of requestRateBuckets) {
        const counters = relay.keyValue(bucket, { ttlSeconds });
        expect(await counters.increment('7.all.1', 1)).toBe(1);
        expect(await counters.get('7.all.1')).toBe(1);
      }
      const { bucket, ttlSeconds } = responseBucket;
      const kept = relay.keyValue(bucket, { ttlSeconds });
      await kept.put('resp_1', { sealed: 'x' });
      expect(await kept.get('resp_1')).toEqual({ sealed: 'x' });
      expect(await kept.remove('resp_1')).toBe(true);
    });

    test('it receives its leases and what is settled, as keepers do', async () => {
      const heard: unknown[] = [];
      for (const subject of publishedByKeepers) {
        for (const bus of [relay, commandApi]) {
          await bus.subscribe(subject, (said) => void heard.push(said));
        }
        commandApi.publish(subject, subject);
      }
      const twice = publishedByKeepers.flatMap((subject) => [subject, subject]);
      await vi.waitFor(() => expect(heard.toSorted()).toEqual(twice.toSorted()), patience);
    });

    test("it answers the control plane's requests to any relay, and the answer arrives", async () => {
      await relay.serve('relay.test-channel', async (channel) => ({ channel }));
      expect(await commandApi.request('relay.test-channel', 4)).toEqual({ channel: 4 });
    });
  });

  describe('what a relay may not do', () => {
    const forged = JSON.stringify({ position: '99', value: { owner: 'mallory' } });

    test('write a feed', async () => {
      const refused = await publishAll(
        feeds.map((name) => `$KV.tollgate-feed-${name}.k`),
        forged,
      );
      expect(new Set(refused)).toEqual(new Set(['PERMISSIONS_VIOLATION']));
      expect(await heldToken()).toEqual({ owner: 'alice' });
      await expect(
        relay.feed('tokens').put([{ key: 'k', position: 9n, value: { owner: 'mallory' } }]),
      ).rejects.toThrow();
      expect(await heldToken()).toEqual({ owner: 'alice' });
    });

    test('write a feed by a consumer that delivers into it', async () => {
      const raw = await rawOf('relay-0');
      const delivery = { ack_policy: 'none', deliver_policy: 'all' };
      const forging = { name: 'x', deliver_subject: '$KV.tollgate-feed-tokens.forged' };
      const config = { ...forging, ...delivery, inactive_threshold: nanos(5_000) };
      const body = JSON.stringify({ stream_name: 'KV_tollgate-feed-accounts', config });
      await raw.request('$JS.API.CONSUMER.CREATE.KV_tollgate-feed-accounts.x', body);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(await projections.feed('tokens').get('forged')).toBeNull();
    });

    const api = [
      'STREAM.PURGE.KV_tollgate-feed-tokens',
      'STREAM.PURGE.tollgate-usage',
      'STREAM.DELETE.tollgate-usage',
      'STREAM.UPDATE.KV_tollgate-feed-tokens',
      'STREAM.MSG.DELETE.KV_tollgate-feed-tokens',
      'STREAM.CREATE.of-its-own',
      'STREAM.CREATE.KV_tollgate-feed-tokens',
      'STREAM.NAMES',
      'STREAM.LIST',
      'STREAM.INFO.tollgate-usage',
      'STREAM.MSG.GET.tollgate-usage',
      'STREAM.SNAPSHOT.tollgate-usage',
      'CONSUMER.CREATE.tollgate-usage',
      'CONSUMER.CREATE.tollgate-usage.spy',
      'CONSUMER.DURABLE.CREATE.tollgate-usage.spy',
      'CONSUMER.MSG.NEXT.tollgate-usage.partition-3',
      'CONSUMER.DELETE.tollgate-usage.partition-3',
      'CONSUMER.LIST.KV_tollgate-feed-tokens',
      'STREAM.MSG.GET.KV_tollgate-kv-one-time-codes',
      'STREAM.MSG.GET.KV_tollgate-kv-keeper-open-requests',
      'CONSUMER.CREATE.KV_tollgate-kv-login-states',
      'ACCOUNT.PURGE.TOLLGATE',
    ];
    test.each(api)('use JetStream for %s', async (call) => {
      const raw = await rawOf('relay-0');
      await expect(raw.request(`$JS.API.${call}`, '{}', { timeout: 5_000 })).rejects.toMatchObject({
        code: 'PERMISSIONS_VIOLATION',
      });
    });

    test('purge the usage queue by a record that requests it', async () => {
      const raw = await rawOf('relay-0');
      await relay.queue<string>('usage').publish(9, ['kept']);
      const headers = natsHeaders();
      headers.set('Nats-Rollup', 'all');
      const answer = await raw.request('tollgate-usage.9', '["forged"]', {
        headers,
        timeout: 5_000,
      });
      const { error } = answer.json<{ error?: { description: string } }>();
      expect(error?.description).toMatch(/rollup/);
      const handled: unknown[] = [];
      await commandApi.queue<string>('usage').consume([9], async (items) => {
        handled.push(...items);
      });
      await vi.waitFor(() => expect(handled).toEqual(['kept']), patience);
    });

    test.each([
      '>',
      'tollgate.>',
      'tollgate-usage.>',
      '$KV.>',
      '$JS.>',
      '_INBOX.>',
      '_INBOX.relay-1.>',
      '_INBOX.command-api.>',
      'tollgate.keeper.lease',
      'tollgate.keeper.>',
      'tollgate.keeper.alive',
      'tollgate.keeper.listening',
      'tollgate.lease.>',
      'tollgate.usage.>',
      'tollgate.relay.alive',
      'tollgate.relay.test-channel',
      'tollgate.task.report',
      'tollgate.calls.refused',
      'tollgate.task.find',
      'tollgate.projection.checkpoint',
    ])('listen to %s', async (subject) => {
      const raw = await rawOf('relay-0');
      const failed = await new Promise<string>((resolve) => {
        raw.subscribe(subject, { callback: (error) => resolve(error?.code ?? 'a message') });
      });
      expect(failed).toBe('PERMISSIONS_VIOLATION');
    });

    test.each([
      'keeper.alive',
      'keeper.listening',
      ...publishedByKeepers,
      'projection.checkpoint',
      'relay.alive.x',
      'relay.poll-tasks',
    ])('publish %s', async (subject) => {
      const heard: unknown[] = [];
      await commandApi.subscribe(subject, (said) => void heard.push(said));
      const [refused] = await publishAll([`tollgate.${subject}`], '{"forged":true}');
      expect(refused).toBe('PERMISSIONS_VIOLATION');
      expect(heard).toEqual([]);
    });

    test('read the answer that another relay was given', async () => {
      const [first, second] = [await rawOf('relay-0'), await rawOf('relay-1')];
      const overheard: string[] = [];
      first.subscribe('_INBOX.relay-0.>', {
        callback: (_e, { subject }) => void overheard.push(subject),
      });
      await first.flush();
      const answer = await second.request('tollgate.keeper.lease', '{"need":1}');
      expect(answer.subject).toMatch(/^_INBOX\.relay-1\./);
      expect(overheard).toEqual([]);
    });
  });

  describe('the read side', () => {
    test.each([
      'tollgate.keeper.lease',
      'tollgate.keeper.listening',
      ...publishedByKeepers.map((subject) => `tollgate.${subject}`),
      'tollgate-usage.1',
      'tollgate.relay.alive',
      'tollgate.lease.recalled',
    ])('cannot publish %s', async (subject) => {
      const raw = await rawOf('projections');
      await expect(raw.request(subject, '{}')).rejects.toMatchObject({
        code: 'PERMISSIONS_VIOLATION',
      });
    });
    test.each(['verify-runs', 'verify-outcomes', 'session-use'])(
      'has its store %s',
      async (name) => {
        const store = projections.keyValue(name, { ttlSeconds: 60 });
        expect(await store.create('a', 1)).toBe(true);
        expect(await store.get('a')).toBe(1);
      },
    );
    test('and a command API cannot write a feed', async () => {
      await expect(
        commandApi.feed('tokens').put([{ key: 'k', position: 9n, value: { owner: 'm' } }]),
      ).rejects.toThrow();
      expect(await heldToken()).toEqual({ owner: 'alice' });
    });
  });

  test('what the server lost is there again, and relays continue', async () => {
    await nats.loseData();
    await vi.waitFor(() => relay.queue<string>('usage').publish(5, ['again']), patience);
    const handled: unknown[] = [];
    await commandApi.queue<string>('usage').consume([5], async (items) => {
      handled.push(...items);
    });
    await vi.waitFor(() => expect(handled).toEqual(['again']), patience);
    const seen: unknown[] = [];
    const watch = await relay.feed('options').watch((entries) => void seen.push(...entries));
    await watch.ready;
    await projections.feed('options').put([{ key: 'a', position: 1n, value: 1 }]);
    await vi.waitFor(() => expect(seen).toHaveLength(1), patience);
    await watch.stop();
  });
}
