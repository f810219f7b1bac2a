import Anthropic from '@anthropic-ai/sdk';

const toolOf = ({ name, description, schema }) => ({ name, description, input_schema: schema });

const textOf = ({ content }) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

const resultsOf = ({ content }, tool) =>
  content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, input }) => ({ type: 'tool_result', tool_use_id: id, content: tool.run(input) }));

export const create = ({ url, key, model }) => {
  const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
  const ask = (messages, more = {}) =>
    client.messages.create({ model, max_tokens: 4_096, messages, ...more });
  const streamed = (messages, more = {}) =>
    client.messages.stream({ model, max_tokens: 4_096, messages, ...more }).finalMessage();
  const user = (content) => ({ role: 'user', content });
  const roundTrip = async ({ prompt, tool, more, run }) => {
    const terms = { tools: [toolOf(tool)], ...more };
    const first = await run([user(prompt)], terms);
    const { role, content } = first;
    const history = [user(prompt), { role, content }, user(resultsOf(first, tool))];
    return textOf(await run(history, terms));
  };

  return {
    plain: async (prompt) => textOf(await ask([user(prompt)])),
    stream: async (prompt) => textOf(await streamed([user(prompt)])),
    tool: (prompt, tool) => roundTrip({ prompt, tool, run: ask }),
    streamedTool: (prompt, tool) => roundTrip({ prompt, tool, run: streamed }),
    json: async (prompt, schema) => {
      const output_config = { format: { type: 'json_schema', schema } };
      return textOf(await ask([user(prompt)], { output_config }));
    },
    image: async (prompt, picture) => {
      const source = { type: 'base64', media_type: 'image/png', data: picture };
      const content = [
        { type: 'image', source },
        { type: 'text', text: prompt },
      ];
      return textOf(await ask([user(content)]));
    },
    thinking: (prompt, tool) => {
      const more = { thinking: { type: 'enabled', budget_tokens: 2_048 } };
      return roundTrip({ prompt, tool, more, run: streamed });
    },
    system: async (prompt, system) => textOf(await ask([user(prompt)], { system })),
  };
};
