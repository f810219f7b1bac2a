import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOptionBook } from '../../relay/feeds/options.ts';
import { compileChannel } from '../../relay/feeds/upstream-channel.ts';
import type { TextCall } from '../../relay/protocol/calls.ts';
import { scanned } from '../../relay/protocol/normalise.ts';
import type { EnvelopeContext } from '../../relay/providers/types.ts';
import { vertexEnvelope } from '../../relay/providers/vertex/native.ts';
import {
  type Answer,
  aChannel,
  chatBody,
  type Harness,
  json,
  sealedFor,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  vault,
} from '../support/relay/relay-harness.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { fakeIo, familySettings } from '../support/vectors/context.ts';
import { chunkFrame, frameOf } from './preservation/streams.ts';

const exception = frameOf(
  { ':message-type': 'exception', ':exception-type': 'throttlingException' },
  { message: 'slow down' },
);

const model = 'claude-3-7-sonnet-20250219';
const usage = { input_tokens: 5, output_tokens: 1 };
const start = {
  type: 'message_start',
  message: { id: 'm', role: 'assistant', content: [], usage },
};
const signed = {
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'signature_delta', signature: 'sig' },
};
const odd = {
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'Zoë' },
  odd: 0,
};
const stop = {
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  usage: { output_tokens: 9 },
};
const last = { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 5 } };

let relay: Harness;
let upstream: UpstreamSpy;
let answer: Answer;

beforeEach(async () => {
  relay = await startHarness();
  upstream = await startUpstream((req, res, body) => answer(req, res, body));
  await relay.put.option('ModelRatio', `{"${model}":1,"${model}-thinking":1}`);
  await relay.put.channel({
    ...aChannel(1, {
      type: 33,
      baseUrl: upstream.url,
      models: [model, `${model}-thinking`],
    }),
    sealedKey: sealedFor(1, 'AK|secret|us-east-1'),
  });
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});

const body = (more: object = {}) =>
  chatBody({
    model,
    max_tokens: 64,
    temperature: 0,
    metadata: { user_id: 'u' },
    odd: { a: 0 },
    ...more,
  });
const ask = (text: string) =>
  relay.send('/v1/messages', text, { 'anthropic-beta': 'context-1m-2025-08-07' });
const sent = () => JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '');
const binary =
  (frames: readonly Buffer[]): Answer =>
  (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    const bytes = Buffer.concat(frames);
    for (let at = 0; at < bytes.length; at += 50) res.write(bytes.subarray(at, at + 50));
    res.end();
  };

describe('callers of the Messages API on Bedrock', () => {
  test('are signed for and otherwise left alone', async () => {
    const produced = {
      type: 'message',
      content: [{ type: 'thinking', thinking: 't', signature: 's' }],
      usage,
    };
    answer = json(produced);
    const reply = await ask(body());
    expect(JSON.parse(reply.text)).toEqual(produced);
    const [request] = upstream.requests;
    expect(decodeURIComponent(request?.path ?? '')).toBe(
      '/model/us.anthropic.claude-3-7-sonnet-20250219-v1:0/invoke',
    );
    expect(request?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AK\//);
    const { model: _, ...rest } = JSON.parse(body());
    expect(sent()).toEqual({
      ...rest,
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['context-1m-2025-08-07'],
    });
    expect((await relay.journal.used()).usage).toMatchObject({
      promptTokens: 5,
      completionTokens: 1,
    });
  });

  test('get the frames as the events that they read, signatures and unknown members included', async () => {
    answer = binary([start, signed, odd, stop, last].map(chunkFrame));
    const reply = await ask(body({ stream: true }));
    expect(reply.headers['content-type']).toBe('text/event-stream');
    const events = [start, signed, odd, stop, last].map(
      (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    );
    expect(reply.text).toBe(events.join(''));
    expect(sent().stream).toBeUndefined();
    expect(await relay.journal.used()).toMatchObject({
      end: 'complete',
      usage: { promptTokens: 5, completionTokens: 9 },
    });
  });

  test('get an exception: with a status before the first text, as an event after it', async () => {
    answer = binary([exception]);
    expect((await ask(body({ stream: true }))).status).toBeGreaterThanOrEqual(400);
    expect((await relay.journal.failed()).message).toContain('slow down');
    answer = binary([chunkFrame(start), chunkFrame(odd), exception]);
    const reply = await ask(body({ stream: true }));
    expect(reply.text).toContain('Zoë');
    expect(reply.text).toContain('event: error');
    expect(await relay.journal.used(1)).toMatchObject({ end: 'upstream-broken' });
  });

  test('get an error for damaged frames', async () => {
    answer = binary([Buffer.alloc(64, 0xff)]);
    expect((await ask(body({ stream: true }))).status).toBe(502);
  });

  test('may request thinking by the name, and send files by address', async () => {
    answer = json({ type: 'message', content: [], usage });
    await ask(body({ model: `${model}-thinking`, max_tokens: 2_000, top_p: 0.5 }));
    expect(sent()).toMatchObject({
      max_tokens: 2_000,
      temperature: 1,
      thinking: { type: 'enabled', budget_tokens: 1_600 },
      odd: { a: 0 },
    });
    expect(sent().top_p).toBeUndefined();
    const image = { type: 'image', source: { type: 'url', url: 'http://127.0.0.1/secret.png' } };
    const reply = await ask(body({ messages: [{ role: 'user', content: [image] }] }));
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('callers at the host of many houses', () => {
  const options = { ...createOptionBook(silentLogger).current(), families: familySettings };
  const callOf = (protocol: 'claude' | 'gemini', name: string, isStream: boolean): TextCall => {
    const given = scanned(
      Buffer.from(protocol === 'claude' ? body({ model: name }) : '{"contents":[],"odd":0}'),
    );
    if (given === null) throw new Error('no JSON');
    return {
      ...given,
      operation: 'chat',
      protocol,
      path: '/v1/messages',
      clientPath: '/v1/messages',
      model: name,
      isStream,
      contentType: 'application/json',
      accept: '',
      ownHeaders: ['anthropic-beta', 'a,b'],
    };
  };
  const account = {
    type: 'service_account',
    project_id: 'proj',
    private_key_id: 'kid',
    private_key: 'unused',
    client_email: 'svc@proj.iam.gserviceaccount.com',
    token_uri: 'https://oauth2.googleapis.com/token',
  };
  const context = (upstreamModel: string): EnvelopeContext => ({
    channel: compileChannel(
      {
        ...aChannel(1, { type: 41, other: 'us-east5' }),
        sealedKey: sealedFor(1, JSON.stringify(account)),
      },
      vault,
    ),
    options,
    io: fakeIo({ exchanges: [], cachedValue: 'ya29.test' }),
    upstreamModel,
  });
  const made = async (protocol: 'claude' | 'gemini', name: string, isStream: boolean) => {
    const request = await vertexEnvelope(protocol, name)?.request(
      callOf(protocol, name, isStream),
      context(name),
    );
    if (request === undefined || !('url' in request)) throw new Error(JSON.stringify(request));
    return { ...request, json: JSON.parse(String(request.body)) };
  };

  test('reach Claude with every member that they sent', async () => {
    const request = await made('claude', model, true);
    expect(request.url).toBe(
      'https://us-east5-aiplatform.googleapis.com/v1/projects/proj/locations/us-east5/publishers/anthropic/models/claude-3-7-sonnet@20250219:streamRawPredict?alt=sse',
    );
    expect(request.headers.authorization).toBe('Bearer ya29.test');
    expect(request.json).toMatchObject({
      anthropic_version: 'vertex-2023-10-16',
      anthropic_beta: ['a', 'b'],
      odd: { a: 0 },
      temperature: 0,
      metadata: { user_id: 'u' },
    });
    expect(request.json.model).toBeUndefined();
  });

  test('reach Gemini with the bytes that they sent', async () => {
    const request = await made('gemini', 'gemini-2.5-flash', false);
    expect(request.url).toContain('publishers/google/models/gemini-2.5-flash:generateContent');
    expect(String(request.body)).toBe('{"contents":[],"odd":0}');
  });

  test('of another protocol are translated', () => {
    expect(vertexEnvelope('gemini', model)).toBeNull();
    expect(vertexEnvelope('claude', 'gemini-2.5-flash')).toBeNull();
  });
});
