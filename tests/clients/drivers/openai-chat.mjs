import OpenAI from 'openai';

export const notOffered = {
  thinking: 'Chat Completions has no reasoning of its own to send back',
};

const toolOf = ({ name, description, schema }) => ({
  type: 'function',
  function: { name, description, parameters: schema, strict: true },
});

export const create = ({ url, key, model }) => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const text = (answer) => answer.choices[0].message.content;
  const ask = (messages, more = {}) => client.chat.completions.create({ model, messages, ...more });
  const user = (content) => ({ role: 'user', content });

  const answered = (prompt, message, tool) => [
    user(prompt),
    message,
    ...message.tool_calls.map((call) => ({
      role: 'tool',
      tool_call_id: call.id,
      content: tool.run(JSON.parse(call.function.arguments)),
    })),
  ];
  const roundTrip = async (prompt, tool, more = {}) => {
    const tools = [toolOf(tool)];
    const first = await ask([user(prompt)], { tools, ...more });
    return text(await ask(answered(prompt, first.choices[0].message, tool), { tools, ...more }));
  };

  return {
    plain: async (prompt) => text(await ask([user(prompt)])),
    stream: async (prompt) => {
      let joined = '';
      const more = { stream: true, stream_options: { include_usage: true } };
      let usage = null;
      for await (const chunk of await ask([user(prompt)], more)) {
        joined += chunk.choices[0]?.delta.content ?? '';
        usage = chunk.usage ?? usage;
      }
      if (usage === null) throw new Error('the stream had no usage');
      return joined;
    },
    tool: roundTrip,
    streamedTool: async (prompt, tool) => {
      const tools = [toolOf(tool)];
      const run = (messages) =>
        client.chat.completions.stream({ model, messages, tools }).finalMessage();
      const first = await run([user(prompt)]);
      return (await run(answered(prompt, first, tool))).content;
    },
    json: async (prompt, schema) => {
      const response_format = {
        type: 'json_schema',
        json_schema: { name: 'city', strict: true, schema },
      };
      return text(await ask([user(prompt)], { response_format }));
    },
    image: async (prompt, picture) => {
      const url = `data:image/png;base64,${picture}`;
      const content = [
        { type: 'text', text: prompt },
        { type: 'image_url', image_url: { url } },
      ];
      return text(await ask([user(content)]));
    },
    thinking: model.startsWith('gpt')
      ? undefined
      : (prompt, tool) => roundTrip(prompt, tool, { reasoning_effort: 'high' }),
    system: async (prompt, content) => text(await ask([{ role: 'system', content }, user(prompt)])),
  };
};
