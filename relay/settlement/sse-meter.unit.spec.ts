import { describe, expect, test } from 'vitest';
import { SseMeter } from './sse-meter.ts';

const text = [
  ': keep-alive\n\n',
  'data: {"choices":[{"delta":{"content":"a \\"usage\\": {} b"}}],"usage":null}\n\n',
  'data: {"choices":[{"delta":{"content":"ü\\n\\n"}}],"usage": null }\n\n',
].join('');
const usage =
  'data: {"choices": [ ],"usage":{"prompt_tokens":7,"completion_tokens":3,"d":{"x":"}"}}}\n\n';
const done = 'data: [DONE]\n\n';

const run = (parts: readonly Buffer[], withhold: boolean) => {
  const meter = new SseMeter(withhold);
  const out: Buffer[] = parts.map((part) => meter.push(part));
  out.push(meter.flush());
  return {
    passed: Buffer.concat(out).toString(),
    usage: meter.usage?.toString() ?? null,
    terminator: meter.terminator?.toString() ?? null,
  };
};

const inTwo = (bytes: Buffer, at: number): Buffer[] => [bytes.subarray(0, at), bytes.subarray(at)];
const usageJson = '{"prompt_tokens":7,"completion_tokens":3,"d":{"x":"}"}}';

describe.each(['\n', '\r\n', '\r'])('a stream with line ends %j', (eol) => {
  const lines = (value: string): string => value.replaceAll('\n', eol);
  const whole = Buffer.from(lines(text + usage + done));

  test('split at any byte gives the same events, usage and end', () => {
    for (let at = 0; at <= whole.length; at += 1) {
      const result = run(inTwo(whole, at), false);
      expect(result).toEqual({
        passed: lines(text + usage),
        usage: usageJson,
        terminator: lines(done),
      });
    }
  });

  test('split at any byte keeps back a report that was not requested', () => {
    for (let at = 0; at <= whole.length; at += 1) {
      expect(run(inTwo(whole, at), true).passed).toBe(lines(text));
    }
  });

  test('byte by byte gives the same', () => {
    const bytes = Array.from(whole, (_byte, at) => whole.subarray(at, at + 1));
    expect(run(bytes, true)).toEqual({
      passed: lines(text),
      usage: usageJson,
      terminator: lines(done),
    });
  });
});

test('usage on an event with text is noted and not kept back', () => {
  const event = 'data: {"choices":[{"delta":{"content":"x"}}],"usage":{"prompt_tokens":1}}\n\n';
  expect(run([Buffer.from(event)], true)).toMatchObject({
    passed: event,
    usage: '{"prompt_tokens":1}',
  });
});

test('of many reports the last counts', () => {
  const events = [1, 2, 3].map((n) => `data: {"choices":[{}],"usage":{"prompt_tokens":${n}}}\n\n`);
  expect(run([Buffer.from(events.join(''))], true).usage).toBe('{"prompt_tokens":3}');
});

test('an event of many megabytes passes on without being held, and its usage is found', () => {
  const event = `data: {"choices":[{"delta":{"image":"${'A'.repeat(3_000_000)}"}}],"usage":{"prompt_tokens":9}}\n\n`;
  const bytes = Buffer.from(event + done);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 65_536) parts.push(bytes.subarray(at, at + 65_536));
  expect(run(parts, true)).toEqual({
    passed: event,
    usage: '{"prompt_tokens":9}',
    terminator: done,
  });
});

test('an end without its blank line is read all the same', () => {
  const result = run([Buffer.from('data: {"choices":[],"usage":{"prompt_tokens":4}}')], false);
  expect(result.usage).toBe('{"prompt_tokens":4}');
});

describe('the estimate of what was produced', () => {
  const event = (content: string, envelope = ''): Buffer =>
    Buffer.from(`data: {${envelope}"choices":[{"delta":{"content":"${content}"}}]}\n\n`);

  test('is a quarter of the letters, however much surrounds them', () => {
    const meter = new SseMeter(false);
    for (let n = 0; n < 10; n += 1) meter.push(event('word'));
    expect(meter.producedTokens()).toBe(10);
    meter.push(event('word', `"id":"${'x'.repeat(4_000)}",`));
    expect(meter.producedTokens()).toBe(11);
    meter.push(event('word '.repeat(400)));
    expect(meter.producedTokens()).toBe(511);
  });

  test('is a quarter of the bytes of an event too long to be held', () => {
    const meter = new SseMeter(false);
    meter.push(Buffer.from(`data: {"image":"${'A'.repeat(399_984)}`));
    expect(meter.producedTokens()).toBe(100_000);
  });

  test('of a completion is that of its text', () => {
    const meter = new SseMeter(false, { isCompletion: true });
    meter.push(
      Buffer.from('data: {"choices":[{"text":"words of twenty letters.","content":"x"}]}\n\n'),
    );
    expect(meter.producedTokens()).toBe(6);
  });
});
