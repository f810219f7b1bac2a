import { expect, test } from 'vitest';
import { limitsOfModel } from '../../domain/pricing/model-limits.ts';
import { aRatioQuote } from '../../tests/support/pricing-examples.ts';
import { aTranslatingChannel } from '../../tests/support/vectors/context.ts';
import { checkContents, checkText } from '../admission/validate.ts';
import type { TextCall } from '../protocol/calls.ts';
import { scanned } from '../protocol/normalise.ts';
import { believed } from './counted-usage.ts';
import type { OutputSize } from './output-size.ts';

type Asked = Readonly<{
  model?: string;
  body?: object;
  protocol?: TextCall['protocol'];
  operation?: TextCall['operation'];
  /** The text of the answer. */
  answer?: string;
  thought?: string;
  /** What the channel adds to bodies. */
  override?: Record<string, unknown>;
  type?: number;
}>;

const hi = [{ role: 'user', content: 'hi' }];

const termsOf = (asked: Asked) => {
  const { model = 'gpt-4o-mini', protocol = 'openai', operation = 'chat', override = {} } = asked;
  const given = scanned(Buffer.from(JSON.stringify({ model, messages: hi, ...asked.body })));
  if (given === null) throw new Error('not JSON');
  const check =
    protocol === 'gemini'
      ? checkContents(operation, given.body)
      : checkText(operation, given.body, given.scan);
  if (!('outputLimit' in check)) throw new Error(check.message);
  const { answer = 'Hello! How can I help?', thought = '', type = 1 } = asked;
  const outputSize: OutputSize = {
    roughTokens: () => (answer.length + thought.length) / 4,
    maxTokens: () => Buffer.byteLength(answer + thought),
    maxThoughtTokens: () => Buffer.byteLength(thought),
  };
  const plain = { path: '', clientPath: '', isStream: false, contentType: '', accept: '' };
  const call: TextCall = { operation, protocol, model, ...given, ...plain };
  const settings = { paramOverride: JSON.stringify(override) };
  const channel = { ...aTranslatingChannel({ type }) };
  const paramOverride = new Map(Object.keys(override).map((key) => [key, '']));
  const attempt = {
    channel: { ...channel, settings: { ...channel.settings, ...settings }, paramOverride },
    upstreamModel: model,
    sent: Buffer.from(JSON.stringify({ ...JSON.parse(String(given.body)), ...override })),
  };
  return {
    call,
    quote: aRatioQuote(),
    allowanceOf: limitsOfModel,
    attempt,
    outputLimit: check.outputLimit,
    outputSize,
  };
};

const tokens = (
  asked: Asked,
  promptTokens: number,
  completionTokens: number,
  more: object = {},
) => {
  const { usage, note } = believed({ promptTokens, completionTokens, ...more }, termsOf(asked));
  return { prompt: usage.promptTokens, completion: usage.completionTokens, note };
};

test('5,000 tokens of an answer that was allowed 16 are cut', () => {
  const { completion, note } = tokens({ body: { max_tokens: 16 } }, 9, 5_000);
  // A tenth and 64 for other ways to count.
  expect(completion).toBe(82);
  expect(note).toBe('completion tokens 5000 taken as 82');
});

test('a million tokens for "hi" are cut', () => {
  const { prompt, completion } = tokens({}, 1_000_000, 1_000_000);
  expect(prompt).toBeLessThan(8_500);
  expect(completion).toBeLessThan(600);
});

test('thoughts that a model cannot have had are cut', () => {
  const thoughts = { reasoningTokens: 900_000 };
  expect(tokens({ model: 'gpt-4o' }, 9, 900_000, thoughts).completion).toBeLessThan(600);
  expect(tokens({ model: 'o3' }, 9, 900_000, thoughts).completion).toBeLessThan(132_000);
  const limited = { model: 'gpt-5', body: { max_completion_tokens: 2_000 } };
  expect(tokens(limited, 9, 900_000, thoughts).completion).toBe(2_264);
});

test('cached tokens outside of the prompt do not multiply it', () => {
  const terms = termsOf({ protocol: 'claude', body: { max_tokens: 16 } });
  const lie = {
    promptTokens: 1e6,
    completionTokens: 3,
    cachedTokens: 1e6,
    cacheCreationTokens: 1e6,
  };
  const { usage } = believed({ ...lie, cacheApart: true }, terms);
  const all = usage.promptTokens + usage.cachedTokens + usage.cacheCreationTokens;
  expect(all).toBeLessThan(8_500);
});

const honest: readonly (readonly [string, Asked, number, number, object?])[] = [
  ['thoughts that no answer shows', { model: 'o3' }, 9, 60_000, { reasoningTokens: 59_900 }],
  ['thoughts of an unknown model', { model: 'my-model' }, 9, 60_000],
  [
    'thoughts that were asked for',
    { model: 'gpt-4o', body: { reasoning_effort: 'high' } },
    9,
    9_000,
  ],
  [
    'thoughts outside the limit, shown',
    { model: 'qwen3-32b', body: { max_tokens: 16 }, thought: 'w '.repeat(4_000) },
    9,
    4_016,
  ],
  [
    'thoughts outside the limit, told',
    { model: 'grok-4', body: { max_tokens: 16 } },
    700,
    4_016,
    { reasoningTokens: 4_000 },
  ],
  ['a system prompt of the provider', {}, 1_200, 8],
  ['choices', { body: { max_tokens: 100, n: 4 } }, 9, 400],
  [
    'choices that were thrown away',
    { operation: 'completions', body: { prompt: 'hi', max_tokens: 100, best_of: 5 } },
    9,
    500,
  ],
  ['words foreseen wrongly', { body: { prediction: { content: 'x '.repeat(900) } } }, 900, 900],
  [
    'a limit that the channel raised',
    { body: { max_tokens: 16 }, override: { max_tokens: 4_000 } },
    9,
    4_000,
  ],
  [
    'a conversation that the provider kept',
    { model: 'gpt-4.1', body: { previous_response_id: 'r' } },
    900_000,
    8,
  ],
  [
    'a cache of the provider',
    { model: 'gemini-2.5-pro', protocol: 'gemini', body: { contents: hi, cachedContent: 'c' } },
    900_000,
    8,
  ],
  ['searches', { body: { tools: [{ type: 'web_search_preview' }] } }, 90_000, 900],
  ['searches of Qwen', { model: 'qwen-plus', body: { enable_search: true } }, 9_000, 9],
  ['searches of a model that always does', { model: 'gpt-4o-search-preview' }, 20_000, 9],
  [
    'rounds of tools of Claude',
    {
      protocol: 'claude',
      model: 'claude-sonnet-4-5',
      body: { max_tokens: 1_000, tools: [{ type: 'web_search_20250305' }] },
    },
    200_000,
    6_000,
  ],
  ['a workflow with a prompt of its own', { type: 37 }, 90_000, 8],
  [
    'pictures by address',
    {
      body: { messages: [{ content: [{ type: 'image_url', image_url: { url: 'https://x/y' } }] }] },
    },
    49_000,
    8,
  ],
  ['Chinese, which takes a token for each letter', { answer: '好'.repeat(500) }, 9, 1_000],
];

test.each(
  honest.map(([what, asked, prompt, completion, more]) => ({
    what,
    asked,
    report: { prompt, completion },
    more,
  })),
)('an honest report stays as it is: $what', ({ asked, report, more }) => {
  const { prompt, completion } = report;
  expect(tokens(asked, prompt, completion, more)).toEqual({ ...report, note: null });
});
