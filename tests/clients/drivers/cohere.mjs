import { CohereClientV2 } from 'cohere-ai';

export const notOffered = {
  thinking: 'this API has no proofs of thoughts',
};

export const create = ({ url, key, model }) => {
  const client = new CohereClientV2({ token: key, environment: url });
  const options = { maxRetries: 0 };
  const text = ({ message }) => message.content.map((part) => part.text ?? '').join('');
  const ask = (messages, more = {}) => client.chat({ model, messages, ...more }, options);
  const user = (content) => ({ role: 'user', content });
  return {
    plain: async (prompt) => text(await ask([user(prompt)])),
    stream: async (prompt) => {
      let joined = '';
      const stream = await client.chatStream({ model, messages: [user(prompt)] }, options);
      for await (const event of stream) {
        if (event.type === 'content-delta') joined += event.delta.message.content.text ?? '';
      }
      return joined;
    },
    tool: async (prompt, tool) => {
      const { name, description, schema: parameters } = tool;
      const tools = [{ type: 'function', function: { name, description, parameters } }];
      const { message } = await ask([user(prompt)], { tools });
      const results = message.toolCalls.map((call) => ({
        role: 'tool',
        toolCallId: call.id,
        content: tool.run(JSON.parse(call.function.arguments)),
      }));
      return text(await ask([user(prompt), message, ...results], { tools }));
    },
    system: async (prompt, content) => text(await ask([{ role: 'system', content }, user(prompt)])),
  };
};
