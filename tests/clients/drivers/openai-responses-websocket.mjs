import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';

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

const textOf = ({ output }) =>
  output
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => content)
    .map(({ text }) => text)
    .join('');

/** The next response of a connection, and the text that arrived in pieces before it. */
const nextResponse = (socket) =>
  new Promise((resolve, reject) => {
    let joined = '';
    const onDelta = ({ delta }) => {
      joined += delta;
    };
    const settled = (settle) => (value) => {
      socket.off('response.output_text.delta', onDelta);
      settle(value);
    };
    socket.on('response.output_text.delta', onDelta);
    socket.once('response.completed', (event) => settled(resolve)({ ...event.response, joined }));
    socket.once('response.failed', ({ response }) => settled(reject)(response.error));
    socket.once('error', settled(reject));
  });

export const create = ({ url, key, model }) => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const connected = async (run) => {
    const socket = new ResponsesWS(client);
    const ask = (input, more = {}) => {
      socket.send({ type: 'response.create', model, input, store: false, ...more });
      return nextResponse(socket);
    };
    try {
      return await run(ask);
    } finally {
      socket.close();
    }
  };
  const one = (input, more) => connected(async (ask) => textOf(await ask(input, more)));
  const user = (content) => ({ type: 'message', role: 'user', content });
  /** The connection remembers its last response: only what is new goes up. */
  const roundTrip = (prompt, tool, more = {}) =>
    connected(async (ask) => {
      const terms = { tools: [toolOf(tool)], ...more };
      const { id, output } = await ask([user(prompt)], terms);
      const results = resultsOf(output, tool);
      return textOf(await ask(results, { ...terms, previous_response_id: id }));
    });

  return {
    plain: (prompt) => one([user(prompt)]),
    stream: (prompt) => connected(async (ask) => (await ask([user(prompt)])).joined),
    streamedTool: roundTrip,
    json: (prompt, schema) => {
      const format = { type: 'json_schema', name: 'city', strict: true, schema };
      return one([user(prompt)], { text: { format } });
    },
    image: (prompt, picture) => {
      const content = [
        { type: 'input_text', text: prompt },
        { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${picture}` },
      ];
      return one([user(content)]);
    },
    thinking: (prompt, tool) =>
      roundTrip(prompt, tool, {
        reasoning: { effort: 'high', summary: 'auto' },
        include: ['reasoning.encrypted_content'],
      }),
    system: (prompt, instructions) => one([user(prompt)], { instructions }),
  };
};

export const notOffered = { tool: 'a connection answers in events alone' };
