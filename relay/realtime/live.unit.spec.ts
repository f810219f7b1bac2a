import { afterEach, expect, test } from 'vitest';
import { price } from '../../domain/pricing/price.ts';
import {
  answeringTurns,
  ask,
  dial,
  isTurnEnd,
  type LiveScript,
  liveModel,
  livePathOf,
  liveReport,
  openLive,
  says,
  setup,
  startGoogle,
  startLive,
  turnComplete,
} from '../../tests/support/relay/live-harness.ts';
import { rawKey } from '../../tests/support/relay/relay-harness.ts';
import { closeAll, type Event } from '../../tests/support/relay/session-harness.ts';

afterEach(closeAll);

test('each turn of a session is a separate request, charged once by what was reported', async () => {
  const google = await startGoogle(answeringTurns);
  const relay = await startLive(
    google.url,
    {},
    {
      modelMapping: JSON.stringify({ [liveModel]: 'gemini-live-real' }),
    },
  );
  await relay.put.option('AudioRatio', JSON.stringify({ [liveModel]: 6 }));
  const client = await openLive(relay, { systemInstruction: { parts: [{ text: 'Be brief' }] } });
  for (let nth = 0; nth < 2; nth += 1) {
    const over = client.next(isTurnEnd);
    client.say(ask);
    expect(await over).toEqual(turnComplete());
  }
  expect(google.seen.url).toBe(livePathOf());
  expect(google.seen.headers['x-goog-api-key']).toBe('upstream-key-1');
  expect(google.seen.events[0]).toEqual({
    setup: {
      model: 'models/gemini-live-real',
      systemInstruction: { parts: [{ text: 'Be brief' }] },
    },
  });
  const used = [await relay.journal.used(0), await relay.journal.used(1)];
  expect(used[0]?.usage).toEqual({
    promptTokens: 100,
    completionTokens: 55,
    cachedTokens: 20,
    cacheCreationTokens: 0,
    audioInputTokens: 60,
    audioOutputTokens: 40,
  });
  expect(used.map(({ call }) => [call.model, call.upstreamModel, call.path])).toEqual([
    [liveModel, 'gemini-live-real', livePathOf()],
    [liveModel, 'gemini-live-real', livePathOf()],
  ]);
  client.socket.close();
  await client.closed;
  await expect.poll(() => relay.leases.open).toBe(0);
  expect(relay.journal.outcomes).toHaveLength(2);
  // Text 20 fresh and 20 cached at the full price, sound 60 × 6; made 15 × 4, sound 40 × 6 × 2.
  const due = 20 + 20 + 60 * 6 + 15 * 4 + 40 * 6 * 2;
  const amounts = relay.leases.settled.map(({ amount }) => amount);
  expect(amounts.filter((amount) => amount > 0)).toEqual([due, due]);
});

test('v1alpha goes up as v1alpha, and the address is no call of HTTP', async () => {
  const google = await startGoogle(answeringTurns);
  const relay = await startLive(google.url);
  const client = await dial(relay, `${livePathOf('v1alpha')}?key=${rawKey}`);
  const ready = client.next((event) => 'setupComplete' in event);
  client.say(setup());
  await ready;
  expect(google.seen.url).toBe(livePathOf('v1alpha'));
  const plain = await relay.get(livePathOf());
  expect([plain.status, JSON.parse(plain.text).error.code]).toEqual([426, 426]);
});

test('the end of a turn reaches the client once the books have it', async () => {
  const google = await startGoogle(answeringTurns);
  const relay = await startLive(google.url);
  const client = await openLive(relay);
  let open = (): void => {};
  relay.journal.gate = new Promise((resolve) => {
    open = resolve;
  });
  const over = client.next(isTurnEnd);
  client.say(ask);
  await relay.journal.used(0);
  expect(client.events.some(isTurnEnd)).toBe(false);
  open();
  await over;
});

test('a turn with tools is one request, charged by the sum of its reports', async () => {
  const toolCall = { functionCalls: [{ id: 'c1', name: 'open', args: {} }] };
  const script: LiveScript = (event, say) => {
    if ('clientContent' in event) {
      say({ toolCall, usageMetadata: { promptTokenCount: 10, responseTokenCount: 7 } });
    } else if ('toolResponse' in event) {
      say(says('It is open'));
      say({ serverContent: {}, usageMetadata: { promptTokenCount: 30, responseTokenCount: -4 } });
      say(turnComplete({ usageMetadata: { promptTokenCount: 2, responseTokenCount: 4 } }));
    }
  };
  const google = await startGoogle(script);
  const relay = await startLive(google.url);
  const client = await openLive(relay);
  const asked = client.next((event) => 'toolCall' in event);
  client.say(ask);
  await asked;
  const over = client.next(isTurnEnd);
  client.say({ toolResponse: { functionResponses: [{ id: 'c1', name: 'open', response: {} }] } });
  await over;
  expect(relay.journal.outcomes).toHaveLength(1);
  const { usage } = await relay.journal.used(0);
  expect([usage.promptTokens, usage.completionTokens]).toEqual([42, 11]);
});

/**
 * As translated speech is reported: a second at a time, with a separate context that is not billed.
 */
const secondOfSound = (seconds: number): Event => ({
  serverContent: {},
  usageMetadata: {
    promptTokenCount: 25 * seconds,
    responseTokenCount: 25 * seconds,
    totalTokenCount: 50 * seconds,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 535 },
      { modality: 'AUDIO', tokenCount: 25 * seconds },
    ],
    responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 25 * seconds }],
  },
});

test.each(['client', 'provider'] as const)(
  'speech that never ends its turn is charged by all its reports when the %s goes',
  async (who) => {
    const google = await startGoogle((event, say, socket) => {
      if (!('realtimeInput' in event)) return;
      say({ serverContent: { outputTranscription: { text: 'El zorro' } } });
      for (const seconds of [2, 1, 1]) say(secondOfSound(seconds));
      say({ goAway: { timeLeft: '1s' } });
      if (who === 'provider') setTimeout(() => socket.close(1000), 50);
    });
    const relay = await startLive(google.url, { drainMs: 50 });
    const client = await openLive(relay);
    const goAway = client.next((event) => 'goAway' in event);
    client.say({ realtimeInput: { text: 'The fox' } });
    await goAway;
    if (who === 'client') client.socket.close();
    const used = await relay.journal.used(0);
    expect(used.usageSource).toBe('upstream');
    expect(used.usage).toMatchObject({ promptTokens: 100, audioInputTokens: 100 });
    expect(used.usage).toMatchObject({ completionTokens: 100, audioOutputTokens: 100 });
    expect(relay.journal.outcomes).toHaveLength(1);
    await expect.poll(() => relay.leases.open).toBe(0);
  },
);

test('a turn that breaks off is charged by its reports, and measured from the last one on', async () => {
  const spoken = {
    mimeType: 'audio/pcm;rate=24000',
    data: Buffer.alloc(48_000).toString('base64'),
  };
  const oneSecond = { serverContent: { modelTurn: { parts: [{ inlineData: spoken }] } } };
  const google = await startGoogle((event, say, socket) => {
    if (!('realtimeInput' in event)) return;
    say(oneSecond);
    say(secondOfSound(2));
    say({ ...secondOfSound(1), ...oneSecond });
    for (let nth = 0; nth < 2; nth += 1) say(oneSecond);
    socket.close(1000);
  });
  const relay = await startLive(google.url);
  const systemInstruction = { parts: [{ text: 'Translate as it is said. '.repeat(100) }] };
  const client = await openLive(relay, { systemInstruction });
  const sound = Buffer.alloc(10 * 32_000).toString('base64');
  client.say({ realtimeInput: { audio: { mimeType: 'audio/pcm;rate=16000', data: sound } } });
  const used = await relay.journal.used(0);
  // Three seconds as reported; two more were generated after it.
  expect(used.usage).toMatchObject({ promptTokens: 75, audioInputTokens: 75 });
  expect(used.usage).toMatchObject({ completionTokens: 125, audioOutputTokens: 125 });
  expect([used.usageSource, used.end]).toEqual(['upstream', 'upstream-broken']);
});

test('a turn that takes much is charged before it ends', async () => {
  const report = { usageMetadata: { promptTokenCount: 70_000, responseTokenCount: 1 } };
  const google = await startGoogle((event, say) => {
    if (!('clientContent' in event)) return;
    for (let nth = 0; nth < 3; nth += 1) say(report);
    say({ goAway: {} });
  });
  const relay = await startLive(google.url);
  const client = await openLive(relay);
  const goAway = client.next((event) => 'goAway' in event);
  client.say(ask);
  await goAway;
  expect(relay.journal.outcomes).toHaveLength(1);
  expect((await relay.journal.used(0)).usage.promptTokens).toBe(140_000);
});

test('a turn without a report is counted by its input and output, and a late report is not charged again', async () => {
  const second = Buffer.alloc(32_000).toString('base64');
  const spoken = Buffer.alloc(96_000).toString('base64');
  const google = await startGoogle((event, say) => {
    if (!('clientContent' in event)) return;
    const inlineData = { mimeType: 'audio/pcm;rate=24000', data: spoken };
    say({ serverContent: { modelTurn: { parts: [{ inlineData }] } } });
    say(turnComplete({}));
    say({ usageMetadata: liveReport });
    say({ goAway: { timeLeft: '10s' } });
  });
  const relay = await startLive(google.url);
  const client = await openLive(relay);
  client.say({ realtimeInput: { audio: { mimeType: 'audio/pcm;rate=16000', data: second } } });
  client.say({ realtime_input: { media_chunks: [{ mime_type: 'image/jpeg', data: 'AAAA' }] } });
  const leaving = client.next((event) => 'goAway' in event);
  client.say({ clientContent: { turnComplete: true } });
  await leaving;
  const used = await relay.journal.used(0);
  expect(used.usageSource).toBe('counted');
  // A second of sound and a picture in, two seconds of sound out.
  expect(used.usage).toMatchObject({ promptTokens: 25 + 258, audioInputTokens: 25 });
  expect(used.usage).toMatchObject({ imageInputTokens: 258, completionTokens: 50 });
  expect(used.usage.audioOutputTokens).toBe(50);
  expect(relay.journal.outcomes).toHaveLength(1);
});

test('a turn that is unfinished when its caller leaves is charged by the report', async () => {
  const google = await startGoogle((event, say) => {
    if (!('clientContent' in event)) return;
    say(says('A long'));
    setTimeout(() => say(turnComplete()), 100);
  });
  const relay = await startLive(google.url);
  const client = await openLive(relay);
  const piece = client.next((event) => 'serverContent' in event);
  client.say(ask);
  await piece;
  client.socket.terminate();
  const used = await relay.journal.used(0);
  expect([used.usage.promptTokens, used.usageSource]).toEqual([100, 'upstream']);
  await expect.poll(() => relay.leases.open).toBe(0);
});

test('a turn ends where the money does', async () => {
  const word = ' word';
  const google = await startGoogle((event, say, socket) => {
    if (!('clientContent' in event)) return;
    let words = 0;
    const goOn = (): void => {
      if (socket.readyState !== socket.OPEN || words > 12_000) return;
      words += 20;
      say(says(word.repeat(20)));
      setImmediate(goOn);
    };
    goOn();
  });
  const relay = await startLive(google.url);
  relay.leases.funds = 3_000 * 4;
  relay.leases.refusal = 'balance-exhausted';
  const client = await openLive(relay);
  const ended = client.next(isTurnEnd);
  client.say(ask);
  expect(await ended).toMatchObject({ notice: { code: 'insufficient_quota' } });
  const [code, reason] = await client.closed;
  expect(code).toBe(1008);
  expect(reason).not.toBe('');
  const used = await relay.journal.used();
  expect(used.end).toBe('cut-off');
  const left = 3_000 - price(used.usage, used.quote) / 4;
  expect(left).toBeGreaterThanOrEqual(-20);
  expect(left).toBeLessThanOrEqual(36);
  expect(relay.leases.open).toBe(0);
});
