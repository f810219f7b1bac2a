import {
  choice,
  claudeTools,
  geminiTools,
  openAiTools,
  type RequestFeature,
} from './request-options.ts';
import { at, has } from './tables.ts';

/** What the model may call, and what it has called. */
export const requestTools: readonly RequestFeature[] = [
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
        const sent = JSON.stringify(at(body, 'messages'));
        return (
          sent.includes('I look') &&
          at(body, 'messages.1.tool_calls.1.function.arguments') === '{"a":"c2"}' &&
          at(body, 'messages.2.role') === 'tool' &&
          sent.includes('one') &&
          sent.includes('two')
        );
      },
      claude: (body) => {
        const sent = JSON.stringify(at(body, 'messages.1.content'));
        const results = JSON.stringify(at(body, 'messages.2.content'));
        return (
          sent.includes('I look') &&
          sent.includes('"input":{"a":"c2"}') &&
          results.includes('one') &&
          results.includes('two')
        );
      },
      gemini: (body) => {
        const sent = JSON.stringify(at(body, 'contents.1.parts'));
        const results = JSON.stringify(at(body, 'contents.2.parts'));
        return (
          sent.includes('I look') &&
          sent.includes('"args":{"a":"c2"}') &&
          results.includes('one') &&
          results.includes('two')
        );
      },
    },
  },
];
