import { describe, expect, test } from 'vitest';
import { roughTokens } from '../settlement/rough-tokens.ts';
import { OutputScan, outputMembers } from './output-scan.ts';

const chat = outputMembers('content', 'reasoning_content', 'reasoning', 'arguments');
const messages = outputMembers('text', 'thinking', 'partial_json');
const contents = outputMembers('text', 'functionCall');
const responses = outputMembers('delta');

const scanned = (events: readonly string[], members = chat): number => {
  const scan = new OutputScan(members);
  for (const event of events) scan.add(Buffer.from(event));
  return scan.tokens;
};
const line = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const delta = (own: object): string => line({ id: 'c1', choices: [{ index: 0, delta: own }] });

const texts = [
  'four',
  '',
  'a "quote", a \\ and a \\" both, {"content":"x"}',
  'line\nfeed\r\ttab\u0001',
  'Привет, мир',
  '你好，世界',
  'ünï 😀 \u2028',
  '"content":"',
  '\\',
  '}]}\n\ndata: {"choices":[{"delta":{"content":"no"}}]}',
];

describe('the estimate of the bytes is that of the text', () => {
  test.each(texts)('%j', (text) => {
    const events = [delta({ role: 'assistant', content: '' }), delta({ content: text })];
    expect(scanned(events)).toBeCloseTo(roughTokens(text), 6);
  });

  test.each(texts)('%j, all of it escaped', (text) => {
    const escaped = Array.from(
      { length: text.length },
      (_none, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join('');
    const event = `data: {"choices":[{"delta":{"content":"${escaped}"}}]}\n\n`;
    expect(scanned([event])).toBeCloseTo(roughTokens(text), 6);
  });

  test('of many events in one read, after events of another form', () => {
    const events = [
      ': a comment with a " quote\n\n',
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: texts[2] }),
      ...texts.map((content) => delta({ content })),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
      ...texts.map((content) => delta({ content })),
      'data: [DONE]\n\n',
    ];
    const all = `${texts[2]}${texts.join('')}{"a":1}${texts.join('')}`;
    expect(scanned([events.join('')])).toBeCloseTo(roughTokens(all), 6);
    expect(scanned(events)).toBeCloseTo(roughTokens(all), 6);
  });
});

describe('what counts', () => {
  test('both members of one event, and every choice', () => {
    const own = { reasoning_content: 'four', content: 'eight..8' };
    const choices = [0, 1].map((index) => ({ index, delta: own }));
    expect(scanned([line({ choices }), line({ choices })])).toBe(12);
  });

  test('the colon may have space around it', () => {
    expect(scanned(['data: {"choices":[{"delta":{"content" : \n "four"}}]}\r\n\r\n'])).toBe(1);
  });

  test('no name of a model, no log probabilities, nothing that is null', () => {
    const logprobs = { content: [{ token: 'four', top_logprobs: [] }] };
    const choices = [{ index: 0, delta: { content: null }, logprobs }];
    expect(scanned([line({ model: 'content', choices })])).toBe(0);
  });

  test('the text, the thoughts and the tool input of a message', () => {
    const events = [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'four' } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'thinking_delta', thinking: 'four' },
      },
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{"a"' } },
      {
        type: 'content_block_delta',
        delta: { type: 'signature_delta', signature: 'x'.repeat(99) },
      },
    ];
    const named = events.map((event) => `event: ${event.type}\n${line(event)}`);
    expect(scanned(named, messages)).toBe(3);
  });

  test('the text of contents, and function calls whole', () => {
    const functionCall = { name: 'f', args: { text: 'inner' } };
    const parts = [{ text: 'four' }, { functionCall }];
    const event = line({ candidates: [{ content: { parts, role: 'model' } }] });
    const tokens = 1 + JSON.stringify(functionCall).length / 4;
    expect(scanned([event, event], contents)).toBe(2 * tokens);
  });

  test('deltas of a response, and not the whole text once more at its end', () => {
    const events = [
      { type: 'response.output_text.delta', delta: 'four' },
      { type: 'response.output_text.done', text: 'four' },
    ];
    expect(scanned(events.map(line), responses)).toBe(1);
  });

  test('lines of data are counted', () => {
    const scan = new OutputScan(chat);
    scan.add(Buffer.from(`${delta({ content: 'a' })}: ping\n\n${delta({ content: 'b' })}`));
    scan.add(Buffer.from(`event: x\n${delta({ content: 'c' })}`));
    expect(scan.events).toBe(3);
  });
});
