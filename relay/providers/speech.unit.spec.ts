import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { aContext, answered, requestOf, sentJson } from '../../tests/support/translation-play.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { miniMax } from './minimax/translate.ts';
import { volcEngine } from './volcengine/translate.ts';

type Recorded = Readonly<{
  asked: JsonObject;
  sent: Readonly<{ url: string; headers: JsonObject; body: JsonObject }>;
  answer: JsonObject;
  refused: JsonObject;
}>;

const recorded = (provider: string): Recorded =>
  JSON.parse(readFileSync(new URL(`${provider}/fixtures/speech.json`, import.meta.url), 'utf8'));

const providers = [
  {
    name: 'minimax',
    adapter: miniMax,
    channel: { type: 35, key: 'sk-test' },
    sound: 'fLaC',
    contentType: 'audio/flac',
    refusal: { status: 402, code: 1_008, message: 'insufficient balance' },
    silent: { data: { audio: 'no hex' }, base_resp: { status_code: 0 } },
    unknownFormat: 'opus',
  },
  {
    name: 'volcengine',
    adapter: volcEngine,
    channel: { type: 45, key: 'app123|t0ken' },
    sound: 'OggS',
    contentType: 'audio/ogg',
    refusal: { status: 429, code: 3_003, message: 'quota exceeded for types: concurrency' },
    silent: { reqid: 'r', code: 3_000, data: '' },
    unknownFormat: 'flac',
  },
] as const;

describe.each(providers)('speech of $name', (provider) => {
  const { adapter, channel, name } = provider;
  const { asked, sent, answer, refused } = recorded(name);
  const contextOf = (body: JsonObject, more: object = {}) =>
    aContext({ body, endpoint: '/v1/audio/speech', channel: { ...channel, ...more } });

  test('is requested in its own form, with everything that the caller gave', async () => {
    const { url, headers, body } = await requestOf(adapter, contextOf(asked));
    expect(url).toBe(sent.url);
    expect(headers).toMatchObject(sent.headers);
    const own: JsonObject = JSON.parse(String(body));
    expect(own).toMatchObject(sent.body);
    const { reqid, ...request } = Object(own.request);
    if (name === 'volcengine') {
      expect(own).toEqual({ ...sent.body, request: { ...request, reqid } });
      expect(reqid).not.toBe('mine');
      expect(String(reqid)).not.toBe('');
    } else expect(own).toEqual(sent.body);
  });

  test('is returned as the file that it is', async () => {
    const reply = await answered(adapter, contextOf(asked), answer);
    const { sound, contentType } = provider;
    expect(reply).toMatchObject({ status: 200, contentType, usage: null });
    const body = 'body' in reply && Buffer.isBuffer(reply.body) ? reply.body : Buffer.alloc(0);
    expect(body).toEqual(Buffer.concat([Buffer.from(sound), Buffer.from([0xff, 0x00])]));
  });

  test('that is refused is reported with its own code, whatever the status is', async () => {
    expect(await answered(adapter, contextOf(asked), refused)).toMatchObject(provider.refusal);
    const body = Buffer.from(JSON.stringify(refused));
    const { code, message } = provider.refusal;
    const produced = adapter.failure({ status: 403, headers: {}, body });
    expect(produced).toMatchObject({ code, message });
  });

  test('without a sound is of no use, as is a page of a web site', async () => {
    for (const produced of [provider.silent, {}, '<html>']) {
      const reply = await answered(adapter, contextOf(asked), produced);
      expect(reply).toMatchObject({ status: 502, code: 'bad_response_body' });
    }
  });

  test('in a format that it does not have is refused before any provider is called', async () => {
    const wanted = { ...asked, response_format: provider.unknownFormat };
    const made = await adapter.request(contextOf(wanted));
    expect(made).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('is mp3 by default, and a voice may be an object', async () => {
    const plain = { model: asked.model, input: 'Hi', voice: { id: 'own-voice' } };
    const reply = await answered(adapter, contextOf(plain), answer);
    expect(reply).toMatchObject({ contentType: 'audio/mpeg' });
    const text = JSON.stringify(await sentJson(adapter, contextOf(plain)));
    expect(text).toMatch(/"(?:format|encoding)":"mp3"/);
    expect(text).toMatch(/"(?:voice_id|voice_type)":"own-voice"/);
    expect(text).not.toMatch(/speed/);
  });

  test('goes to the address of the operator', async () => {
    const own = contextOf(asked, { base_url: 'https://own.example/' });
    expect((await requestOf(adapter, own)).url).toBe(
      sent.url.replace(/^https:\/\/[^/]+/, 'https://own.example'),
    );
  });
});

describe('speech of volcengine', () => {
  const speech = (key: string, base_url = '', model = 'volcano_icl') =>
    aContext({
      body: { model, input: 'Hi', voice: 'S_1' },
      endpoint: '/v1/audio/speech',
      channel: { type: 45, key, base_url },
    });

  test('of a cloned voice is made by the cluster that the model names', async () => {
    const { app } = await sentJson(volcEngine, speech('a|b'));
    expect(app).toMatchObject({ cluster: 'volcano_icl' });
  });

  test('is not at the address of its chats', async () => {
    const context = speech('a|b', 'https://ark.ap-southeast.volces.com');
    expect((await requestOf(volcEngine, context)).url).toMatch(/^https:\/\/openspeech\./);
  });

  test('requires a key of two parts', async () => {
    const code = 'channel_configuration_error';
    expect(await volcEngine.request(speech('ark-key'))).toMatchObject({ status: 500, code });
  });
});
