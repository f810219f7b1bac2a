import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  aChannel,
  type Harness,
  json,
  type Reply,
  startHarness,
  startUpstream,
  type UpstreamSpy,
} from '../../tests/support/relay/relay-harness.ts';
import { aWave } from '../../tests/support/sounds.ts';

const models = [
  ...['dall-e', 'dall-e-2', 'dall-e-3', 'gpt-image-1', 'drawing-by-ratio'],
  ...['tts-1', 'gpt-4o-mini-tts', 'whisper-1', 'gpt-4o-transcribe', 'text-embedding-3-small'],
];
const pictures = { created: 1, data: [{ url: 'https://pictures.test/1.png' }] };

let relay: Harness;
let upstream: UpstreamSpy;
let answer: Answer;

beforeEach(async () => {
  answer = json(pictures);
  upstream = await startUpstream((...all) => answer(...all));
  relay = await startHarness();
  await relay.put.channel(aChannel(1, { baseUrl: upstream.url, models }));
  await relay.put.option('ModelPrice', '{"dall-e-2":0.02,"dall-e-3":0.04}');
  const ratios = { 'tts-1': 7.5, 'whisper-1': 15, 'gpt-4o-mini-tts': 0.3, 'gpt-image-1': 2.5 };
  const others = { 'drawing-by-ratio': 8, 'gpt-4o-transcribe': 1.25 };
  await relay.put.option('ModelRatio', JSON.stringify({ ...ratios, ...others }));
  await relay.put.option('CompletionRatio', '{"gpt-image-1":8}');
  await relay.put.option('AudioRatio', '{"gpt-4o-transcribe":2.4}');
});
afterEach(async () => {
  await relay.close();
  upstream.close();
});

const sendJson = (path: string, body: object): Promise<Reply> =>
  relay.send(path, JSON.stringify(body));

const sendForm = async (path: string, form: FormData): Promise<Reply> => {
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return relay.send(path, Buffer.from(await encoded.arrayBuffer()), { 'content-type': type });
};

type Files = Readonly<Record<string, Blob>>;
const formOf = (fields: Readonly<Record<string, string>>, files: Files = {}): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, file] of Object.entries(files)) form.append(name, file, `${name}.bin`);
  return form;
};
const aPicture = new Blob([new Uint8Array([137, 80, 78, 71])], { type: 'image/png' });
const aSound = (seconds: number): Blob =>
  new Blob([new Uint8Array(aWave(seconds))], { type: 'audio/wav' });

/** What the provider got, read as the form it is. */
const receivedForm = async (): Promise<FormData> => {
  const [request] = upstream.requests;
  const headers = { 'content-type': String(request?.headers['content-type']) };
  return new Response(new Uint8Array(request?.body ?? Buffer.alloc(0)), { headers }).formData();
};
const receivedJson = (): unknown => JSON.parse(upstream.requests[0]?.body.toString() ?? 'null');
const errorOf = ({ text }: Reply) => JSON.parse(text).error;
const amount = async (): Promise<number | undefined> => {
  await relay.journal.used();
  return relay.leases.settled[0]?.amount;
};

describe('pictures', () => {
  test('are requested and answered byte by byte, and paid by size, quality and number', async () => {
    const body = { model: 'dall-e-3', prompt: 'a gate', size: '1024x1792', quality: 'hd', own: 1 };
    const reply = await sendJson('/v1/images/generations', body);
    expect(JSON.parse(reply.text)).toEqual(pictures);
    expect(receivedJson()).toEqual(body);
    expect(await amount()).toBe(60_000);
  });

  test.each([
    [{ n: 3 }, 30_000],
    [{ n: 3, size: '256x256' }, 12_000],
    [{ n: 2, size: '512x512', quality: 'hd' }, 9_000],
    [{ n: 0 }, 10_000],
    [{ n: null }, 10_000],
    [{}, 10_000],
  ])('%j of dall-e-2 cost %d', async (more, units) => {
    await sendJson('/v1/images/generations', { model: 'dall-e-2', prompt: 'a gate', ...more });
    expect(await amount()).toBe(units);
  });

  test('paid by ratio cost a fortieth of a cent for each, not a token', async () => {
    const body = { model: 'drawing-by-ratio', prompt: 'a gate', n: 2, size: '1024x1792' };
    await sendJson('/v1/images/generations', body);
    // 0.0025 USD × ratio 8 × size 2 × 2 pictures × 500,000 units per USD
    expect(await amount()).toBe(40_000);
  });

  test('whose provider counts tokens are paid by them, input pictures at a higher price', async () => {
    const details = { text_tokens: 100, image_tokens: 200 };
    const usage = { input_tokens: 300, input_tokens_details: details, output_tokens: 1_056 };
    answer = json({ ...pictures, usage });
    await sendJson('/v1/images/generations', { model: 'gpt-image-1', prompt: 'a gate' });
    expect(await amount()).toBe((100 + 200 * 2 + 1_056 * 8) * 2.5);
  });

  test.each([
    ['a prompt of nothing', { prompt: ' ' }, 'invalid_image_request'],
    ['a size that the model does not draw', { size: '10x10' }, 'invalid_image_request'],
    ['a size with a multiplication sign', { size: '1024×1024' }, 'invalid_image_request'],
    ['a negative number', { n: -1 }, 'invalid_image_request'],
    ['more than ten', { n: 11 }, 'invalid_image_request'],
    ['half of one', { n: 0.5 }, 'invalid_image_request'],
    ['a list of numbers', { n: [3] }, 'invalid_image_request'],
  ])('are refused with %s', async (_name, more, code) => {
    const body = { model: 'dall-e-3', prompt: 'a gate', ...more };
    const reply = await sendJson('/v1/images/generations', body);
    expect([reply.status, errorOf(reply).code]).toEqual([400, code]);
    expect(upstream.requests).toHaveLength(0);
  });

  test('are edited with the form that the client wrote', async () => {
    const fields = {
      model: 'dall-e-2',
      prompt: 'add a gate',
      n: '2',
      size: '512x512',
      user: 'ada',
    };
    const reply = await sendForm('/v1/images/edits', formOf(fields, { image: aPicture }));
    expect(reply.status).toBe(200);
    const form = await receivedForm();
    expect(form.get('user')).toBe('ada');
    expect((form.get('image') as File).size).toBe(4);
    expect(await amount()).toBe(9_000);
  });

  test('go upstream under the mapped name, in a form as well', async () => {
    const settings = { baseUrl: upstream.url, models, modelMapping: '{"dall-e-2":"drawer"}' };
    await relay.put.channel(aChannel(1, settings));
    const fields = { prompt: 'add a gate', model: 'dall-e-2' };
    await sendForm('/v1/images/edits', formOf(fields, { image: aPicture }));
    const form = await receivedForm();
    expect([form.getAll('model'), form.get('prompt')]).toEqual([['drawer'], 'add a gate']);
  });

  test('have no variations but those of one model', async () => {
    const made = await sendForm('/v1/images/variations', formOf({}, { image: aPicture }));
    expect(made.status).toBe(200);
    const other = formOf({ model: 'dall-e-3' }, { image: aPicture });
    const refused = await sendForm('/v1/images/variations', other);
    expect([refused.status, errorOf(refused).code]).toEqual([501, 'api_not_implemented']);
  });

  test('stream: partial ones are passed on, the last one carries the bill', async () => {
    const usage = { input_tokens: 10, output_tokens: 100 };
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const type of ['image_generation.partial_image', 'image_generation.completed']) {
        const event = { type, b64_json: 'A'.repeat(100_000), usage };
        res.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      res.end();
    };
    const body = { model: 'gpt-image-1', prompt: 'a gate', stream: true, partial_images: 1 };
    const reply = await sendJson('/v1/images/generations', body);
    expect(reply.text.match(/^event: /gm)).toHaveLength(2);
    expect(reply.text.endsWith('\n\n')).toBe(true);
    expect(await amount()).toBe((10 + 100 * 8) * 2.5);
  });
});

describe('speech', () => {
  const sound = Buffer.alloc(40_000, 200);
  beforeEach(() => {
    answer = (_req, res) => res.writeHead(200, { 'content-type': 'audio/mpeg' }).end(sound);
  });

  test('is passed on as the file, paid by the character', async () => {
    const body = { model: 'tts-1', input: `${'é'.repeat(999)}🎵`, voice: 'alloy' };
    const reply = await sendJson('/v1/audio/speech', body);
    expect(reply.headers['content-type']).toBe('audio/mpeg');
    expect(reply.body.equals(sound)).toBe(true);
    expect(await amount()).toBe(7_500);
  });

  test('of newer voices is paid by the token', async () => {
    await sendJson('/v1/audio/speech', {
      model: 'gpt-4o-mini-tts',
      input: 'Hello world',
      voice: 'a',
    });
    const { usage } = await relay.journal.used();
    expect(usage).toMatchObject({ promptTokens: 2, completionTokens: 0 });
  });

  test('begins before it is whole', async () => {
    let release = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'audio/mpeg' });
      res.write(sound);
      void waiting.then(() => res.end(sound));
    };
    const first = await fetch(`http://127.0.0.1:${relay.port}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${'k'.repeat(48)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tts-1', input: 'Hello', voice: 'alloy' }),
    });
    expect(first.status).toBe(200);
    expect(relay.journal.outcomes).toHaveLength(0);
    release();
    expect((await first.arrayBuffer()).byteLength).toBe(80_000);
  });

  test('of nothing is refused', async () => {
    const reply = await sendJson('/v1/audio/speech', { model: 'tts-1', input: '', voice: 'alloy' });
    expect([reply.status, errorOf(reply).code]).toEqual([400, 'invalid_audio_request']);
  });

  test('names a model for callers that name none', async () => {
    await sendJson('/v1/audio/speech', { input: 'Hello', voice: 'alloy' });
    expect(receivedJson()).toEqual({ input: 'Hello', voice: 'alloy', model: 'tts-1' });
  });

  test.each([[['tts-1-hd']], [5], [{}]])('with the model %j is refused', async (model) => {
    const reply = await sendJson('/v1/audio/speech', { model, input: 'Hi', voice: 'alloy' });
    expect([reply.status, errorOf(reply).param]).toEqual([400, 'model']);
    expect(upstream.requests).toHaveLength(0);
  });

  test.each(['', null])('with the model %j is charged and sent as the default', async (model) => {
    answer = (_req, res) => res.writeHead(200, { 'content-type': 'audio/mpeg' }).end('sound');
    await sendJson('/v1/audio/speech', { model, input: 'Hello', voice: 'alloy' });
    expect(receivedJson()).toEqual({ input: 'Hello', voice: 'alloy', model: 'tts-1' });
    expect((await relay.journal.used()).call.model).toBe('tts-1');
  });

  test('that the provider refuses costs nothing', async () => {
    answer = json({ error: { message: 'no', type: 'invalid_request_error', code: null } }, 400);
    const reply = await sendJson('/v1/audio/speech', { model: 'tts-1', input: 'Hi', voice: 'x' });
    expect([reply.status, errorOf(reply).type]).toEqual([400, 'invalid_request_error']);
    await relay.journal.failed();
    expect(relay.leases.settled[0]?.amount).toBe(0);
  });
});

describe('transcripts', () => {
  beforeEach(() => {
    answer = json({ text: 'Hello there' });
  });

  test.each(['transcriptions', 'translations'])(
    '%s are paid by the length of the sound',
    async (name) => {
      const fields = { model: 'whisper-1', language: 'en' };
      const reply = await sendForm(`/v1/audio/${name}`, formOf(fields, { file: aSound(61.2) }));
      expect(JSON.parse(reply.text)).toEqual({ text: 'Hello there' });
      expect((await receivedForm()).get('language')).toBe('en');
      expect(await amount()).toBe(15_495);
    },
  );

  test('are paid by the tokens that the provider counts, sound at its own price', async () => {
    const input = { input_token_details: { text_tokens: 0, audio_tokens: 140 } };
    const usage = { type: 'tokens', input_tokens: 140, ...input, output_tokens: 20 };
    answer = json({ text: 'Hello there', usage });
    const form = formOf({ model: 'gpt-4o-transcribe' }, { file: aSound(14) });
    await sendForm('/v1/audio/transcriptions', form);
    // 140 of sound at 2.4, 20 of text at 4 for its family, all at ratio 1.25
    expect(await amount()).toBe((140 * 2.4 + 20 * 4) * 1.25);
  });

  test('are paid by the duration that the provider reports', async () => {
    answer = json({ text: 'Hello there', usage: { type: 'duration', seconds: 120 } });
    await sendForm('/v1/audio/transcriptions', formOf({ model: 'whisper-1' }, { file: aSound(1) }));
    expect(await amount()).toBe(30_000);
  });

  test('are returned as plain text where that was requested', async () => {
    answer = (_req, res) =>
      res.writeHead(200, { 'content-type': 'text/plain' }).end('Hello there\n');
    const fields = { model: 'whisper-1', response_format: 'text' };
    const form = formOf(fields, { file: aSound(60) });
    const reply = await sendForm('/v1/audio/transcriptions', form);
    expect([reply.text, reply.headers['content-type']]).toEqual(['Hello there\n', 'text/plain']);
    expect(await amount()).toBe(15_000);
  });

  test('stream while they are recognised', async () => {
    const events = [
      { type: 'transcript.text.delta', delta: 'Hello' },
      { type: 'transcript.text.done', text: 'Hello', usage: { input_tokens: 9, output_tokens: 1 } },
    ];
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    };
    const fields = { model: 'gpt-4o-transcribe', stream: 'true' };
    const form = formOf(fields, { file: aSound(14) });
    const reply = await sendForm('/v1/audio/transcriptions', form);
    expect(reply.text).toBe(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    expect((await relay.journal.used()).usage).toMatchObject({
      promptTokens: 9,
      completionTokens: 1,
    });
  });

  test('name a model for callers that name none', async () => {
    await sendForm('/v1/audio/transcriptions', formOf({ language: 'en' }, { file: aSound(1) }));
    expect((await receivedForm()).get('model')).toBe('whisper-1');
    expect((await relay.journal.used()).call.model).toBe('whisper-1');
  });

  test.each([
    ['without a file', formOf({ model: 'whisper-1' }), 'invalid_audio_request'],
    [
      'of an empty file',
      formOf({ model: 'whisper-1' }, { file: new Blob([]) }),
      'invalid_audio_request',
    ],
  ])('%s are refused', async (_name, form, code) => {
    const reply = await sendForm('/v1/audio/transcriptions', form);
    expect([reply.status, errorOf(reply).code]).toEqual([400, code]);
  });

  test('requested under two names are refused: the provider might read the other one', async () => {
    const form = formOf({ model: 'whisper-1' }, { file: aSound(1) });
    form.append('model', 'gpt-4o-transcribe');
    const reply = await sendForm('/v1/audio/transcriptions', form);
    expect([reply.status, errorOf(reply).param]).toEqual([400, 'model']);
  });

  test('in a broken form are refused', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
    for (const body of [
      '',
      '--edge',
      '--edge\r\n\r\nx',
      '--edge\r\nContent-Disposition: form-data; name="model"\r\n\r\nx',
    ]) {
      const reply = await relay.send('/v1/audio/transcriptions', body, headers);
      expect(reply.status).toBe(400);
    }
  });
});

describe('the old path of embeddings', () => {
  test('takes the model from the path where the body names none', async () => {
    const usage = { prompt_tokens: 2, total_tokens: 2 };
    answer = json({ object: 'list', data: [], usage });
    await relay.put.option('ModelRatio', '{"text-embedding-3-small":0.01}');
    await sendJson('/v1/engines/text-embedding-3-small/embeddings', { input: 'hello' });
    expect(upstream.requests[0]?.path).toBe('/v1/embeddings');
    expect(receivedJson()).toEqual({ input: 'hello', model: 'text-embedding-3-small' });
  });
});
