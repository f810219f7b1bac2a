import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  answeringTurns,
  ask,
  dial,
  isTurnEnd,
  type LiveScript,
  liveModel,
  livePathOf,
  openLive,
  says,
  setup,
  startGoogle,
  startLive,
  turnComplete,
} from '../../tests/support/relay/live-harness.ts';
import { aChannel, anAccount, aToken, rawKey } from '../../tests/support/relay/relay-harness.ts';
import { closeAll } from '../../tests/support/relay/session-harness.ts';

afterEach(closeAll);

test('a session is opened on a channel that offers it, though others precede it', async () => {
  const google = await startGoogle(answeringTurns);
  const relay = await startLive(google.url);
  const models = [liveModel];
  await relay.put.channel(aChannel(2, { type: 1, models, priority: 9, baseUrl: google.url }));
  await openLive(relay);
  expect(google.seen.headers['x-goog-api-key']).toBe('upstream-key-1');
});

test('a provider that closes at the setup has refused: the next channel is called', async () => {
  const refusing = await startGoogle(answeringTurns, [1011, 'The service is unavailable']);
  const google = await startGoogle(answeringTurns);
  const relay = await startLive(google.url);
  await relay.put.option('RetryTimes', '1');
  const models = [liveModel];
  await relay.put.channel(aChannel(2, { type: 24, models, priority: 9, baseUrl: refusing.url }));
  const client = await openLive(relay);
  const over = client.next(isTurnEnd);
  client.say(ask);
  await over;
  expect((await relay.journal.used(0)).call.channelsTried).toEqual([2, 1]);
});

test.each([
  [1007, 'Request contains an invalid argument: upstream-key-1', 400],
  [1008, 'models/x is not found for API version v1beta', 404],
  [1011, 'You exceeded your current quota', 429],
])(
  'a refusal %i of the provider closes the session and costs nothing',
  async (code, why, status) => {
    const google = await startGoogle(answeringTurns, [code, why]);
    const relay = await startLive(google.url);
    const client = await dial(relay);
    client.say(setup());
    const [shown, reason] = await client.closed;
    expect(shown).toBe(1008);
    expect(reason).not.toContain('upstream-key-1');
    expect((await relay.journal.failed(0)).statusCode).toBe(status);
    expect(relay.leases.open).toBe(0);
  },
);

test('the key of the channel is masked in every message', async () => {
  const google = await startGoogle((event, say) => {
    if ('clientContent' in event) say(says('my key is upstream-key-1'));
    if ('clientContent' in event) say(turnComplete());
  });
  const relay = await startLive(google.url);
  const client = await openLive(relay);
  const over = client.next(isTurnEnd);
  client.say(ask);
  await over;
  expect(JSON.stringify(client.events)).not.toContain('upstream-key-1');
});

const refusedWith = (port: number, path: string) =>
  new Promise<number>((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    socket.on('unexpected-response', (req, res) => {
      resolve(res.statusCode ?? 0);
      req.destroy();
    });
    socket.on('open', () => resolve(101));
    socket.on('error', () => {});
  });

test('who may not open a session is refused before it costs anything', async () => {
  const google = await startGoogle(answeringTurns);
  const relay = await startLive(google.url);
  expect(await refusedWith(relay.port, livePathOf())).toBe(401);
  expect(await refusedWith(relay.port, `${livePathOf()}?key=sk-nobody`)).toBe(401);
  const closedFor = async (first: object): Promise<readonly [number, string]> => {
    const client = await dial(relay);
    client.say({ ...first });
    return client.closed;
  };
  expect((await closedFor({ realtimeInput: {} }))[0]).toBe(1008);
  expect((await closedFor(setup({}, 'unserved')))[1]).toContain('unserved');
  relay.leases.funds = 0;
  expect((await closedFor(setup()))[0]).toBe(1008);
  await relay.put.token(rawKey, aToken({ modelLimits: ['other'] }));
  expect((await closedFor(setup()))[1]).toContain('may not use model');
  expect(google.seen.events).toEqual([]);
  expect(relay.journal.outcomes).toEqual([]);
  expect(relay.leases.open).toBe(0);
});

test('a session is resumed by its handle on the channel that made it, for its own user alone', async () => {
  const script: LiveScript = (event, say) => {
    if ('setup' in event) {
      say({ sessionResumptionUpdate: { newHandle: 'google-handle', resumable: true } });
    }
  };
  const google = await startGoogle(script);
  const relay = await startLive(google.url);
  const client = await dial(relay);
  const update = client.next((event) => 'sessionResumptionUpdate' in event);
  client.say(setup({ sessionResumption: {} }));
  const reported = await update;
  const { newHandle: handle } = reported.sessionResumptionUpdate as Record<string, string>;
  expect(handle).not.toBe('google-handle');
  const other = await startGoogle(answeringTurns);
  const models = [liveModel];
  await relay.put.channel(aChannel(2, { type: 24, models, priority: 9, baseUrl: other.url }));
  await openLive(relay, { sessionResumption: { handle } });
  expect(other.seen.events).toEqual([]);
  expect(google.seen.events.at(-1)).toMatchObject({
    setup: { sessionResumption: { handle: 'google-handle' } },
  });
  const forged = await dial(relay);
  forged.say(setup({ sessionResumption: { handle: 'google-handle' } }));
  expect((await forged.closed)[1]).toContain('No session can be resumed');
  await relay.put.token(rawKey, aToken({ userId: 8 }));
  await relay.put.account(anAccount({ userId: 8 }));
  const strange = await dial(relay);
  strange.say(setup({ sessionResumption: { handle } }));
  expect((await strange.closed)[1]).toContain('No session can be resumed');
});
