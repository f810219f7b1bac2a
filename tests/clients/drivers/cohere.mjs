import { CohereClientV2 } from 'cohere-ai';

export const notOffered = {
  thinking: 'this API has no proofs of thoughts',
};

const toolOf = ({ name, description, schema: parameters }) => ({
  type: 'function',
  function: { name, description, parameters },
});

const resultsOf = (calls, tool) =>
  calls.map((call) => ({
    role: 'tool',
    toolCallId: call.id,
    content: tool.run(JSON.parse(call.function.arguments)),
  }));

/** What each event of a stream adds. */
const readers = {
  'content-delta': (whole, { delta }) => {
    whole.joined += delta.message.content.text ?? '';
  },
  'tool-call-start': (whole, { delta }) => {
    whole.toolCalls.push(structuredClone(delta.message.toolCalls));
  },
  'tool-call-delta': (whole, { index, delta }) => {
    whole.toolCalls[index].function.arguments += delta.message.toolCalls.function.arguments;
  },
  'message-end': (whole, { delta }) => {
    whole.usage = delta.usage;
  },
};

export const create = ({ url, key, model }) => {
  const client = new CohereClientV2({ token: key, environment: url });
  const options = { maxRetries: 0 };
  const text = ({ message }) => message.content.map((part) => part.text ?? '').join('');
  const ask = (messages, more = {}) => client.chat({ model, messages, ...more }, options);
  const user = (content) => ({ role: 'user', content });
  const streamed = async (messages, more = {}) => {
    const whole = { joined: '', usage: null, toolCalls: [] };
    for await (const event of await client.chatStream({ model, messages, ...more }, options)) {
      readers[event.type]?.(whole, event);
    }
    if (!(whole.usage?.tokens.outputTokens > 0)) throw new Error('the stream had no usage');
    return { joined: whole.joined, message: { role: 'assistant', toolCalls: whole.toolCalls } };
  };
  return {
    plain: async (prompt) => text(await ask([user(prompt)])),
    stream: async (prompt) => (await streamed([user(prompt)])).joined,
    tool: async (prompt, tool) => {
      const tools = [toolOf(tool)];
      const { message } = await ask([user(prompt)], { tools });
      const results = resultsOf(message.toolCalls, tool);
      return text(await ask([user(prompt), message, ...results], { tools }));
    },
    streamedTool: async (prompt, tool) => {
      const tools = [toolOf(tool)];
      const first = await streamed([user(prompt)], { tools });
      const results = resultsOf(first.message.toolCalls, tool);
      return (await streamed([user(prompt), first.message, ...results], { tools })).joined;
    },
    json: async (prompt, jsonSchema) =>
      text(await ask([user(prompt)], { responseFormat: { type: 'json_object', jsonSchema } })),
    image: async (prompt, picture) => {
      const url = `data:image/png;base64,${picture}`;
      const content = [
        { type: 'text', text: prompt },
        { type: 'image_url', imageUrl: { url } },
      ];
      return text(await ask([user(content)]));
    },
    system: async (prompt, content) => text(await ask([{ role: 'system', content }, user(prompt)])),
  };
};
