import OpenAI from 'openai';

const toolOf = ({ name, description, schema }) => ({
  type: 'function',
  name,
  description,
  parameters: schema,
  strict: true,
});

const resultsOf = (output, tool) =>
  output
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id, arguments: text }) => ({
      type: 'function_call_output',
      call_id,
      output: tool.run(JSON.parse(text)),
    }));

export const create = ({ url, key, model }) => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const ask = (input, more = {}) =>
    client.responses.create({ model, input, store: false, ...more });
  const streamed = (input, more = {}) =>
    client.responses.stream({ model, input, store: false, ...more }).finalResponse();
  const user = (content) => ({ role: 'user', content });
  const roundTrip = async ({ prompt, tool, more, run }) => {
    const terms = { tools: [toolOf(tool)], ...more };
    const { output } = await run([user(prompt)], terms);
    const input = [user(prompt), ...output, ...resultsOf(output, tool)];
    return (await run(input, terms)).output_text;
  };

  return {
    plain: async (prompt) => (await ask(prompt)).output_text,
    stream: async (prompt) => (await streamed(prompt)).output_text,
    tool: (prompt, tool) => roundTrip({ prompt, tool, run: ask }),
    streamedTool: (prompt, tool) => roundTrip({ prompt, tool, run: streamed }),
    json: async (prompt, schema) => {
      const format = { type: 'json_schema', name: 'city', strict: true, schema };
      return (await ask(prompt, { text: { format } })).output_text;
    },
    image: async (prompt, picture) => {
      const content = [
        { type: 'input_text', text: prompt },
        { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${picture}` },
      ];
      return (await ask([user(content)])).output_text;
    },
    thinking: (prompt, tool) => {
      const more = {
        reasoning: { effort: 'high', summary: 'auto' },
        include: ['reasoning.encrypted_content'],
      };
      return roundTrip({ prompt, tool, more, run: streamed });
    },
    system: async (prompt, instructions) => (await ask(prompt, { instructions })).output_text,
  };
};
