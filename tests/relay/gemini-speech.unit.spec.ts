import { expect, test } from 'vitest';
import type { JsonObject } from '../../relay/protocol/canonical.ts';
import { aChannel, json, type Reply } from '../support/relay/relay-harness.ts';
import { relayScene } from '../support/relay/scene.ts';

const samples = Buffer.from([1, 0, 2, 0, 255, 127]);
const answered = (parts: readonly JsonObject[]): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
  usageMetadata: {
    ...{ promptTokenCount: 4, candidatesTokenCount: 50, totalTokenCount: 54 },
    candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 50 }],
  },
});
const data = samples.toString('base64');
const spoken = answered([{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=16000', data } }]);
const scene = relayScene({ usual: json(spoken), hasChannel: false });

const put = async (upstreamModel = 'gemini-2.5-flash-preview-tts'): Promise<void> => {
  await scene.relay.put.option('ModelRatio', JSON.stringify({ speaker: 1 }));
  await scene.relay.put.channel(
    aChannel(1, {
      ...{ type: 24, baseUrl: scene.upstream.url, models: ['speaker'] },
      modelMapping: JSON.stringify({ speaker: upstreamModel }),
    }),
  );
};
const speak = (more: JsonObject = {}): Promise<Reply> =>
  scene.relay.send(
    '/v1/audio/speech',
    JSON.stringify({ model: 'speaker', input: 'Open the gate', voice: 'alloy', ...more }),
  );

test('speech of Gemini: its samples are returned as a file, paid by the tokens that it counts', async () => {
  await put();
  const reply = await speak({ instructions: 'Say it softly' });
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'audio/wav']);
  expect(scene.upstream.requests[0]?.path).toBe(
    '/v1beta/models/gemini-2.5-flash-preview-tts:generateContent',
  );
  expect(scene.sent()).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'Say it softly:\nOpen the gate' }] }],
    generationConfig: {
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
    },
  });
  expect((await scene.relay.journal.used()).usage).toMatchObject({
    ...{ promptTokens: 4, completionTokens: 50, audioOutputTokens: 50 },
  });
});

test('a file states how its samples are to be played, and samples are passed on unchanged', async () => {
  await put();
  // The head of a WAVE file of 6 bytes, one channel, 16,000 samples a second of 16 bits.
  const head =
    '524946462a00000057415645666d74201000000001000100803e0000007d000002001000646174610600';
  const events = async (format: string) => {
    const { text } = await speak({ response_format: format, stream_format: 'sse' });
    return Buffer.from(/"audio":"([^"]*)"/.exec(text)?.[1] ?? '', 'base64').toString('hex');
  };
  expect(await events('wav')).toBe(`${head}0000${samples.toString('hex')}`);
  expect(await events('pcm')).toBe(samples.toString('hex'));
});

test('a voice of Gemini is used when it is named', async () => {
  await put();
  await speak({ voice: 'Puck' });
  expect(JSON.stringify(scene.sent())).toContain('"voiceName":"Puck"');
});

test('what it cannot express is refused by name, and silence is an error', async () => {
  await put();
  expect((await speak({ response_format: 'mp3' })).text).toContain('one of wav, pcm');
  await put('gemini-2.5-flash');
  expect((await speak()).text).toContain('gemini-2.5-flash does not generate speech');
  expect(scene.upstream.requests).toHaveLength(0);
  await put();
  scene.answer = json(answered([{ text: 'No.' }]));
  expect((await speak()).status).toBe(502);
});
