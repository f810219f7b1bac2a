import { expect, test } from 'vitest';
import { sseText, translating } from '../../../tests/support/vectors/translating.ts';
import { anthropic } from '../../providers/anthropic/translate.ts';
import type { JsonObject } from '../canonical.ts';
import { errorOf } from './finish-reasons.ts';
import { createMessageStream, encodeEvent, type MessageEvent } from './translate.ts';

const names = { id: 'msg_own', model: 'gpt-4o', inputTokens: 7 };

const usage = {
  prompt_tokens: 160,
  completion_tokens: 5,
  prompt_tokens_details: { cached_tokens: 100, cached_creation_tokens: 50 },
};

const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: 'c1',
  model: 'gpt-4o',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const toolDelta = (index: number, more: JsonObject): JsonObject =>
  chunk({ tool_calls: [{ index, ...more }] });

const eventsOf = (chunks: readonly JsonObject[]): readonly MessageEvent[] => {
  const stream = createMessageStream(names);
  return [...chunks.flatMap((own) => stream.push(own)), ...stream.end()];
};

/** The message that a client library puts together out of the events; fails on a wrong order. */
const assembled = (events: readonly MessageEvent[]): readonly JsonObject[] => {
  const blocks: Record<string, string>[] = [];
  let open = -1;
  for (const event of events) {
    if (event.type === 'content_block_start') {
      expect(open).toBe(-1);
      open = Number(event.index);
      expect(open).toBe(blocks.length);
      blocks.push({ ...Object(event.content_block), json: '' });
    }
    if (event.type === 'content_block_delta') {
      expect(event.index).toBe(open);
      const delta: Record<string, string> = Object(event.delta);
      const block = blocks[open] ?? {};
      const target = {
        text_delta: 'text',
        thinking_delta: 'thinking',
        signature_delta: 'signature',
      };
      const member = Object.entries(target).find(([type]) => type === delta.type)?.[1] ?? 'json';
      block[member] = (block[member] ?? '') + (delta[member] ?? delta.partial_json ?? '');
    }
    if (event.type === 'content_block_stop') open = -1;
  }
  expect(open).toBe(-1);
  return blocks;
};

test('a stream opens and closes its blocks in turn, with the first words in it', () => {
  const events = eventsOf([
    chunk({ role: 'assistant', content: 'First' }),
    chunk({ reasoning_content: 'Hm' }),
    chunk({ content: 'Last' }, 'stop'),
    { id: 'c1', choices: [], usage },
  ]);
  expect(events[0]).toMatchObject({
    type: 'message_start',
    message: { id: 'c1', model: 'gpt-4o' },
  });
  expect(assembled(events)).toMatchObject([
    { type: 'text', text: 'First' },
    { type: 'thinking', thinking: 'Hm' },
    { type: 'text', text: 'Last' },
  ]);
  expect(events.slice(-2)).toEqual([
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: expect.objectContaining({
        input_tokens: 10,
        cache_read_input_tokens: 100,
        output_tokens: 5,
      }),
    },
    { type: 'message_stop' },
  ]);
});

test('parallel calls stay apart even when their arguments arrive mixed', () => {
  const begin = (id: string): JsonObject => ({ id, function: { name: `f_${id}`, arguments: '' } });
  const events = eventsOf([
    toolDelta(0, begin('a')),
    toolDelta(0, { function: { arguments: '{"x"' } }),
    toolDelta(1, begin('b')),
    toolDelta(1, { function: { arguments: '{"y":2}' } }),
    toolDelta(0, { function: { arguments: ':1}' } }),
    chunk({}, 'tool_calls'),
  ]);
  expect(assembled(events)).toMatchObject([
    { type: 'tool_use', id: 'a', name: 'f_a', json: '{"x":1}' },
    { type: 'tool_use', id: 'b', name: 'f_b', json: '{"y":2}' },
  ]);
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
});

test('a thought of Claude keeps its signature through both translations', () => {
  const start = { type: 'message_start', message: { id: 'm', model: 'claude', usage: {} } };
  const words = [
    start,
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'signature_delta', signature: 'c2ln' },
    },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'redacted_thinking', data: 'zz' },
    },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
  ];
  const body = {
    model: 'claude',
    stream: true,
    thinking: { type: 'enabled', budget_tokens: 1024 },
  };
  const claude = translating(anthropic, 14);
  const translation = anthropic.stream(claude.context({ body: { ...body, messages: [] } }));
  const chunks = translation.push(Buffer.from(sseText(words)));
  if ('message' in chunks) throw new Error('failed');
  expect(assembled(eventsOf(chunks))).toMatchObject([
    { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'zz' },
  ]);
});

test('an empty stream is still a whole message, written with the estimate of its prompt', () => {
  const events = eventsOf([]);
  expect(events.map(({ type }) => type)).toEqual([
    'message_start',
    'ping',
    'message_delta',
    'message_stop',
  ]);
  expect(events.at(-2)).toMatchObject({ usage: { input_tokens: 7, output_tokens: 0 } });
});

test('events carry their names on the wire', () => {
  expect(encodeEvent({ type: 'ping' })).toBe('event: ping\ndata: {"type":"ping"}\n\n');
});

test.each([
  [401, 'tollgate_error', 'authentication_error'],
  [403, 'tollgate_error', 'permission_error'],
  [422, 'tollgate_error', 'invalid_request_error'],
  [429, 'insufficient_quota', 'rate_limit_error'],
  [502, 'upstream_error', 'api_error'],
  [529, 'overloaded_error', 'overloaded_error'],
])('an error with status %i and type %s is a %s here', (status, type, due) => {
  const error = { status, type, message: 'No', code: null };
  expect(errorOf(error, 'req1')).toEqual({
    type: 'error',
    error: { type: due, message: 'No' },
    request_id: 'req1',
  });
});
