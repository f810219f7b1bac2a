import { describe, expect, test } from 'vitest';
import { type BoundExample, bodyOf, boundTermsOf } from '../../tests/support/bound-examples.ts';
import { sentLimit } from './sent-limit.ts';
import { fullBound, quickBound } from './usage-bound.ts';

/*
 * The figures computed manually. A prompt: its bytes, 8,192 that no request shows, 65,536 for each
 * picture, 524,288 that tools find, 2,097,152 that the provider keeps. An answer without a limit:
 * its bytes (30 here) and 512; with one: the limit, a tenth and 64; 131,072 for thoughts; 1,000,000
 * at most.
 */
const hidden = 8_192;
const thoughts = 131_072;

const nothing = { promptTokens: 0, completionTokens: 0 };
/** What is allowed in addition to the bytes of the prompt. */
const full = (example: BoundExample) => {
  const terms = boundTermsOf(example);
  const bound = fullBound(terms, nothing);
  return bound.promptTokens - terms.call.body.length;
};
const quick = (example: BoundExample) => {
  const terms = boundTermsOf(example);
  const { promptTokens, completionTokens, toolCalls } = quickBound(terms);
  return [promptTokens - terms.call.body.length, completionTokens, toolCalls];
};

describe('the first bound, which needs no scan of the body', () => {
  test.each<[string, BoundExample, number[]]>([
    ['twice the estimate, rounded up, and 512', {}, [hidden, 526, 0]],
    ['a limit of 1,000', { limit: 1_000 }, [hidden, 1_164, 0]],
    ['a tenth that is rounded up', { limit: 1_001 }, [hidden, 1_166, 0]],
    [
      'what the operator adds to bodies',
      { setting: '{"proxy":"x"}', overrideText: '{"a":1}' },
      [hidden + 20, 526, 0],
    ],
    ['no channel, no settings', { isDirect: true }, [hidden, 526, 0]],
    ['two pictures in the body', { blobs: 2 }, [hidden + 131_072, 526, 0]],
    ['tools that are priced', { tools: true }, [hidden, 526, 128]],
    ['an operation that writes nothing', { operation: 'embeddings' }, [hidden, 0, 0]],
    [
      'speech of 40 characters',
      { operation: 'speech', media: { inputTokens: 40 } },
      [hidden + 40, 77, 0],
    ],
    ['pictures without a count of the input', { operation: 'images', media: {} }, [hidden, 77, 0]],
    ['media inside a session', { isSession: true, media: {} }, [hidden, 77, 0]],
  ])('%s', (_name, example, expected) => {
    expect(quick(example)).toEqual(expected);
  });

  test('a session reads the whole conversation', () => {
    const members = { a: 'image' };
    const terms = boundTermsOf({ isSession: true, tools: true, members });
    const expected = { promptTokens: 524_288, completionTokens: thoughts, toolCalls: 128 };
    expect(quickBound(terms)).toEqual(expected);
    expect(fullBound(terms, nothing)).toEqual(expected);
  });
});

const found = 524_288;
/** The window of gpt-4o. */
const kept = 128_000;

describe('what a prompt can contain in addition to its bytes', () => {
  test.each<[string, BoundExample, number]>([
    ['nothing', {}, 0],
    ['two pictures by address', { members: { a: 'image', b: 'image' } }, 131_072],
    ['tools that are priced', { tools: true }, found],
    ['tools that the channel adds', { override: new Map([['tools', '[]']]) }, found],
    ['an override of the channel that cannot be read', { override: null }, 0],
    ['a model behind the mapping that searches', { upstreamModel: 'sonar' }, found],
    ['a model that searches, without a channel', { model: 'sonar', isDirect: true }, found],
    ['a provider with prompts of its own', { type: 37 }, kept],
    ['a stored prompt', { operation: 'responses', members: { prompt: { id: 'p' } } }, kept],
    ['a prompt that is the text itself', { operation: 'completions', members: { prompt: 'p' } }, 0],
    ['a response without a stored prompt', { operation: 'responses' }, 0],
    ['an operation that writes nothing', { operation: 'embeddings' }, 0],
    ['a body of 1 MB, with a picture', { body: bodyOf(1_048_576, { a: 'image' }) }, 65_536],
    ['a body above 1 MB', { body: bodyOf(1_048_577, { a: 'image' }) }, found + 65_536],
  ])('%s', (_name, example, expected) => {
    expect(full(example)).toBe(hidden + expected);
  });

  test.each(
    [
      ...['input_image', 'inlineData', 'inline_data', 'document', 'image'].map((mark) => ({
        mark,
        more: 65_536,
      })),
      ...['previous_response_id', 'conversation', 'cachedContent', 'cached_content'].map(
        (mark) => ({ mark, more: kept }),
      ),
      ...['fileData', 'file_data', 'file_id', 'file_url', 'container', 'input_file'].map(
        (mark) => ({ mark, more: kept }),
      ),
      ...['vector_store_ids', 'data_sources', 'video_url', 'context_management'].map((mark) => ({
        mark,
        more: kept,
      })),
      ...['web_search_preview', 'web_fetch', 'file_search', 'code_interpreter'].map((mark) => ({
        mark,
        more: found,
      })),
      ...['code_execution', 'mcp', 'computer_use', 'tool_search', 'advisor'].map((mark) => ({
        mark,
        more: found,
      })),
      ...['browser_search', 'googleSearch', 'google_search', 'urlContext', 'url_context'].map(
        (mark) => ({ mark, more: found }),
      ),
      ...['codeExecution', 'enable_search', 'search_parameters', 'builtin_function'].map(
        (mark) => ({ mark, more: found }),
      ),
      ...['plugins', 'connectors', 'x_search', 'retrieval', 'google_maps', 'googleMaps'].map(
        (mark) => ({ mark, more: found }),
      ),
      ...['shell', 'memory_20250818', 'bash_20250124'].map((mark) => ({ mark, more: found })),
    ].map(({ mark, more }) => [mark, more] as const),
  )('a body that names %s', (mark, more) => {
    expect(full({ members: { x: mark } })).toBe(hidden + more);
  });
});

describe('the limit that was sent', () => {
  test.each<[string, number | null]>([
    ['{"max_tokens":4000,"max_completion_tokens":16}', 4_000],
    ['{"max_tokens":16,"generationConfig":{"maxOutputTokens": 4000}}', 4_000],
    ['{"max_tokens":0}', 0],
    ['{"n":5}', null],
  ])('%s', (body, expected) => {
    expect(sentLimit(Buffer.from(body))).toBe(expected);
  });
});
