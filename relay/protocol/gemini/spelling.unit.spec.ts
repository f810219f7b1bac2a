import { expect, test } from 'vitest';
import { withCamelCase } from './spelling.ts';

const rewritten = (body: unknown): unknown =>
  JSON.parse(withCamelCase(Buffer.from(JSON.stringify(body))).toString());

test('members of the API get their first spelling, at every level', () => {
  const body = {
    system_instruction: { parts: [{ text: 'a_b max_output_tokens' }] },
    contents: [{ role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'x' } }] }],
    generation_config: {
      max_output_tokens: 5,
      thinking_config: { include_thoughts: true, thinking_budget: 3 },
      response_mime_type: 'application/json',
    },
    tools: [
      {
        function_declarations: [
          {
            name: 'look_up',
            parameters: {
              type: 'object',
              properties: { max_length: { type: 'string', any_of: [{ max_length: 3 }] } },
            },
          },
        ],
      },
    ],
  };
  expect(rewritten(body)).toEqual({
    systemInstruction: { parts: [{ text: 'a_b max_output_tokens' }] },
    contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'x' } }] }],
    generationConfig: {
      maxOutputTokens: 5,
      thinkingConfig: { includeThoughts: true, thinkingBudget: 3 },
      responseMimeType: 'application/json',
    },
    tools: [
      {
        functionDeclarations: [
          {
            name: 'look_up',
            parameters: {
              type: 'object',
              properties: { max_length: { type: 'string', anyOf: [{ maxLength: 3 }] } },
            },
          },
        ],
      },
    ],
  });
});

test("what is the caller's own keeps its names", () => {
  const call = { name: 'f', args: { mime_type: 1, top_p: { file_data: 2 } } };
  const body = {
    generation_config: {},
    contents: [
      { parts: [{ function_call: call }] },
      { parts: [{ functionResponse: { name: 'f', response: { display_name: 1 } } }] },
    ],
    tools: [{ functionDeclarations: [{ parameters_json_schema: { any_of: [] } }] }],
  };
  expect(rewritten(body)).toEqual({
    generationConfig: {},
    contents: [
      { parts: [{ functionCall: call }] },
      { parts: [{ functionResponse: { name: 'f', response: { display_name: 1 } } }] },
    ],
    tools: [{ functionDeclarations: [{ parametersJsonSchema: { any_of: [] } }] }],
  });
});

test.each([
  '{"contents":[{"parts":[{"text":"max_output_tokens a_b_c"}]}]}',
  'no json_at "all_of',
  '',
])('a body without such a member is not touched: %s', (text) => {
  const body = Buffer.from(text);
  expect(withCamelCase(body)).toBe(body);
});
