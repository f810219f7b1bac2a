import type { JsonObject } from '../../providers/translate.ts';
import { at, type Caller, has, type Shape, type Sight } from './tables.spec.ts';

/** A member of the request, or why this protocol has no way to ask for it. */
type Ask = JsonObject | string;

export type RequestFeature = Readonly<{
  name: string;
  asks: Readonly<Record<Caller, Ask>>;
  /** How a provider of each protocol is asked for it, or why it cannot be. */
  sees: Readonly<Record<Shape, Sight | string>>;
  /** What one pair alone cannot do: `caller>shape`. */
  pairs?: Readonly<Record<string, string>>;
}>;

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const openAiTools = [
  { type: 'function', function: { name: 'f', description: 'does f', parameters: schema } },
];
const claudeTools = [{ name: 'f', description: 'does f', input_schema: schema }];
const geminiTools = [
  { functionDeclarations: [{ name: 'f', description: 'does f', parameters: schema }] },
];

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pdf = Buffer.from('%PDF-1.4 test').toString('base64');
const wave = Buffer.from('RIFF....WAVEfmt ').toString('base64');

const user = (...parts: readonly unknown[]) => ({ messages: [{ role: 'user', content: parts }] });
const contents = (...parts: readonly unknown[]) => ({ contents: [{ role: 'user', parts }] });
const text = { type: 'text', text: 'Hello' };
const config = (own: object) => ({ generationConfig: own });
const choice = (mode: string, more: object = {}) => ({
  tools: geminiTools,
  toolConfig: { functionCallingConfig: { mode, ...more } },
});

const noUrl = 'the adapter downloads it: this provider takes bytes alone';
const refused = 'a provider of this protocol refuses members that it does not know';

export const requestFeatures: readonly RequestFeature[] = [
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
    name: 'system text',
    asks: {
      openai: {
        messages: [
          { role: 'system', content: 'Be kind' },
          { role: 'user', content: 'Hello' },
        ],
      },
      claude: { system: [{ type: 'text', text: 'Be kind' }] },
      gemini: { systemInstruction: { parts: [{ text: 'Be kind' }] } },
    },
    sees: {
      openai: (body) =>
        at(body, 'messages.0.role') === 'system' &&
        JSON.stringify(at(body, 'messages.0.content')).includes('Be kind'),
      claude: (body) => JSON.stringify(at(body, 'system')).includes('Be kind'),
      gemini: has('systemInstruction.parts.0.text', 'Be kind'),
    },
  },
  {
    name: 'tools with their schema',
    asks: {
      openai: { tools: openAiTools },
      claude: { tools: claudeTools },
      gemini: { tools: geminiTools },
    },
    sees: {
      openai: (body) =>
        at(body, 'tools.0.function.description') === 'does f' &&
        at(body, 'tools.0.function.parameters.properties.a.type') === 'string',
      claude: (body) =>
        at(body, 'tools.0.description') === 'does f' &&
        at(body, 'tools.0.input_schema.properties.a.type') === 'string',
      gemini: (body) =>
        at(body, 'tools.0.functionDeclarations.0.description') === 'does f' &&
        String(
          at(body, 'tools.0.functionDeclarations.0.parameters.properties.a.type'),
        ).toLowerCase() === 'string',
    },
  },
  {
    name: 'the choice of one tool',
    asks: {
      openai: { tools: openAiTools, tool_choice: { type: 'function', function: { name: 'f' } } },
      claude: { tools: claudeTools, tool_choice: { type: 'tool', name: 'f' } },
      gemini: choice('ANY', { allowedFunctionNames: ['f'] }),
    },
    sees: {
      openai: has('tool_choice', { type: 'function', function: { name: 'f' } }),
      claude: has('tool_choice', { type: 'tool', name: 'f' }),
      gemini: has('toolConfig.functionCallingConfig', { mode: 'ANY', allowedFunctionNames: ['f'] }),
    },
  },
  {
    name: 'the choice of any tool',
    asks: {
      openai: { tools: openAiTools, tool_choice: 'required' },
      claude: { tools: claudeTools, tool_choice: { type: 'any' } },
      gemini: choice('ANY'),
    },
    sees: {
      openai: has('tool_choice', 'required'),
      claude: has('tool_choice', { type: 'any' }),
      gemini: has('toolConfig.functionCallingConfig.mode', 'ANY'),
    },
  },
  {
    name: 'the choice of no tool',
    asks: {
      openai: { tools: openAiTools, tool_choice: 'none' },
      claude: { tools: claudeTools, tool_choice: { type: 'none' } },
      gemini: choice('NONE'),
    },
    sees: {
      openai: has('tool_choice', 'none'),
      claude: has('tool_choice', { type: 'none' }),
      gemini: has('toolConfig.functionCallingConfig.mode', 'NONE'),
    },
  },
  {
    name: 'one tool call at a time',
    asks: {
      openai: { tools: openAiTools, parallel_tool_calls: false },
      claude: {
        tools: claudeTools,
        tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      },
      gemini: 'generateContent has no such switch',
    },
    sees: {
      openai: has('parallel_tool_calls', false),
      claude: has('tool_choice', { type: 'auto', disable_parallel_tool_use: true }),
      gemini: 'generateContent has no such switch',
    },
  },
  {
    name: 'two tool calls and their results',
    asks: {
      openai: {
        tools: openAiTools,
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: 'I look',
            tool_calls: ['c1', 'c2'].map((id) => ({
              id,
              type: 'function',
              function: { name: 'f', arguments: `{"a":"${id}"}` },
            })),
          },
          { role: 'tool', tool_call_id: 'c1', content: 'one' },
          { role: 'tool', tool_call_id: 'c2', content: 'two' },
        ],
      },
      claude: {
        tools: claudeTools,
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I look' },
              { type: 'tool_use', id: 'c1', name: 'f', input: { a: 'c1' } },
              { type: 'tool_use', id: 'c2', name: 'f', input: { a: 'c2' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'c1', content: 'one' },
              { type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: 'two' }] },
            ],
          },
        ],
      },
      gemini: {
        tools: geminiTools,
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          {
            role: 'model',
            parts: [
              { text: 'I look' },
              { functionCall: { id: 'c1', name: 'f', args: { a: 'c1' } } },
              { functionCall: { id: 'c2', name: 'f', args: { a: 'c2' } } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { id: 'c1', name: 'f', response: { r: 'one' } } },
              { functionResponse: { id: 'c2', name: 'f', response: { r: 'two' } } },
            ],
          },
        ],
      },
    },
    sees: {
      openai: (body) => {
        const said = JSON.stringify(at(body, 'messages'));
        return (
          said.includes('I look') &&
          at(body, 'messages.1.tool_calls.1.function.arguments') === '{"a":"c2"}' &&
          at(body, 'messages.2.role') === 'tool' &&
          said.includes('one') &&
          said.includes('two')
        );
      },
      claude: (body) => {
        const said = JSON.stringify(at(body, 'messages.1.content'));
        const results = JSON.stringify(at(body, 'messages.2.content'));
        return (
          said.includes('I look') &&
          said.includes('"input":{"a":"c2"}') &&
          results.includes('one') &&
          results.includes('two')
        );
      },
      gemini: (body) => {
        const said = JSON.stringify(at(body, 'contents.1.parts'));
        const results = JSON.stringify(at(body, 'contents.2.parts'));
        return (
          said.includes('I look') &&
          said.includes('"args":{"a":"c2"}') &&
          results.includes('one') &&
          results.includes('two')
        );
      },
    },
  },
  {
    name: 'a picture by its data',
    asks: {
      openai: user(text, {
        type: 'image_url',
        image_url: { url: `data:image/png;base64,${pixel}` },
      }),
      claude: user(text, {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: pixel },
      }),
      gemini: contents({ text: 'Hello' }, { inlineData: { mimeType: 'image/png', data: pixel } }),
    },
    sees: {
      openai: has('messages.0.content.1.image_url.url', `data:image/png;base64,${pixel}`),
      claude: has('messages.0.content.1.source', {
        type: 'base64',
        media_type: 'image/png',
        data: pixel,
      }),
      gemini: has('contents.0.parts.1.inlineData', { mimeType: 'image/png', data: pixel }),
    },
  },
  {
    name: 'a picture by its address',
    asks: {
      openai: user(text, { type: 'image_url', image_url: { url: 'https://pics.test/a.png' } }),
      claude: user(text, {
        type: 'image',
        source: { type: 'url', url: 'https://pics.test/a.png' },
      }),
      gemini: contents(
        { text: 'Hello' },
        { fileData: { mimeType: 'image/png', fileUri: 'https://pics.test/a.png' } },
      ),
    },
    sees: {
      openai: has('messages.0.content.1.image_url.url', 'https://pics.test/a.png'),
      claude: (body) => JSON.stringify(at(body, 'messages')).includes('https://pics.test/a.png'),
      gemini: (body) => JSON.stringify(at(body, 'contents')).includes('https://pics.test/a.png'),
    },
    pairs: {
      'openai>claude': noUrl,
      'openai>gemini': noUrl,
      'claude>gemini': noUrl,
      'gemini>claude': noUrl,
      'claude>bedrock': noUrl,
    },
  },
  {
    name: 'a PDF file',
    asks: {
      openai: user(text, {
        type: 'file',
        file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
      }),
      claude: user(text, {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: pdf },
      }),
      gemini: contents(
        { text: 'Hello' },
        { inlineData: { mimeType: 'application/pdf', data: pdf } },
      ),
    },
    sees: {
      openai: has('messages.0.content.1.file.file_data', `data:application/pdf;base64,${pdf}`),
      claude: has('messages.0.content.1.source.data', pdf),
      gemini: has('contents.0.parts.1.inlineData', { mimeType: 'application/pdf', data: pdf }),
    },
  },
  {
    name: 'sound',
    asks: {
      openai: user(text, { type: 'input_audio', input_audio: { data: wave, format: 'wav' } }),
      claude: 'the Messages API takes no sound',
      gemini: contents({ text: 'Hello' }, { inlineData: { mimeType: 'audio/wav', data: wave } }),
    },
    sees: {
      openai: has('messages.0.content.1.input_audio', { data: wave, format: 'wav' }),
      claude: 'the Messages API takes no sound; the call is refused',
      gemini: has('contents.0.parts.1.inlineData', { mimeType: 'audio/wav', data: wave }),
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
    name: 'signed thoughts of an earlier turn',
    asks: {
      openai: {
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: 'Yes',
            reasoning_content: 'Hm',
            reasoning_details: [{ type: 'reasoning.text', text: 'Hm', signature: 'sig', index: 0 }],
          },
          { role: 'user', content: 'More' },
        ],
      },
      claude: {
        thinking: { type: 'enabled', budget_tokens: 1_024 },
        max_tokens: 4_000,
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm', signature: 'sig' },
              { type: 'text', text: 'Yes' },
            ],
          },
          { role: 'user', content: 'More' },
        ],
      },
      gemini: {
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          {
            role: 'model',
            parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'sig' }],
          },
          { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
        ],
        tools: geminiTools,
      },
    },
    sees: {
      openai: (body) => JSON.stringify(at(body, 'messages')).includes('sig'),
      claude: (body) => JSON.stringify(at(body, 'messages')).includes('"signature":"sig"'),
      gemini: (body) => JSON.stringify(at(body, 'contents')).includes('"thoughtSignature":"sig"'),
    },
    pairs: {
      'claude>openai': 'a proof is worth nothing to anybody but the provider that gave it',
      'claude>gemini': 'a proof is worth nothing to anybody but the provider that gave it',
      'gemini>openai': 'a proof is worth nothing to anybody but the provider that gave it',
      'gemini>claude': 'a proof is worth nothing to anybody but the provider that gave it',
      'openai>gemini': 'this proof is one of Claude; that of Gemini is the next cell',
    },
  },
  {
    name: "the signature of Gemini's call",
    asks: {
      openai: {
        tools: openAiTools,
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                id: 'c1',
                type: 'function',
                function: { name: 'f', arguments: '{}' },
                extra_content: { google: { thought_signature: 'sig' } },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'one' },
        ],
      },
      claude: 'the Messages API has no place for it',
      gemini: 'see signed thoughts',
    },
    sees: {
      openai: (body) => JSON.stringify(at(body, 'messages')).includes('sig'),
      claude: 'a proof is worth nothing to anybody but the provider that gave it',
      gemini: (body) => JSON.stringify(at(body, 'contents')).includes('"thoughtSignature":"sig"'),
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
