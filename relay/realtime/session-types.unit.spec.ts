import { afterEach, expect, test } from 'vitest';
import {
  answering,
  closeAll,
  type Event,
  type Script,
  speak,
  startProvider,
  startWith,
} from '../../tests/support/relay/session-harness.ts';

afterEach(closeAll);

test.each([
  { type: 'session.update', session: { type: 'transcription' } },
  { type: 'session.update', session: { type: 'translation' } },
  { type: 'transcription_session.update', session: {} },
])('a session is not made one without responses: $type $session.type', async (update) => {
  const provider = await startProvider(answering);
  const relay = await startWith(provider.url);
  const client = await speak(relay);
  const error = client.next('error');
  client.say(update);
  expect(await error).toMatchObject({ error: { code: 'session_type_not_allowed' } });
  expect(provider.seen.events).toEqual([]);
});

const sessionOf = (type: 'session.created' | 'session.updated'): Event => ({
  type,
  session: { type: 'translation', audio: { output: { language: 'es' } } },
});

/** Translates its audio input continuously: no responses, no usage. */
const translating: Script = (event, say) => {
  if (event.type === 'session.update') say(sessionOf('session.updated'));
  if (event.type === 'session.input_audio_buffer.append') {
    say({ type: 'session.output_transcript.delta', delta: ' sol', elapsed_ms: 600 });
  }
};

test.each([
  ['from its beginning', sessionOf('session.created')],
  ['after an update', { type: 'session.created' }],
] as const)(
  'a session that the provider only translates in ends before a translation: %s',
  async (_when, hello) => {
    const provider = await startProvider(translating, hello);
    const relay = await startWith(provider.url);
    const client = await speak(relay);
    client.say({ type: 'session.update', session: { audio: { output: { language: 'es' } } } });
    client.say({ type: 'session.input_audio_buffer.append', audio: 'AAAA' });
    expect(await client.closed).toBe(1008);
    expect(client.events.at(-1)).toMatchObject({ error: { code: 'session_type_not_allowed' } });
    expect(client.events.map(({ type }) => type)).not.toContain('session.output_transcript.delta');
    expect(relay.journal.startedEntries).toEqual([]);
    await expect.poll(() => relay.leases.open).toBe(0);
  },
);
