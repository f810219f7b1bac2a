import { expect, test } from 'vitest';
import type { JsonObject } from '../canonical.ts';
import { chatFromMessages, createMessageStream, messageOf } from './translate.ts';

const names = { id: 'msg_own', model: 'gemini-3-pro', inputTokens: 7 };
const proofOf = (signature: string): JsonObject => ({
  extra_content: { google: { thought_signature: signature } },
});
const call = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'function',
  function: { name: 'find', arguments: `{"id":"${id}"}` },
  ...more,
});
const turnOf = (content: unknown, ids: readonly string[]): JsonObject => ({
  model: 'gemini-3-pro',
  max_tokens: 100,
  messages: [
    { role: 'user', content: 'Where?' },
    { role: 'assistant', content },
    {
      role: 'user',
      content:
        ids.length === 0
          ? 'Go on'
          : ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })),
    },
  ],
});
/** The content of the assistant's turn when the caller returns it. */
const backOf = async (content: unknown, ids: readonly string[]): Promise<unknown> => {
  const chat = await chatFromMessages(turnOf(content, ids), 'gemini');
  return 'messages' in chat && Array.isArray(chat.messages) ? chat.messages[1] : chat;
};

/** The blocks of a stream, as a client puts them together. */
const contentOf = (events: readonly JsonObject[]): readonly JsonObject[] => {
  const content: JsonObject[] = [];
  for (const { type, content_block: block, delta } of events) {
    const own: JsonObject = Object(delta);
    const last = content.at(-1) ?? {};
    if (type === 'content_block_start') content.push({ ...Object(block) });
    if (own.type === 'text_delta') last.text = `${last.text}${own.text}`;
    if (own.type === 'thinking_delta') last.thinking = `${last.thinking}${own.thinking}`;
    if (own.type === 'signature_delta') last.signature = own.signature;
    if (own.type === 'input_json_delta') last.input = JSON.parse(String(own.partial_json));
  }
  return content;
};

test("Google's proof of a thought without words goes to a Claude caller and back", async () => {
  const calls = [call('c1', proofOf('cHJvb2Y=')), call('c2')];
  const { content } = messageOf({ choices: [{ message: { tool_calls: calls } }] }, names);
  expect(await backOf(content, ['c1', 'c2'])).toMatchObject({ tool_calls: calls });
});

test('the same of a stream, where the signature precedes its call', async () => {
  const stream = createMessageStream(names);
  const chunk = (index: number, own: JsonObject): JsonObject => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index, ...own }] } }],
  });
  const content = contentOf([
    ...stream.push(chunk(0, call('c1', proofOf('b25l')))),
    ...stream.push(chunk(1, call('c2', proofOf('dHdv')))),
    ...stream.end(),
  ]);
  expect(content.map(({ type }) => type)).toEqual([
    ...['thinking', 'tool_use', 'thinking', 'tool_use'],
  ]);
  expect(await backOf(content, ['c1', 'c2'])).toMatchObject({
    tool_calls: [call('c1', proofOf('b25l')), call('c2', proofOf('dHdv'))],
  });
});

test("Google's signature of a text is returned with the text", async () => {
  const message = { reasoning_content: 'Hm', content: 'Here.', ...proofOf('cHJvb2Y=') };
  const { content } = messageOf({ choices: [{ message }] }, names);
  expect(await backOf(content, [])).toMatchObject({ content: 'Here.', ...proofOf('cHJvb2Y=') });
});

const spoken = (...deltas: readonly JsonObject[]): readonly JsonObject[] => {
  const stream = createMessageStream(names);
  const chunks = deltas.map((delta) => ({ choices: [{ index: 0, delta }] }));
  return contentOf([...chunks.flatMap(stream.push), ...stream.end()]);
};

test('the same of a stream, where the signature arrives with the last text', async () => {
  const content = spoken(
    { reasoning_content: 'Hm' },
    { content: 'He' },
    { content: 're.', ...proofOf('cHJvb2Y=') },
  );
  expect(content.slice(0, 2)).toEqual([
    { type: 'thinking', thinking: 'Hm', signature: '' },
    { type: 'text', text: 'Here.' },
  ]);
  expect(await backOf(content, [])).toMatchObject({ content: 'Here.', ...proofOf('cHJvb2Y=') });
});

test('a signature after the last text of a stream, or with its thought, is returned too', async () => {
  const proof = proofOf('cHJvb2Y=');
  const behind = spoken(
    { reasoning_content: 'Hm' },
    { content: 'Here.' },
    { content: '', ...proof },
  );
  const before = spoken({ reasoning_content: 'Hm', ...proof }, { content: 'Here.' });
  for (const content of [behind, before]) {
    expect(await backOf(content, [])).toMatchObject({ content: 'Here.', ...proof });
  }
  expect(before.map(({ type }) => type)).toEqual(['thinking', 'text']);
});

test('a caller without tools gets no thought without text', () => {
  const message = { content: 'Here.', ...proofOf('cHJvb2Y=') };
  const { content } = messageOf({ choices: [{ message }] }, names);
  expect(content).toEqual([{ type: 'text', text: 'Here.' }]);
  expect(spoken(message)).toEqual(content);
});

test('Claude gets no thoughts that it has not signed', async () => {
  const thoughts = [
    { type: 'thinking', thinking: 'of Google', signature: 'google:cHJvb2Y=' },
    { type: 'thinking', thinking: 'unsigned', signature: '' },
    { type: 'thinking', thinking: 'own', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'ZGF0YQ==' },
  ];
  const body = turnOf([...thoughts, { type: 'text', text: 'Here.' }], []);
  expect(await chatFromMessages(body, 'claude')).toMatchObject({
    messages: [{}, { thinking_blocks: thoughts.slice(2), content: 'Here.' }, {}],
  });
});
