import { describe, expect, test } from 'vitest';
import { type BoundExample, bodyOf, boundTermsOf } from '../../tests/support/bound-examples.ts';
import { fullBound } from './usage-bound.ts';

/*
 * The figures computed manually. An answer without a limit: its bytes (30 here) and 512; with one:
 * the limit, a tenth and 64; 131,072 for thoughts; 1,000,000 at most.
 */
const thoughts = 131_072;
const plainAnswer = 30 + 512;

const nothing = { promptTokens: 0, completionTokens: 0 };
const full = (example: BoundExample, reported: object = {}) => {
  return fullBound(boundTermsOf(example), { ...nothing, ...reported }).completionTokens;
};
describe('an answer without a limit', () => {
  const reporting = (reasoningTokens: unknown) => ({ reasoningTokens });
  test.each<[string, BoundExample, number, object?]>([
    ['is no longer than its bytes and 512', {}, plainAnswer],
    ['may think with a model that does', { model: 'o3' }, plainAnswer + thoughts],
    ['without a channel as well', { model: 'o3', isDirect: true }, plainAnswer + thoughts],
    ['does not think with one that never does', { isDirect: true }, plainAnswer],
    [
      'may think with the model behind the mapping',
      { upstreamModel: 'my-model' },
      plainAnswer + thoughts,
    ],
    ['has the thoughts it tells', { model: 'o3' }, plainAnswer + 500, reporting(500)],
    ['has the one thought it tells', { model: 'o3' }, plainAnswer + 1, reporting(1)],
    [
      'has no more of them than 131,072',
      { model: 'o3' },
      plainAnswer + thoughts,
      reporting(200_000),
    ],
    [
      'may hide thoughts that it tells none of',
      { model: 'o3' },
      plainAnswer + thoughts,
      reporting(0),
    ],
    ['tells nothing by a text', { model: 'o3' }, plainAnswer + thoughts, reporting('500')],
    ['thinks as asked', { members: { reasoning: {} } }, plainAnswer + thoughts],
    [
      'thinks as asked in a body of 1 MB',
      { body: bodyOf(1_048_576, { reasoning: {} }) },
      plainAnswer + thoughts,
    ],
    ['thinks and finds with tools', { tools: true }, plainAnswer + thoughts],
    ['is one of two', { members: { best_of: 2 } }, 2 * plainAnswer],
    ['is one of one', { members: { best_of: 1 } }, plainAnswer],
    ['is one of none', { members: { best_of: 0 } }, plainAnswer],
    ['is one of 128 at most', { members: { best_of: 200 } }, 128 * plainAnswer],
    ['is never longer than a million', { bytes: 2_000_000 }, 1_000_000],
    ['is not limited by what a channel adds', { sent: { max_tokens: 4_000 } }, plainAnswer],
    ['writes nothing where nothing is written', { operation: 'embeddings' }, 0],
  ])('%s', (_name, example, expected, reported) => {
    expect(full(example, reported)).toBe(expected);
  });

  test('may repeat every word that was foreseen', () => {
    const members = { prediction: { content: 'x' } };
    const { length } = JSON.stringify({ model: 'gpt-4o', ...members });
    expect(full({ members })).toBe(plainAnswer + length);
  });
});

describe('an answer with a limit', () => {
  const reporting = (reasoningTokens: unknown) => ({ reasoningTokens });
  /** Neither a reasoning model nor one without reasoning by its name. */
  const own = { model: 'my-model', limit: 1_000 };
  const shown = { ...own, thoughtBytes: 200 };
  test.each<[string, BoundExample, number, object?]>([
    ['has a tenth and 64 more', { limit: 1_000 }, 1_164],
    ['without a channel as well', { limit: 1_000, isDirect: true }, 1_164],
    ['may take ten rounds of tools', { limit: 1_000, tools: true }, 11_640],
    ['may be the limit that was sent', { limit: 16, sent: { max_tokens: 4_000 } }, 4_464],
    ['keeps the limit of the caller', { limit: 1_000, sent: { max_tokens: 8 } }, 1_164],
    [
      'may be the limit that was sent, for each choice',
      { limit: 100, members: { n: 3 }, sent: { max_tokens: 1_000 } },
      3_364,
    ],
    [
      'has 128 choices at most',
      { limit: 100, members: { n: 200 }, sent: { max_tokens: 1_000 } },
      140_864,
    ],
    [
      'has one choice at least',
      { limit: 100, members: { n: 0 }, sent: { max_tokens: 1_000 } },
      1_164,
    ],
    ['is not bound by it where none was sent', { limit: 10, sent: {} }, plainAnswer],
    ['may think where none was sent', { limit: 10, model: 'o3', sent: {} }, plainAnswer + thoughts],
    [
      'may think behind the mapping where none was sent',
      { limit: 10, model: 'my-model', upstreamModel: 'o3', sent: {} },
      plainAnswer + thoughts,
    ],
    [
      'does not think unasked where none was sent',
      { limit: 10, model: 'my-model', sent: {} },
      plainAnswer,
    ],
    [
      'thinks as asked where none was sent',
      { limit: 10, model: 'my-model', members: { thinking: {} }, sent: {} },
      plainAnswer + thoughts,
    ],
    ['may be changed by the channel', { limit: 100, override: new Map([['x', '1']]) }, 1_000_000],
    ['is not changed by an override that cannot be read', { limit: 100, override: null }, 174],
    ['leaves out the thoughts that were shown', shown, 1_364],
    ['leaves out the thoughts that are reported', own, 1_464, reporting(300)],
    ['leaves out the one thought that is reported', own, 1_165, reporting(1)],
    ['counts thoughts once, as they were shown', shown, 1_364, reporting(300)],
    ['has no thoughts beside it that are neither shown nor reported', own, 1_164],
    [
      'has none of those that were asked for and not reported',
      { ...own, members: { reasoning: {} } },
      1_164,
    ],
    [
      'has none where it tells of none',
      { ...own, members: { reasoning: {} } },
      1_164,
      reporting(0),
    ],
    [
      'has none that a text tells of',
      { ...own, members: { reasoning: {} } },
      1_164,
      reporting('300'),
    ],
    ['holds them in the protocol of Claude', { ...shown, protocol: 'claude' }, 1_164],
    ['holds them in responses', { ...shown, operation: 'responses' }, 1_164],
    [
      'holds them as max_completion_tokens',
      { ...shown, members: { max_completion_tokens: 1_000 } },
      1_164,
    ],
    ['holds them with a maker behind the mapping', { ...shown, upstreamModel: 'gpt-4o' }, 1_164],
    ['holds them with a maker', { ...shown, model: 'gpt-4o', upstreamModel: '' }, 1_164],
    [
      'holds them with a maker, without a channel',
      { ...shown, model: 'gpt-4o', isDirect: true },
      1_164,
    ],
  ])('%s', (_name, example, expected, reported) => {
    expect(full(example, reported)).toBe(expected);
  });
});
