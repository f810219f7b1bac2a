import { Mistral } from '@mistralai/mistralai';

export const notOffered = {
  image: 'the package writes pictures in a form of its own, which OpenAI refuses',
  thinking: 'Chat Completions has no reasoning of its own to send back',
};

export const create = ({ url, key, model }) => {
  const client = new Mistral({ apiKey: key, serverURL: url, retryConfig: { strategy: 'none' } });
  const text = ({ choices }) => choices[0].message.content;
  const ask = (messages, more = {}) => client.chat.complete({ model, messages, ...more });
  const user = (content) => ({ role: 'user', content });
  const toolOf = ({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  });
  const answered = (prompt, message, tool) => [
    user(prompt),
    message,
    ...message.toolCalls.map((call) => ({
      role: 'tool',
      toolCallId: call.id,
      name: tool.name,
      content: tool.run(
        typeof call.function.arguments === 'string'
          ? JSON.parse(call.function.arguments)
          : call.function.arguments,
      ),
    })),
  ];
  return {
    plain: async (prompt) => text(await ask([user(prompt)])),
    stream: async (prompt) => {
      let joined = '';
      for await (const { data } of await client.chat.stream({ model, messages: [user(prompt)] })) {
        joined += data.choices[0]?.delta.content ?? '';
      }
      return joined;
    },
    tool: async (prompt, tool) => {
      const tools = [toolOf(tool)];
      const first = await ask([user(prompt)], { tools });
      return text(await ask(answered(prompt, first.choices[0].message, tool), { tools }));
    },
    json: async (prompt, schema) => {
      const jsonSchema = { name: 'city', schemaDefinition: schema, strict: true };
      const responseFormat = { type: 'json_schema', jsonSchema };
      return text(await ask([user(prompt)], { responseFormat }));
    },
    image: model.startsWith('gpt')
      ? undefined
      : async (prompt, picture) => {
          const imageUrl = `data:image/png;base64,${picture}`;
          const content = [
            { type: 'text', text: prompt },
            { type: 'image_url', imageUrl },
          ];
          return text(await ask([user(content)]));
        },
    system: async (prompt, content) => text(await ask([{ role: 'system', content }, user(prompt)])),
  };
};
