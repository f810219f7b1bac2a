import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../relay/protocol/canonical.ts';
import { createContentStream } from '../../relay/protocol/gemini/translate.ts';
import {
  aChannel,
  type Harness,
  json,
  rawKey,
  startHarness,
  startUpstream,
  type UpstreamSpy,
} from '../support/relay/relay-harness.ts';

let relay: Harness;
let upstream: UpstreamSpy;
beforeEach(async () => {
  relay = await startHarness();
  upstream = await startUpstream(json({ error: { message: 'not now' } }, 400));
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});

const put = (type: number, model: string): Promise<void> =>
  relay.put.channel(aChannel(1, { type, baseUrl: upstream.url, models: [model] }));
const sent = (): ReturnType<typeof JSON.parse> =>
  JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '');

const claude = 'claude-3-7-sonnet-20250219';
const askClaude = async (content: unknown): Promise<ReturnType<typeof JSON.parse>> => {
  await put(14, claude);
  await relay.put.option('ModelRatio', JSON.stringify({ [claude]: 1 }));
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content },
    { role: 'user', content: 'And?' },
  ];
  await relay.send('/v1/messages', JSON.stringify({ model: claude, max_tokens: 9, messages }));
  return sent().messages[1].content;
};

const thought = (signature: string): JsonObject => ({
  type: 'thinking',
  thinking: 'Hm',
  signature,
});
const words = { type: 'text', text: 'Here.' };

test('a conversation that began with Gemini reaches Claude without its thoughts', async () => {
  const own = thought('c2ln');
  expect(await askClaude([thought('google:cHJvb2Y='), thought(''), own, words])).toEqual([
    own,
    words,
  ]);
});

test('a turn of foreign thoughts alone is not empty', async () => {
  expect(await askClaude([thought('google:cHJvb2Y=')])).toBe('...');
});

test('the bytes of a conversation with Claude reach Claude unchanged', async () => {
  await askClaude([thought('c2ln'), words]);
  expect(upstream.requests.at(-1)?.body.toString()).toContain(
    '"content":[{"type":"thinking","thinking":"Hm","signature":"c2ln"},{"type":"text"',
  );
});

const askGemini = async (
  model: string,
  parts: readonly JsonObject[],
): Promise<readonly JsonObject[]> => {
  await put(24, model);
  await relay.put.option('ModelRatio', JSON.stringify({ [model]: 1 }));
  const contents = [
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts },
    { role: 'user', parts: [{ functionResponse: { name: 'find', response: { ok: true } } }] },
  ];
  const path = `/v1beta/models/${model}:generateContent`;
  const key = { authorization: '', 'x-goog-api-key': rawKey };
  await relay.send(path, JSON.stringify({ contents }), key);
  return sent().contents[1].parts;
};

const call = { functionCall: { name: 'find', args: {} } };
const ofClaude = Buffer.from('claude:c2ln').toString('base64');
const skipped = 'skip_thought_signature_validator';

test('a conversation that began with Claude reaches Gemini without its signatures', async () => {
  const parts = [{ text: 'Hm', thought: true, thoughtSignature: ofClaude }, { text: 'So:' }, call];
  expect(await askGemini('gemini-3-pro-preview', parts)).toEqual([
    { text: 'So:' },
    { ...call, thoughtSignature: skipped },
  ]);
  expect(await askGemini('gemini-2.5-flash', parts)).toEqual([{ text: 'So:' }, call]);
});

test("the first of several calls has a signature, Gemini's own or the documented one", async () => {
  expect(await askGemini('gemini-3-pro-preview', [call, call])).toEqual([
    { ...call, thoughtSignature: skipped },
    call,
  ]);
  const own = { ...call, thoughtSignature: 'cHJvb2Y=' };
  expect(await askGemini('gemini-3-pro-preview', [own, call])).toEqual([own, call]);
  const snake = { ...call, thought_signature: 'cHJvb2Y=' };
  expect(await askGemini('gemini-3-pro-preview', [snake])).toEqual([own]);
});

test("Claude's streamed signature goes to a caller of Gemini with words of its thought", () => {
  const stream = createContentStream(claude);
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const answers = [
    ...stream.push(chunk({ reasoning_content: 'H' })),
    ...stream.push(chunk({ reasoning_content: 'm' })),
    ...stream.push(chunk({ reasoning_details: [{ type: 'reasoning.text', signature: 'c2ln' }] })),
    ...stream.push(chunk({ reasoning_content: 'Unsigned' })),
    ...stream.push(chunk({ content: 'Here.' })),
    ...stream.push(chunk({ reasoning_content: 'Last' }, 'stop')),
    ...stream.end(),
  ];
  const parts = answers.flatMap(({ candidates }) =>
    Array.isArray(candidates) ? candidates.flatMap((own) => own.content.parts) : [],
  );
  expect(parts).toEqual([
    { text: 'H', thought: true },
    { text: 'm', thought: true, thoughtSignature: ofClaude },
    { text: 'Unsigned', thought: true },
    { text: 'Here.' },
    { text: 'Last', thought: true },
  ]);
});
