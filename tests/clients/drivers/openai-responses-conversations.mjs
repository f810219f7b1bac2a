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
  const user = (content) => ({ type: 'message', role: 'user', content });
  const whole = (body) => client.responses.create({ model, ...body });
  const streamed = (body) => client.responses.stream({ model, ...body }).finalResponse();

  /** A conversation for one call; at the end it must hold `count` items, and can be deleted. */
  const inConversation = async (count, run) => {
    const { id } = await client.conversations.create({ metadata: { of: 'a driver' } });
    const text = await run(id);
    const items = [];
    for await (const item of client.conversations.items.list(id, { limit: 2 })) items.push(item);
    const { deleted } = await client.conversations.delete(id);
    if (items.length < count || !deleted) throw new Error(`holds ${items.length} items`);
    return text;
  };
  const one = (ask, body) =>
    inConversation(2, async (conversation) => (await ask({ ...body, conversation })).output_text);
  /** Only what is new goes up. */
  const roundTrip = ({ ask, prompt, tool, more }) =>
    inConversation(4, async (id) => {
      const terms = { tools: [toolOf(tool)], ...more, conversation: { id } };
      const { output } = await ask({ ...terms, input: prompt });
      return (await ask({ ...terms, input: resultsOf(output, tool) })).output_text;
    });

  return {
    plain: (prompt) => one(whole, { input: prompt }),
    stream: (prompt) => one(streamed, { input: prompt }),
    tool: (prompt, tool) => roundTrip({ ask: whole, prompt, tool }),
    streamedTool: (prompt, tool) => roundTrip({ ask: streamed, prompt, tool }),
    json: (prompt, schema) => {
      const format = { type: 'json_schema', name: 'city', strict: true, schema };
      return one(whole, { input: prompt, text: { format } });
    },
    image: (prompt, picture) => {
      const content = [
        { type: 'input_text', text: prompt },
        { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${picture}` },
      ];
      return one(whole, { input: [user(content)] });
    },
    thinking: (prompt, tool) => {
      const more = {
        reasoning: { effort: 'high', summary: 'auto' },
        include: ['reasoning.encrypted_content'],
      };
      return roundTrip({ ask: streamed, prompt, tool, more });
    },
    system: (prompt, instructions) =>
      inConversation(3, async (id) => {
        const items = [{ type: 'message', role: 'developer', content: instructions }];
        await client.conversations.items.create(id, { items });
        return (await whole({ input: prompt, conversation: id })).output_text;
      }),
  };
};
