import { afterEach, expect, test } from 'vitest';
import type { Harness } from '../../tests/support/relay/relay-harness.ts';
import {
  type Client,
  closeAll,
  type Event,
  model,
  speak,
  startProvider,
  startWith,
} from '../../tests/support/relay/session-harness.ts';

afterEach(closeAll);

const transcription = 'conversation.item.input_audio_transcription';
const committed: Event = { type: 'input_audio_buffer.committed', item_id: 'i1' };
const written: Event = {
  type: `${transcription}.completed`,
  item_id: 'i1',
  content_index: 0,
  transcript: 'Please open the gate.',
  usage: { type: 'duration', seconds: 6 },
};
const givenUp: Event = { type: `${transcription}.failed`, item_id: 'i1', error: { code: 'x' } };
const emptyHanded: Event = {
  type: 'error',
  error: { code: 'input_audio_buffer_commit_empty', message: 'nothing was said' },
};

type Scene = Readonly<{
  relay: Harness;
  client: Client;
  /** Sends that event from the provider. */
  say: (event: Event) => void;
  /** The provider goes away. */
  hangUp: () => void;
  /** The provider's side has been closed. */
  left: Promise<void>;
}>;

/** A session whose provider answers speech that is handed in with `first`. */
const speaking = async (
  first: readonly Event[],
  { drainMs = 10_000, writer = 'whisper-1' }: { drainMs?: number; writer?: string } = {},
): Promise<Scene> => {
  let say: Scene['say'] = () => {};
  let hangUp: Scene['hangUp'] = () => {};
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const session = { input_audio_transcription: writer === '' ? null : { model: writer } };
  const provider = await startProvider(
    (event, own, socket) => {
      say = own;
      hangUp = () => socket.terminate();
      socket.once('close', leave);
      if (event.type === 'input_audio_buffer.commit') for (const one of first) own(one);
    },
    { type: 'session.created', session },
  );
  const relay = await startWith(provider.url, { drainMs });
  await relay.put.option('ModelRatio', `{"${model}":2.5,"whisper-1":15}`);
  const client = await speak(relay);
  const input = client.next(first[0]?.type === undefined ? 'none' : String(first[0].type));
  client.say({ type: 'input_audio_buffer.append', audio: Buffer.alloc(48_000).toString('base64') });
  client.say({ type: 'input_audio_buffer.commit' });
  if (first.length > 0) await input;
  return { relay, client, say: (event) => say(event), hangUp: () => hangUp(), left };
};

const amounts = ({ relay }: Scene): readonly number[] =>
  relay.leases.settled.map(({ amount }) => amount).filter((amount) => amount > 0);

/** What six seconds cost. */
const price = 100 * 15;

test('a transcript on its way when the caller leaves is waited for and charged', async () => {
  const scene = await speaking([committed]);
  scene.client.socket.terminate();
  await scene.client.closed;
  await new Promise((resolve) => setTimeout(resolve, 50));
  scene.say(written);
  await scene.left;
  const used = await scene.relay.journal.used(0);
  expect(used).toMatchObject({ usageNote: 'transcript of the audio', end: 'complete' });
  expect(amounts(scene)).toEqual([price]);
  await expect.poll(() => scene.relay.leases.open).toBe(0);
});

test('one that never arrives is awaited no longer than the bound', async () => {
  const scene = await speaking([committed], { drainMs: 60 });
  scene.client.socket.terminate();
  await scene.left;
  expect(scene.relay.journal.outcomes).toEqual([]);
  await expect.poll(() => scene.relay.leases.open).toBe(0);
});

test.each([
  ['that the provider gives up', [committed], givenUp],
  ['of silence', [{ type: 'mark' }], emptyHanded],
])('one %s ends the wait', async (_which, first, last) => {
  const scene = await speaking(first);
  scene.client.socket.terminate();
  await scene.client.closed;
  scene.say(last);
  await scene.left;
  expect(scene.relay.journal.outcomes).toEqual([]);
});

test('a caller who leaves where no transcript is made is not awaited', async () => {
  const scene = await speaking([committed], { writer: '' });
  scene.client.socket.terminate();
  await scene.left;
  expect(scene.relay.journal.outcomes).toEqual([]);
});

test('a provider that leaves as well ends the wait', async () => {
  const scene = await speaking([committed]);
  scene.client.socket.terminate();
  await scene.client.closed;
  scene.hangUp();
  await expect.poll(() => scene.relay.leases.open).toBe(0);
  expect(scene.relay.journal.outcomes).toEqual([]);
});

test('a relay that stops waits for a transcript, and its caller is informed afterwards', async () => {
  const scene = await speaking([committed]);
  const stopped = scene.relay.relay.stop();
  scene.say(written);
  await stopped;
  expect(amounts(scene)).toEqual([price]);
  expect(await scene.client.closed).toBe(1011);
  expect(scene.client.events.map(({ type }) => type)).toContain(written.type);
  expect(scene.relay.leases.open).toBe(0);
});

test('an error in a session gives neither key nor address away', async () => {
  const message = 'Key upstream-key-1 failed at https://inner.example/v1';
  const scene = await speaking(
    [
      { type: 'error', error: { message, code: 'x' } },
      {
        type: 'response.done',
        response: { id: 'r', status: 'failed', status_details: { error: { message } } },
      },
      { type: 'mark', note: message },
    ],
    { writer: '' },
  );
  await expect.poll(() => scene.client.events.at(-1)?.type).toBe('mark');
  const [error, done, mark] = scene.client.events.slice(-3);
  expect(error).toMatchObject({ error: { message: 'Key [key] failed at [address]', code: 'x' } });
  expect(JSON.stringify(done)).not.toMatch(/upstream-key|inner/);
  expect(mark).toMatchObject({ note: message.replace('upstream-key-1', '[key]') });
});
