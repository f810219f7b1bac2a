import { countTokens as exactO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { countPrompt } from './count-tokens.ts';

const model = 'gpt-4o';
const long = 'The weather report of the coast says rain, wind and some sun. '.repeat(40);
const message = (content: unknown, more: object = {}) => ({ role: 'user', content, ...more });

/** What a request counts for more than the same with nothing in that place. */
const added = async (withIt: object, without: object): Promise<number> =>
  (await countPrompt(withIt, model)) - (await countPrompt(without, model));

describe('everything that is billed is counted', () => {
  const tokens = exactO200k(long);
  const around = (count: number): void => {
    expect(count).toBeGreaterThan(tokens * 0.98);
    expect(count).toBeLessThan(tokens * 1.1 + 40);
  };
  const empty = { messages: [message('')] };
  const chat = (content: unknown, more: object = {}) => ({ messages: [message(content, more)] });

  test.each([
    ['a text', chat(long)],
    ['a text part', chat([{ type: 'text', text: long }])],
    ['a result of a tool as text', chat([{ type: 'tool_result', content: long }])],
    [
      'a result of a tool as parts',
      chat([{ type: 'tool_result', content: [{ type: 'text', text: long }] }]),
    ],
    ['a call of a tool', chat([{ type: 'tool_use', name: 'f', input: { text: long } }])],
    [
      'a call of a tool with its arguments as an object',
      chat('', { tool_calls: [{ function: { name: 'f', arguments: { text: long } } }] }),
    ],
    ['a plan before calls', chat('', { tool_plan: long })],
    ['a document in a result', chat([{ type: 'document', document: { data: long } }])],
    ['a document beside the conversation', { ...empty, documents: [{ data: { text: long } }] }],
    ['a schema of the answer', { ...empty, format: { type: 'object', description: long } }],
    ['texts to embed', { texts: [long] }],
    ['a thought', chat([{ type: 'thinking', thinking: long, signature: 's'.repeat(900) }])],
    [
      'a document of text',
      chat([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: long } }]),
    ],
    [
      'a document of parts',
      chat([
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: long }] } },
      ]),
    ],
    [
      'a search result',
      chat([{ type: 'search_result', title: 't', content: [{ type: 'text', text: long }] }]),
    ],
    ['a part of a kind to come', chat([{ type: 'new_kind', anything: { inside: [long] } }])],
    [
      'arguments of a call in OpenAI messages',
      chat('', { tool_calls: [{ type: 'function', function: { name: 'f', arguments: long } }] }),
    ],
    ['reasoning that comes back', chat('', { reasoning_content: long })],
    ['instructions of Claude', { ...empty, system: long }],
    ['instructions of Claude in blocks', { ...empty, system: [{ type: 'text', text: long }] }],
    [
      'a definition of a tool',
      { ...empty, tools: [{ type: 'function', function: { name: 'f', description: long } }] },
    ],
    [
      'the shape that an answer must have',
      {
        ...empty,
        response_format: { type: 'json_schema', json_schema: { schema: { description: long } } },
      },
    ],
    ['a text in the Responses API', { ...empty, input: long }],
    ['an item in the Responses API', { ...empty, input: [message(long)] }],
    [
      'a result in the Responses API',
      { ...empty, input: [{ type: 'function_call_output', call_id: 'c', output: long }] },
    ],
    [
      'a call in the Responses API',
      { ...empty, input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: long }] },
    ],
    [
      'a thought in the Responses API',
      { ...empty, input: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: long }] }] },
    ],
    ['instructions in the Responses API', { ...empty, instructions: long }],
    ['a turn of Gemini', { ...empty, contents: [{ role: 'user', parts: [{ text: long }] }] }],
    [
      'a call of Gemini',
      {
        ...empty,
        contents: [{ role: 'model', parts: [{ functionCall: { name: 'f', args: { a: long } } }] }],
      },
    ],
    [
      'a result of Gemini',
      {
        ...empty,
        contents: [{ parts: [{ functionResponse: { name: 'f', response: { a: long } } }] }],
      },
    ],
    ['instructions of Gemini', { ...empty, systemInstruction: { parts: [{ text: long }] } }],
    [
      'a request inside a request of Gemini',
      { ...empty, generateContentRequest: { contents: [{ parts: [{ text: long }] }] } },
    ],
    [
      'tools of Gemini',
      { ...empty, tools: [{ functionDeclarations: [{ name: 'f', description: long }] }] },
    ],
    [
      'a text as a file of Gemini',
      {
        ...empty,
        contents: [
          {
            parts: [
              {
                inlineData: {
                  mimeType: 'text/plain',
                  data: Buffer.from(long).toString('base64'),
                },
              },
            ],
          },
        ],
      },
    ],
    ['a completion prompt', { ...empty, prompt: long }],
    ['what a completion is followed by', { ...empty, prompt: '', suffix: long }],
    ['a message of a tool', chat('', { role: 'tool', tool_call_id: 'c', content: long })],
    ['a function of the older form', { ...empty, functions: [{ name: 'f', description: long }] }],
    ['a call of the older form', chat('', { function_call: { name: 'f', arguments: long } })],
    ['reasoning by its other name', chat('', { reasoning: long })],
    [
      'a thought with its words and their summary',
      {
        ...empty,
        input: [
          {
            type: 'reasoning',
            summary: [{ type: 'summary_text', text: long.slice(0, long.length / 2) }],
            content: [{ type: 'reasoning_text', text: long.slice(long.length / 2) }],
          },
        ],
      },
    ],
    [
      'tools that a server listed',
      {
        ...empty,
        input: [
          {
            type: 'mcp_list_tools',
            tools: [{ name: 'f', input_schema: { type: 'object', description: long } }],
          },
        ],
      },
    ],
    ['documents to rank', { ...empty, query: '', documents: [{ text: long }] }],
    ['embeddings of Gemini', { ...empty, requests: [{ content: { parts: [{ text: long }] } }] }],
  ])('%s', async (_what, request) => around(await added(request, empty)));
});

describe('long text without a blank', () => {
  // Base64 as a tool prints it: text to its provider.
  const printed = Buffer.from(long.repeat(4)).toString('base64');
  const tokens = exactO200k(printed);
  const parts = [{ type: 'text', text: printed }];
  const empty = { messages: [message('')] };

  test.each([
    ['a text part', { messages: [message(parts)] }],
    ['a result of a tool', { messages: [message([{ type: 'tool_result', content: printed }])] }],
    [
      'a result of a tool in parts',
      { messages: [message([{ type: 'tool_result', content: parts }])] },
    ],
    ['a part of Gemini', { ...empty, contents: [{ parts: [{ text: printed }] }] }],
    [
      'a result in the Responses API',
      { ...empty, input: [{ type: 'function_call_output', output: printed }] },
    ],
    [
      'a call in the Responses API',
      { ...empty, input: [{ type: 'function_call', name: 'f', arguments: printed }] },
    ],
  ])('counts in %s', async (_what, request) => {
    const count = await added(request, empty);
    expect(Math.abs(count / tokens - 1)).toBeLessThan(0.05);
  });

  test('20,000 tokens in a result of a tool count as about that', async () => {
    const text = 'The report says rain. '.repeat(4_000);
    const result = { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text }] };
    const exact = exactO200k(text);
    expect(exact).toBe(20_001);
    const count = await countPrompt({ messages: [message([result])] }, model);
    expect(Math.abs(count - exact)).toBeLessThan(20);
  });
});

describe('what is no text is counted by rule', () => {
  const png = (width: number, height: number): string => {
    const head = Buffer.alloc(64);
    head.write('\x89PNG\r\n\x1a\n', 'latin1');
    head.writeUInt32BE(13, 8);
    head.write('IHDR', 12);
    head.writeUInt32BE(width, 16);
    head.writeUInt32BE(height, 20);
    return head.toString('base64');
  };
  const asked = (part: object) => ({ messages: [message([part])] });
  const of = async (part: object, name: string): Promise<number> =>
    (await countPrompt(asked(part), name)) - (await countPrompt({ messages: [message([])] }, name));
  const url = (base64: string, detail?: string) => ({
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${base64}`, detail },
  });

  // 170 for each tile of 512 and 85, as OpenAI's guide works it out for these sizes.
  test.each([
    [1_024, 1_024, 765],
    [2_048, 4_096, 1_105],
    [512, 512, 255],
  ])('a picture of %i by %i for OpenAI', async (width, height, tokens) => {
    expect(await of(url(png(width, height)), 'gpt-4o')).toBe(tokens);
  });

  test('a picture at low detail, and one by address', async () => {
    expect(await of(url(png(4_096, 4_096), 'low'), 'gpt-4o')).toBe(85);
    expect(await of({ type: 'image_url', image_url: { url: 'https://x/y.png' } }, 'gpt-4o')).toBe(
      765,
    );
  });

  test('a picture for Claude takes a token for 750 points', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: png(1_000, 1_000) };
    expect(await of({ type: 'image', source }, 'claude-sonnet-4')).toBe(1_334);
  });

  test('pictures and sound for Gemini', async () => {
    const data = (mimeType: string, base64: string) => ({ inlineData: { mimeType, data: base64 } });
    expect(await of(data('image/png', png(300, 300)), 'gemini-2.5-pro')).toBe(258);
    expect(await of(data('image/png', png(1_536, 768)), 'gemini-2.5-pro')).toBe(516);
    const sound = Buffer.alloc(40_000).toString('base64');
    expect(await of(data('audio/x-unknown', sound), 'gemini-2.5-pro')).toBe(320);
  });

  test('pictures of items of the Responses API', async () => {
    const shown = (data: string) => `data:image/png;base64,${data}`;
    const items = async (item: object): Promise<number> =>
      (await countPrompt({ input: [item] }, 'gpt-4o')) -
      (await countPrompt({ input: [] }, 'gpt-4o'));
    const picture = `${png(512, 512)}${'A'.repeat(100_000)}`;
    const output = { type: 'computer_screenshot', image_url: shown(picture) };
    expect(await items({ type: 'computer_call_output', call_id: 'c', output })).toBe(255);
    expect(await items({ type: 'image_generation_call', id: 'i', result: picture })).toBe(255);
  });

  test('a film by its bytes is no text', async () => {
    const film = `data:video/mp4;base64,${'A'.repeat(400_000)}`;
    // 300,000 bytes of sound without a head: 75 seconds of 10 tokens.
    expect(await of({ type: 'video_url', video_url: { url: film } }, 'qwen-vl-max')).toBe(750);
    expect(await of({ type: 'unknown', there: { url: film } }, 'qwen-vl-max')).toBe(0);
  });

  test.each([
    ['claude-sonnet-4', 4_000],
    ['gemini-2.5-pro', 516],
    ['gpt-4o', 3_000],
  ])('a document of two pages for %s', async (name, tokens) => {
    const pages = '<< /Type /Pages /Count 2 >> << /Type /Page >> << /Type /Page >>';
    const data = Buffer.from(`%PDF-1.4 ${pages}`).toString('base64');
    const source = { type: 'base64', media_type: 'application/pdf', data };
    expect(await of({ type: 'document', source }, name)).toBe(tokens);
    const inlineData = { mimeType: 'application/pdf', data };
    expect(await of({ inlineData }, name)).toBe(tokens);
    const file = { file_data: `data:application/pdf;base64,${data}` };
    expect(await of({ type: 'file', file }, name)).toBe(tokens);
  });

  test('a picture next to a text counts as one within', async () => {
    const data = Buffer.alloc(2_000, 1).toString('base64');
    const url = `data:image/png;base64,${data}`;
    const within = await of({ type: 'image_url', image_url: { url } }, 'gpt-4o');
    const beside = { messages: [message('', { images: [data] })] };
    expect(within).toBeGreaterThan(0);
    expect(await added(beside, { messages: [message('')] })).toBe(within);
  });

  test('the bytes of a picture are never taken for words', async () => {
    const data = 'A'.repeat(400_000);
    const source = { type: 'base64', media_type: 'image/png', data };
    expect(await of({ type: 'image', source }, 'claude-sonnet-4')).toBeLessThan(2_000);
    expect(await of({ type: 'unknown', bytes: data }, 'claude-sonnet-4')).toBe(0);
  });
});
