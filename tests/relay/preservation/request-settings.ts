import { config, type RequestFeature, refused, schema, text } from './request-options.ts';
import { at, has } from './tables.ts';

/** How an answer is to be made. */
export const requestSettings: readonly RequestFeature[] = [
  {
    name: 'unknown members',
    asks: { openai: { x_odd: { a: 0 } }, claude: { x_odd: { a: 0 } }, gemini: { x_odd: { a: 0 } } },
    sees: {
      openai: has('x_odd', { a: 0 }),
      claude: has('x_odd', { a: 0 }),
      gemini: has('x_odd', { a: 0 }),
    },
    pairs: {
      'claude>openai': refused,
      'gemini>openai': refused,
      'claude>gemini': refused,
      'gemini>claude': refused,
      'openai>gemini': refused,
    },
  },
  {
    name: 'a temperature of zero',
    asks: {
      openai: { temperature: 0 },
      claude: { temperature: 0 },
      gemini: config({ temperature: 0 }),
    },
    sees: {
      openai: has('temperature', 0),
      claude: has('temperature', 0),
      gemini: has('generationConfig.temperature', 0),
    },
  },
  {
    name: 'a seed and penalties of zero',
    asks: {
      openai: { seed: 0, presence_penalty: 0 },
      claude: 'the Messages API has neither',
      gemini: config({ seed: 0, presencePenalty: 0 }),
    },
    sees: {
      openai: (body) => at(body, 'seed') === 0 && at(body, 'presence_penalty') === 0,
      claude: 'the Messages API has neither',
      gemini: (body) =>
        at(body, 'generationConfig.seed') === 0 &&
        at(body, 'generationConfig.presencePenalty') === 0,
    },
  },
  {
    name: 'top_p of zero',
    asks: { openai: { top_p: 0 }, claude: { top_p: 0 }, gemini: config({ topP: 0 }) },
    sees: {
      openai: has('top_p', 0),
      claude: has('top_p', 0),
      gemini: has('generationConfig.topP', 0),
    },
  },
  {
    name: 'top_k',
    asks: { openai: 'OpenAI has none', claude: { top_k: 5 }, gemini: config({ topK: 5 }) },
    sees: {
      openai: 'OpenAI has none',
      claude: has('top_k', 5),
      gemini: has('generationConfig.topK', 5),
    },
  },
  {
    name: 'a limit of tokens',
    asks: {
      openai: { max_tokens: 77 },
      claude: { max_tokens: 77 },
      gemini: config({ maxOutputTokens: 77 }),
    },
    sees: {
      openai: has('max_tokens', 77),
      claude: has('max_tokens', 77),
      gemini: has('generationConfig.maxOutputTokens', 77),
    },
  },
  {
    name: 'two stop words',
    asks: {
      openai: { stop: ['x', 'y'] },
      claude: { stop_sequences: ['x', 'y'] },
      gemini: config({ stopSequences: ['x', 'y'] }),
    },
    sees: {
      openai: has('stop', ['x', 'y']),
      claude: has('stop_sequences', ['x', 'y']),
      gemini: has('generationConfig.stopSequences', ['x', 'y']),
    },
  },
  {
    name: 'an answer by a schema',
    asks: {
      openai: { response_format: { type: 'json_schema', json_schema: { name: 'r', schema } } },
      claude: 'asked for by a tool, which is a cell of its own',
      gemini: config({ responseMimeType: 'application/json', responseJsonSchema: schema }),
    },
    sees: {
      openai: has('response_format.json_schema.schema.required', ['a']),
      claude: (body) => JSON.stringify(at(body, 'tools.0.input_schema') ?? '').includes('"a"'),
      gemini: (body) =>
        at(body, 'generationConfig.responseMimeType') === 'application/json' &&
        JSON.stringify(at(body, 'generationConfig')).includes('"a"'),
    },
    pairs: {
      'openai>quirky': 'this provider knows JSON but no schema: it is asked in words',
      'gemini>quirky': 'this provider knows JSON but no schema: it is asked in words',
    },
  },
  {
    name: 'probabilities of tokens',
    asks: {
      openai: { logprobs: true, top_logprobs: 2 },
      claude: 'the Messages API has none',
      gemini: config({ responseLogprobs: true, logprobs: 2 }),
    },
    sees: {
      openai: (body) => at(body, 'logprobs') === true && at(body, 'top_logprobs') === 2,
      claude: 'the Messages API has none',
      gemini: (body) =>
        at(body, 'generationConfig.responseLogprobs') === true &&
        at(body, 'generationConfig.logprobs') === 2,
    },
  },
  {
    name: 'several answers',
    asks: {
      openai: { n: 2 },
      claude: 'the Messages API gives one',
      gemini: config({ candidateCount: 2 }),
    },
    sees: {
      openai: has('n', 2),
      claude: 'the Messages API gives one',
      gemini: has('generationConfig.candidateCount', 2),
    },
  },
  {
    name: 'thinking with a budget',
    asks: {
      openai: { reasoning_effort: 'high', max_tokens: 9_000 },
      claude: { thinking: { type: 'enabled', budget_tokens: 2_048 }, max_tokens: 9_000 },
      gemini: config({ thinkingConfig: { thinkingBudget: 2_048, includeThoughts: true } }),
    },
    sees: {
      openai: (body) => at(body, 'reasoning_effort') !== undefined,
      claude: (body) => Number(at(body, 'thinking.budget_tokens')) >= 1_024,
      gemini: (body) => Number(at(body, 'generationConfig.thinkingConfig.thinkingBudget')) > 0,
    },
    pairs: {
      'claude>openai': 'models that do not reason refuse an effort; o- and gpt-5 models get one',
      'gemini>openai': 'models that do not reason refuse an effort; o- and gpt-5 models get one',
    },
  },
  {
    name: 'marks for the cache',
    asks: {
      openai: {
        messages: [{ role: 'user', content: [{ ...text, cache_control: { type: 'ephemeral' } }] }],
      },
      claude: {
        system: [{ type: 'text', text: 'Be', cache_control: { type: 'ephemeral' } }],
        messages: [{ role: 'user', content: [{ ...text, cache_control: { type: 'ephemeral' } }] }],
      },
      gemini: 'caches are things of their own there (cachedContent)',
    },
    sees: {
      openai: (body) => JSON.stringify(at(body, 'messages')).includes('cache_control'),
      claude: (body) => JSON.stringify(at(body, 'messages')).includes('cache_control'),
      gemini: 'caches are things of their own there (cachedContent)',
    },
    pairs: { 'claude>openai': refused },
  },
  {
    name: 'who asks',
    asks: {
      openai: { user: 'u1' },
      claude: { metadata: { user_id: 'u1' } },
      gemini: 'generateContent has no such member',
    },
    sees: {
      openai: has('user', 'u1'),
      claude: has('metadata.user_id', 'u1'),
      gemini: 'generateContent has no such member',
    },
  },
];
