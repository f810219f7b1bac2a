import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  aChannel,
  type Harness,
  json,
  type Reply,
  rawKey,
  sealedFor,
  startHarness,
  startUpstream,
  type UpstreamSpy,
} from '../support/relay/relay-harness.ts';
import { aWave } from '../support/sounds.ts';

let relay: Harness;
let upstream: UpstreamSpy;
let answer: Answer;

beforeEach(async () => {
  upstream = await startUpstream((...all) => answer(...all));
  relay = await startHarness();
  await relay.put.option('ModelPrice', '{"drawer":0.03}');
  await relay.put.option('ModelRatio', '{"tts-1":7.5,"listener":15}');
});
afterEach(async () => {
  await relay.close();
  upstream.close();
});

const channelOf = (type: number, more: object = {}): Promise<void> => {
  const models = ['drawer', 'tts-1', 'listener'];
  const modelMapping = '{"drawer":"imagen-3","listener":"@cf/openai/whisper"}';
  const settings = { type, baseUrl: upstream.url, models, modelMapping, ...more };
  return relay.put.channel(aChannel(1, settings));
};

const send = async (path: string, body: object | FormData): Promise<Reply> => {
  if (!(body instanceof FormData)) return relay.send(path, JSON.stringify(body));
  const whole = new Response(body);
  const type = whole.headers.get('content-type') ?? '';
  return relay.send(path, Buffer.from(await whole.arrayBuffer()), { 'content-type': type });
};

const amount = async (): Promise<number | undefined> => {
  await relay.journal.used();
  return relay.leases.settled[0]?.amount;
};
const asked = () => upstream.requests[0];
const askedJson = () => JSON.parse(asked()?.body.toString() ?? 'null');

const generations = '/v1/images/generations';
const twoPictures = { model: 'drawer', prompt: 'a gate', n: 2, size: '1024x1792' };
const url = 'https://pictures.test/1.png';
/** 0.03 USD × size 2 × 2 pictures. */
const costOfTwo = 60_000;

describe('pictures in a protocol of the provider’s own', () => {
  test('Gemini draws by prediction, and its 258 tokens for each are not what is paid', async () => {
    await channelOf(24);
    answer = json({
      predictions: [{ bytesBase64Encoded: 'QQ==' }, { bytesBase64Encoded: 'QkI=' }],
    });
    const reply = await send(generations, twoPictures);
    expect(JSON.parse(reply.text).data).toEqual([{ b64_json: 'QQ==' }, { b64_json: 'QkI=' }]);
    expect(asked()?.path).toBe('/v1beta/models/imagen-3:predict');
    expect(askedJson().parameters).toMatchObject({ sampleCount: 2, aspectRatio: '9:16' });
    expect(await amount()).toBe(costOfTwo);
  });

  test('Ali, SiliconFlow and xAI get requests in their own form', async () => {
    const answers: readonly (readonly [number, string, object, object])[] = [
      [
        17,
        '{"drawer":"qwen-image"}',
        { output: { choices: [{ message: { content: [{ image: url }] } }] } },
        { parameters: { size: '1024*1792', n: 2 } },
      ],
      [40, '', { images: [{ url }] }, { image_size: '1024x1792', batch_size: 2 }],
      [48, '', { data: [{ url }] }, { n: 2 }],
    ];
    for (const [at, [type, modelMapping, produced, expected]] of answers.entries()) {
      await channelOf(type, { modelMapping });
      answer = json(produced);
      const reply = await send(generations, twoPictures);
      expect(JSON.parse(reply.text)).toMatchObject({ data: [{ url }] });
      expect(JSON.parse(upstream.requests[at]?.body.toString() ?? '')).toMatchObject(expected);
      await relay.journal.used(at);
      expect(relay.leases.settled[at]?.amount).toBe(costOfTwo);
    }
  });

  test('Azure edits them on the path of the deployment', async () => {
    await channelOf(3);
    answer = json({ created: 1, data: [{ b64_json: 'QQ==' }] });
    const form = new FormData();
    for (const [name, value] of [
      ['model', 'drawer'],
      ['prompt', 'open it'],
      ['stream', 'true'],
    ]) {
      form.append(name ?? '', value ?? '');
    }
    form.append('image', new Blob(['picture']), 'gate.png');
    expect((await send('/v1/images/edits', form)).status).toBe(200);
    expect(asked()?.path).toMatch(/^\/openai\/deployments\/imagen-3\/images\/edits\?api-version=/);
    const text = asked()?.body.toString() ?? '';
    expect([text.includes('gate.png'), text.includes('imagen-3')]).toEqual([true, true]);
    expect(text).not.toContain('name="stream"');
    expect(await amount()).toBe(15_000);
  });

  test('are sent as events to a caller who reads a stream', async () => {
    await channelOf(24);
    answer = json({
      predictions: [{ bytesBase64Encoded: 'QQ==' }, { bytesBase64Encoded: 'QkI=' }],
    });
    const reply = await send(generations, { ...twoPictures, stream: true });
    expect(reply.headers['content-type']).toBe('text/event-stream');
    const events = reply.text.split('\n\n').filter((event) => event !== '');
    expect(events.map((event) => event.split('\n')[0])).toEqual(
      Array(2).fill('event: image_generation.completed'),
    );
    expect(events[1]).toContain('"b64_json":"QkI="');
    expect(askedJson().stream).toBeUndefined();
    expect(await amount()).toBe(costOfTwo);
  });

  test('a provider that makes none is not called', async () => {
    answer = json({});
    for (const [type, path, body] of [
      [17, '/v1/images/edits', { ...twoPictures, image: url }],
      [43, generations, twoPictures],
      [14, '/v1/audio/speech', { model: 'tts-1', input: 'Hello', voice: 'alloy' }],
    ] as const) {
      await channelOf(type);
      const reply = await send(path, body);
      expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([400, 'invalid_api_type']);
    }
    expect(upstream.requests).toHaveLength(0);
  });

  test('those that the provider filtered away cost nothing', async () => {
    await channelOf(24);
    answer = json({ predictions: [{ raiFilteredReason: 'no' }] });
    const reply = await send(generations, twoPictures);
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([400, 'no_images']);
    await relay.journal.failed();
    expect(relay.leases.settled[0]?.amount).toBe(0);
  });
});

describe('sound in a protocol of the provider’s own', () => {
  test('Azure makes speech: the file is passed on unchanged', async () => {
    await channelOf(3);
    answer = (_req, res) => res.writeHead(200, { 'content-type': 'audio/mpeg' }).end('sound');
    const reply = await send('/v1/audio/speech', { model: 'tts-1', input: 'Hello', voice: 'a' });
    expect([reply.text, reply.headers['content-type']]).toEqual(['sound', 'audio/mpeg']);
    expect(await amount()).toBe(38);
  });

  test('Azure makes speech for a caller who reads a stream: the file is sent as events', async () => {
    await channelOf(3);
    const sound = Buffer.alloc(100_000, 'sound');
    answer = (_req, res) => res.writeHead(200, { 'content-type': 'audio/mpeg' }).end(sound);
    const speech = { model: 'tts-1', input: 'Hello', voice: 'a', stream_format: 'sse' };
    const reply = await send('/v1/audio/speech', speech);
    expect(askedJson().stream_format).toBeUndefined();
    expect(reply.headers['content-type']).toBe('text/event-stream');
    const events = reply.text.trimEnd().split('\n\n');
    const read = events.map((event) => JSON.parse(event.split('\n')[1]?.slice(6) ?? ''));
    const last = read.pop();
    expect(last).toEqual({
      type: 'speech.audio.done',
      usage: { input_tokens: 5, output_tokens: 0, total_tokens: 5 },
    });
    expect(new Set(read.map(({ type }) => type))).toEqual(new Set(['speech.audio.delta']));
    const pieces = read.map(({ audio }) => Buffer.from(audio, 'base64'));
    expect(Buffer.concat(pieces).equals(sound)).toBe(true);
    expect(await amount()).toBe(38);
  });

  test.each([
    [35, 'k', { data: { audio: '736f756e64' }, base_resp: { status_code: 0 } }, '/v1/t2a_v2'],
    [45, 'app|token', { reqid: 'r', code: 3_000, data: 'c291bmQ=' }, '/api/v1/tts'],
  ])(
    'type %i returns speech inside JSON: the caller gets the file',
    async (type, key, produced, path) => {
      const settings = { type, baseUrl: upstream.url, models: ['tts-1'] };
      await relay.put.channel({ ...aChannel(1, settings), sealedKey: sealedFor(1, key) });
      answer = json(produced);
      const speech = { model: 'tts-1', input: 'Hello', voice: 'a' };
      const reply = await send('/v1/audio/speech', speech);
      expect([reply.text, reply.headers['content-type']]).toEqual(['sound', 'audio/mpeg']);
      expect(asked()?.path).toBe(path);
      expect(await amount()).toBe(38);
      answer = json({ reqid: 'r', code: 3_050, base_resp: { status_code: 2_013 } });
      expect((await send('/v1/audio/speech', speech)).status).toBe(400);
      expect(relay.leases.settled.at(-1)?.amount).toBe(0);
    },
  );

  describe('Azure listens to a caller who reads a stream', () => {
    const produced = (type: string, more: object): string =>
      `data: ${JSON.stringify({ type: `transcript.text.${type}`, ...more })}\n\n`;
    const usage = { type: 'tokens', input_tokens: 9, output_tokens: 2, total_tokens: 11 };
    const form = (): FormData => {
      const fields = new FormData();
      for (const [name, value] of [
        ['model', 'listener'],
        ['stream', 'true'],
        ['language', 'en'],
      ] as const) {
        fields.append(name, value);
      }
      fields.append('file', new Blob([new Uint8Array(aWave(30))]), 'hello.wav');
      return fields;
    };

    test.each([
      ['', '/openai/deployments/%40cf%2Fopenai%2Fwhisper/audio/transcriptions?api-version='],
      ['v1', '/openai/v1/audio/transcriptions'],
    ])(
      'each word is passed on when it was recognised, and is charged, version "%s"',
      async (other, path) => {
        await channelOf(3, { other });
        let goOn: () => void = () => {};
        answer = (_req, res) => {
          res.writeHead(200, { 'content-type': 'text/event-stream' });
          res.write(produced('delta', { delta: 'Hello' }));
          goOn = () => res.end(produced('done', { text: 'Hello', usage }));
        };
        const reply = await fetch(`http://127.0.0.1:${relay.port}/v1/audio/transcriptions`, {
          method: 'POST',
          headers: { authorization: `Bearer sk-${rawKey}` },
          body: form(),
        });
        expect(reply.headers.get('content-type')).toBe('text/event-stream');
        const pieces: string[] = [];
        for await (const piece of reply.body ?? []) {
          pieces.push(Buffer.from(piece).toString());
          goOn();
        }
        expect(pieces).toEqual([
          produced('delta', { delta: 'Hello' }),
          produced('done', { text: 'Hello', usage }),
        ]);
        expect(asked()?.path).toContain(path);
        expect(asked()?.headers).toMatchObject({ 'api-key': 'upstream-key-1' });
        const sent = asked()?.body.toString('latin1') ?? '';
        expect(sent).toContain('@cf/openai/whisper');
        expect(sent).toContain('name="language"');
        expect((await relay.journal.used()).usage).toMatchObject({
          promptTokens: 9,
          completionTokens: 2,
        });
        expect(await amount()).toBe((9 + 2) * 15);
      },
    );

    test('a model that writes in one piece is passed on and charged by the time', async () => {
      await channelOf(3);
      answer = json({ text: 'Hello' });
      const reply = await send('/v1/audio/transcriptions', form());
      expect(JSON.parse(reply.text)).toEqual({ text: 'Hello' });
      expect(await amount()).toBe(7_500);
    });

    test('a refusal is reported with the text of the provider', async () => {
      await channelOf(3);
      answer = json({ error: { code: 'DeploymentNotFound', message: 'no such thing' } }, 404);
      const reply = await send('/v1/audio/transcriptions', form());
      expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([
        404,
        'DeploymentNotFound',
      ]);
    });
  });

  test('Cloudflare listens to the bytes alone', async () => {
    await channelOf(39, { other: 'account' });
    answer = json({ success: true, result: { text: 'Hello', word_count: 1 } });
    const form = new FormData();
    form.append('model', 'listener');
    form.append('file', new Blob([new Uint8Array(aWave(30))]), 'hello.wav');
    const reply = await send('/v1/audio/transcriptions', form);
    expect(JSON.parse(reply.text)).toEqual({ text: 'Hello' });
    expect(asked()?.body.equals(aWave(30))).toBe(true);
    expect(await amount()).toBe(7_500);
  });
});
