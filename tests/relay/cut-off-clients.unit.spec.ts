import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { balance, never, startPoor } from '../support/relay/cut-off-harness.ts';
import { type Harness, rawKey } from '../support/relay/relay-harness.ts';
import { model, wireCases } from './cut-off-wires.ts';

const apiKey = `sk-${rawKey}`;
const money = { account: balance, token: never };
const sending = { wordsPerEvent: 20, eventsPerWrite: 1 };
const messages = [{ role: 'user' as const, content: 'Hello' }];

/** A relay and the address that a client library is given. */
const poorFor = async (name: string): Promise<Readonly<{ relay: Harness; baseURL: string }>> => {
  const wire = wireCases.find((known) => known.name === name);
  if (wire === undefined) throw new Error(`no such wire: ${name}`);
  const relay = await startPoor(wire, sending, money);
  return { relay, baseURL: `http://127.0.0.1:${relay.port}` };
};

test.each(['a chat, passed through', 'a chat out of messages', 'a chat out of contents'])(
  'the openai library sees %s end at its length',
  async (name) => {
    const { baseURL } = await poorFor(name);
    const client = new OpenAI({ apiKey, baseURL: `${baseURL}/v1`, maxRetries: 0 });
    const run = client.chat.completions.stream({ model, messages });
    const { choices } = await run.finalChatCompletion().catch((error: unknown) => {
      // The library reports this reason as an error of its class, with the completion.
      if (error instanceof OpenAI.OpenAIError && run.currentChatCompletionSnapshot !== undefined) {
        return run.currentChatCompletionSnapshot;
      }
      throw error;
    });
    expect(choices[0]?.finish_reason).toBe('length');
    expect(choices[0]?.message.content?.length).toBeGreaterThan(10_000);
  },
);

test('the openai library sees a completion end at its length', async () => {
  const { baseURL } = await poorFor('a completion, passed through');
  const client = new OpenAI({ apiKey, baseURL: `${baseURL}/v1`, maxRetries: 0 });
  const chunks = await client.completions.create({ model, prompt: 'Hello', stream: true });
  let reason: string | null = null;
  for await (const chunk of chunks) reason = chunk.choices[0]?.finish_reason ?? reason;
  expect(reason).toBe('length');
});

test.each([
  'a response, passed through',
  'a response out of messages',
  'a response out of contents',
  'a response out of a chat',
])('the openai library sees %s end as incomplete', async (name) => {
  const { baseURL } = await poorFor(name);
  const client = new OpenAI({ apiKey, baseURL: `${baseURL}/v1`, maxRetries: 0 });
  const run = client.responses.stream({ model, input: 'Hello' });
  const types: string[] = [];
  let text = '';
  let reason: string | undefined;
  for await (const event of run) {
    types.push(event.type);
    if (event.type === 'response.output_text.delta') text += event.delta;
    if (event.type !== 'response.incomplete') continue;
    reason = event.response.incomplete_details?.reason;
  }
  expect(types.at(-1)).toBe('response.incomplete');
  expect(reason).toBe('max_output_tokens');
  expect(text.length).toBeGreaterThan(10_000);
  expect((await run.finalResponse()).status).toBe('incomplete');
});

test.each(['a message, passed through', 'a message out of a chat'])(
  'the library of Anthropic sees %s end at its length',
  async (name) => {
    const { baseURL } = await poorFor(name);
    const client = new Anthropic({ apiKey, baseURL, maxRetries: 0 });
    // A limit would be reserved: this caller names none.
    const run = client.messages.stream({ model, messages } as Parameters<
      typeof client.messages.stream
    >[0]);
    const message = await run.finalMessage();
    expect(message.stop_reason).toBe('max_tokens');
    const [block] = message.content;
    expect(block?.type === 'text' ? block.text.length : 0).toBeGreaterThan(10_000);
  },
);

test.each(['contents, passed through', 'contents out of a chat'])(
  'the library of Google sees %s end at its length',
  async (name) => {
    const { baseURL } = await poorFor(name);
    const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: baseURL } });
    const answers = await client.models.generateContentStream({ model, contents: 'Hello' });
    let text = '';
    let reason: string | undefined;
    for await (const answer of answers) {
      text += answer.text ?? '';
      reason = answer.candidates?.[0]?.finishReason ?? reason;
    }
    expect(reason).toBe('MAX_TOKENS');
    expect(text.length).toBeGreaterThan(10_000);
  },
);
