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
  const streamed = async (messages, more = {}) => {
    const whole = { role: 'assistant', content: '', tool_calls: [] };
    let counted = 0;
    for await (const line of await client.chat({ model, messages, stream: true, ...more })) {
      whole.content += line.message.content;
      whole.tool_calls.push(...(line.message.tool_calls ?? []));
      counted = line.eval_count ?? counted;
    }
    if (counted === 0) throw new Error('the stream had no counts');
    return whole;
  };
  const roundTrip = async (run, prompt, { name, description, schema: parameters, ...tool }) => {
    const tools = [{ type: 'function', function: { name, description, parameters } }];
    const message = await run([user(prompt)], { tools });
    const results = message.tool_calls.map((call) => ({
      role: 'tool',
      tool_name: call.function.name,
      content: tool.run(call.function.arguments),
    }));
    return (await run([user(prompt), message, ...results], { tools })).content;
  };
  return {
    plain: async (prompt) => {
      const { models } = await client.list();
      if (!models.some(({ name }) => name === model)) throw new Error('the model is not listed');
      return (await ask([user(prompt)])).content;
    },
    stream: async (prompt) => {
      const { content } = await streamed([user(prompt)]);
      let joined = '';
      for await (const line of await client.generate({ model, prompt, stream: true })) {
        joined += line.response;
      }
      return joined === content ? content : `${content}, but to a prompt: ${joined}`;
    },
    tool: (prompt, tool) => roundTrip(ask, prompt, tool),
    streamedTool: (prompt, tool) => roundTrip(streamed, prompt, tool),
    json: async (prompt, format) => (await ask([user(prompt)], { format })).content,
    image: async (prompt, picture) => (await ask([{ ...user(prompt), images: [picture] }])).content,
    system: async (prompt, content) =>
      (await ask([{ role: 'system', content }, user(prompt)])).content,
  };
};
