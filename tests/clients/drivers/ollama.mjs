import { Ollama } from 'ollama';

export const notOffered = {
  thinking: 'this API has no proofs of thoughts',
};

export const create = ({ url, key, model }) => {
  const headers = { authorization: `Bearer ${key}` };
  const client = new Ollama({ host: url, headers });
  const ask = async (messages, more = {}) =>
    (await client.chat({ model, messages, ...more })).message;
  const user = (content) => ({ role: 'user', content });
  return {
    plain: async (prompt) => (await ask([user(prompt)])).content,
    stream: async (prompt) => {
      let joined = '';
      for await (const { message } of await client.chat({
        model,
        messages: [user(prompt)],
        stream: true,
      })) {
        joined += message.content;
      }
      return joined;
    },
    tool: async (prompt, tool) => {
      const { name, description, schema: parameters } = tool;
      const tools = [{ type: 'function', function: { name, description, parameters } }];
      const message = await ask([user(prompt)], { tools });
      const results = message.tool_calls.map((call) => ({
        role: 'tool',
        tool_name: call.function.name,
        content: tool.run(call.function.arguments),
      }));
      return (await ask([user(prompt), message, ...results], { tools })).content;
    },
    json: async (prompt, format) => (await ask([user(prompt)], { format })).content,
    image: async (prompt, picture) => (await ask([{ ...user(prompt), images: [picture] }])).content,
    system: async (prompt, content) =>
      (await ask([{ role: 'system', content }, user(prompt)])).content,
  };
};
