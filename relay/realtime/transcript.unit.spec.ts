import { afterEach, expect, test } from 'vitest';
import { aToken, type Harness, rawKey } from '../../tests/support/relay/relay-harness.ts';
import {
  answering,
  type Client,
  closeAll,
  type Event,
  model,
  type Script,
  speak,
  startProvider,
  startWith,
} from '../../tests/support/relay/session-harness.ts';

afterEach(closeAll);

const completed = 'conversation.item.input_audio_transcription.completed';
const written = (item: string, more: object = {}): Event => ({
  type: completed,
  event_id: 'evt_kept',
  item_id: item,
  content_index: 0,
  transcript: 'Please open the gate.',
  ...more,
});
const tokens = (input: number, sound: number, output: number): object => ({
  usage: {
    type: 'tokens',
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: { text_tokens: input - sound, audio_tokens: sound },
  },
});
const lasting = (seconds: unknown): object => ({ usage: { type: 'duration', seconds } });

/** Both editions of the protocol name the model that writes. */
const firstEdition = (writer: string): object => ({ input_audio_transcription: { model: writer } });
const present = (writer: string): object => ({
  audio: { input: { format: { type: 'audio/pcm' }, transcription: { model: writer } } },
});

type Scene = Readonly<{ relay: Harness; client: Client }>;

/** A session whose provider sends the test's events after the first event of the caller. */
const hearing = async (
  session: object,
  reported: readonly Event[],
  prepare: (relay: Harness) => Promise<void> = async () => {},
): Promise<Scene> => {
  const script: Script = (event, say, socket) => {
    if (event.type === 'input_audio_buffer.commit') for (const one of reported) say(one);
    answering(event, say, socket);
  };
  const provider = await startProvider(script, { type: 'session.created', session });
  const relay = await startWith(provider.url);
  await relay.put.option('ModelRatio', `{"${model}":2.5,"whisper-1":15,"gpt-4o-transcribe":1.25}`);
  await relay.put.option('CompletionRatio', '{"gpt-4o-transcribe":4}');
  await prepare(relay);
  const client = await speak(relay);
  return { relay, client };
};

/** Three seconds of sound, in the form that sessions begin with. */
const threeSeconds = Buffer.alloc(3 * 48_000).toString('base64');

const speakUp = ({ client }: Scene): Promise<Event> => {
  const over = client.next(completed);
  client.say({ type: 'input_audio_buffer.append', audio: threeSeconds });
  client.say({ type: 'input_audio_buffer.commit' });
  return over;
};

const amounts = ({ relay }: Scene): readonly number[] =>
  relay.leases.settled.map(({ amount }) => amount).filter((amount) => amount > 0);

test.each([
  ['first', firstEdition('gpt-4o-transcribe')],
  ['present', present('gpt-4o-transcribe')],
])(
  'the audio is charged by the report and price of the model that transcribed it, in the %s edition',
  async (_edition, session) => {
    const scene = await hearing(session, [written('i1', tokens(26, 20, 9))]);
    expect(await speakUp(scene)).toEqual(written('i1', tokens(26, 20, 9)));
    const used = await scene.relay.journal.used(0);
    expect(used.usage).toEqual({
      promptTokens: 26,
      completionTokens: 9,
      cachedTokens: 0,
      cacheCreationTokens: 0,
      audioInputTokens: 20,
    });
    expect(used).toMatchObject({
      usageSource: 'upstream',
      usageNote: 'transcript of the audio',
      end: 'complete',
      call: { model: 'gpt-4o-transcribe', upstreamModel: null, path: '/v1/realtime' },
    });
    expect(amounts(scene)).toEqual([Math.round((26 + 9 * 4) * 1.25)]);
    expect(scene.relay.journal.startedEntries).toHaveLength(1);
  },
);

test('time is charged as that of an uploaded sound', async () => {
  const scene = await hearing(firstEdition('whisper-1'), [written('i1', lasting(6.2))]);
  await speakUp(scene);
  const used = await scene.relay.journal.used(0);
  expect(used.usage.promptTokens).toBe(Math.round((7 / 60) * 1_000));
  expect(amounts(scene)).toEqual([117 * 15]);
});

test('a writer without a price is charged at the session’s prices of sound and text', async () => {
  const session = firstEdition('my-whisper');
  const scene = await hearing(session, [
    written('i1', tokens(26, 20, 9)),
    written('i2', lasting(6)),
  ]);
  await speakUp(scene);
  const used = [await scene.relay.journal.used(0), await scene.relay.journal.used(1)];
  expect(used.map(({ call }) => [call.model, call.upstreamModel])).toEqual([
    [model, 'my-whisper'],
    [model, 'my-whisper'],
  ]);
  const sound = Math.floor((6 * 100) / 0.06 / 60);
  expect(used[1]?.usage).toMatchObject({ promptTokens: sound, audioInputTokens: sound });
  expect(amounts(scene)).toEqual([
    Math.round((6 + 20 * 20 + 9 * 4) * 2.5),
    Math.round(sound * 20 * 2.5),
  ]);
});

test.each([
  ['by what upstream marks as speech', 2],
  ['by what was committed', 3],
])('a transcript without usage is charged by its time, %s', async (_by, seconds) => {
  const marks = [
    { type: 'input_audio_buffer.speech_started', item_id: 'i1', audio_start_ms: 500 },
    { type: 'input_audio_buffer.speech_stopped', item_id: 'i1', audio_end_ms: 2_500 },
  ];
  const scene = await hearing(firstEdition('whisper-1'), [
    ...(seconds === 2 ? marks : []),
    { type: 'input_audio_buffer.committed', item_id: 'i1' },
    written('i1'),
  ]);
  await speakUp(scene);
  const used = await scene.relay.journal.used(0);
  expect(used.usageSource).toBe('counted');
  expect(used.usage.promptTokens).toBe(Math.round((seconds / 60) * 1_000));
});

test('a transcript that counts for nothing is no request', async () => {
  const scene = await hearing(firstEdition('whisper-1'), [written('i1', { transcript: '' })]);
  await speakUp(scene);
  expect(scene.relay.journal.startedEntries).toEqual([]);
  scene.client.socket.close();
  await expect.poll(() => scene.relay.leases.open).toBe(0);
});

test('a repeated transcript is charged once', async () => {
  const same = written('i1', lasting(6));
  const scene = await hearing(firstEdition('whisper-1'), [same, same, { type: 'mark' }]);
  const mark = scene.client.next('mark');
  await speakUp(scene);
  await mark;
  expect(scene.relay.journal.outcomes).toHaveLength(1);
});

test.each([
  [lasting(-4), 0],
  [lasting('long'), 0],
  [lasting(1e12), 1],
  [tokens(-26, 0, -9), 0],
  [tokens(1e12, 0, 1e12), 1],
])('a report of %j cannot make a transcript free or endless', async (usage, isHigh) => {
  const committed = { type: 'input_audio_buffer.committed', item_id: 'i1' };
  const scene = await hearing(firstEdition('whisper-1'), [committed, written('i1', usage)]);
  await speakUp(scene);
  const used = await scene.relay.journal.used(0);
  const { promptTokens, completionTokens } = used.usage;
  if (isHigh === 0) expect([promptTokens, completionTokens]).toEqual([50, 0]);
  else {
    expect(promptTokens + completionTokens).toBeLessThan(200_000);
    expect(used.usageNote).toContain('taken as');
  }
});

test('a session that is paid by the call is paid once, its transcripts included', async () => {
  const scene = await hearing(
    firstEdition('my-whisper'),
    [written('i1', lasting(6))],
    async (relay) => relay.put.option('ModelPrice', `{"${model}":0.5}`),
  );
  await speakUp(scene);
  for (const id of ['a', 'b']) {
    const over = scene.client.next('response.done');
    scene.client.say({ type: 'response.create', event_id: id });
    await over;
  }
  expect(amounts(scene)).toEqual([250_000]);
  expect(scene.relay.journal.outcomes).toHaveLength(3);
  expect((await scene.relay.journal.used(0)).quote).toMatchObject({ modelPrice: '0' });
});

test('a transcript that cannot be funded ends the session', async () => {
  const scene = await hearing(firstEdition('whisper-1'), [
    written('i1', lasting(6)),
    written('i2', lasting(6)),
  ]);
  scene.relay.leases.funds = 0;
  const error = scene.client.next('error');
  await speakUp(scene);
  expect(await error).toMatchObject({ error: { code: 'insufficient_quota' } });
  expect(await scene.client.closed).toBe(1008);
  expect(scene.relay.journal.outcomes).toHaveLength(1);
  await expect.poll(() => scene.relay.leases.open).toBe(0);
});

test('a key that is switched off has its last transcript charged, and no further one', async () => {
  const scene = await hearing(firstEdition('whisper-1'), [
    written('i1', lasting(6)),
    written('i2', lasting(6)),
  ]);
  await scene.relay.put.token(rawKey, aToken({ status: 2 }));
  scene.client.say({ type: 'input_audio_buffer.commit' });
  expect(await scene.client.closed).toBe(1008);
  expect(scene.relay.journal.outcomes).toHaveLength(1);
});
