import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../relay/protocol/canonical.ts';
import { aChannel, json, type Reply } from '../support/relay/relay-harness.ts';
import { relayScene } from '../support/relay/scene.ts';

const model = 'gemini-2.5-flash-image';
const usageMetadata = {
  ...{ promptTokenCount: 270, candidatesTokenCount: 1_290, totalTokenCount: 1_560 },
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 12 },
    { modality: 'IMAGE', tokenCount: 258 },
  ],
};
const answered = (parts: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', ...more }],
  usageMetadata,
});
const drawn = answered([
  { text: 'Here it is.' },
  { inlineData: { mimeType: 'image/png', data: 'QQ==' } },
]);
const scene = relayScene({ usual: json(drawn), hasChannel: false });

const put = async (upstreamModel = model): Promise<void> => {
  await scene.relay.put.option('ModelRatio', JSON.stringify({ drawer: 1 }));
  await scene.relay.put.channel(
    aChannel(1, {
      ...{ type: 24, baseUrl: scene.upstream.url, models: ['drawer'] },
      modelMapping: JSON.stringify({ drawer: upstreamModel }),
    }),
  );
};
const generate = (more: JsonObject = {}): Promise<Reply> =>
  scene.relay.send(
    '/v1/images/generations',
    JSON.stringify({ model: 'drawer', prompt: 'a gate', ...more }),
  );
const formOf = (
  fields: Readonly<Record<string, string>>,
  pictures: readonly string[],
): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const own of pictures) {
    form.append('image[]', new Blob([own], { type: 'image/webp' }), 'gate.webp');
  }
  return form;
};
const edit = async (form: FormData): Promise<Reply> => {
  const whole = new Response(form);
  const type = whole.headers.get('content-type') ?? '';
  const body = Buffer.from(await whole.arrayBuffer());
  return scene.relay.send('/v1/images/edits', body, { 'content-type': type });
};

describe('a model that draws within its answers', () => {
  test('makes a picture, which is paid by the tokens that the provider counts', async () => {
    await put();
    const reply = await generate({ size: '1792x1024' });
    expect(JSON.parse(reply.text)).toMatchObject({
      data: [{ b64_json: 'QQ==' }],
      usage: { input_tokens: 270, output_tokens: 1_290, total_tokens: 1_560 },
    });
    expect(scene.upstream.requests[0]?.path).toBe(`/v1beta/models/${model}:generateContent`);
    expect(scene.sent()).toMatchObject({
      contents: [{ role: 'user', parts: [{ text: 'a gate' }] }],
      generationConfig: {
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: { aspectRatio: '16:9' },
      },
    });
    expect((await scene.relay.journal.used()).usage).toMatchObject({
      ...{ promptTokens: 270, completionTokens: 1_290, imageInputTokens: 258 },
    });
  });

  test('changes pictures, in the order in which they arrived', async () => {
    await put();
    const form = formOf({ model: 'drawer', prompt: 'open it' }, ['one', 'two']);
    expect((await edit(form)).status).toBe(200);
    const picture = (text: string) => ({
      inlineData: { mimeType: 'image/webp', data: Buffer.from(text).toString('base64') },
    });
    expect(scene.sent().contents).toEqual([
      { role: 'user', parts: [picture('one'), picture('two'), { text: 'open it' }] },
    ]);
    expect(scene.relay.journal.outcomes).toHaveLength(1);
  });

  test('that returns text instead of a picture costs an error with that text', async () => {
    await put();
    scene.answer = json(answered([{ text: 'I do not draw gates.' }]));
    const reply = await generate();
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text).error.message).toContain('I do not draw gates.');
    scene.answer = json(answered([], { finishReason: 'IMAGE_SAFETY' }));
    expect((await generate()).text).toContain('IMAGE_SAFETY');
  });
});

test('what the provider cannot express is refused by name', async () => {
  await put();
  expect((await generate({ n: 2 })).text).toContain('n is 2');
  const masked = formOf({ model: 'drawer', prompt: 'open it' }, ['one']);
  masked.append('mask', new Blob(['mask'], { type: 'image/png' }), 'mask.png');
  expect((await edit(masked)).text).toContain('mask is not supported');
  await put('imagen-4');
  const form = formOf({ model: 'drawer', prompt: 'open it' }, ['one']);
  expect((await edit(form)).text).toContain('imagen-4 makes pictures and changes none');
  expect(scene.upstream.requests).toHaveLength(0);
});
