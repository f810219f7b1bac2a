import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  tool as toolOf,
} from '@openai/agents';
import OpenAI from 'openai';

/** The cells of @openai/agents over one of its two APIs. */
export const agentCells = ({ url, key, model }, { api, modelSettings }) => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const Model = api === 'chat' ? OpenAIChatCompletionsModel : OpenAIResponsesModel;
  const runner = new Runner({ tracingDisabled: true });
  const agentOf = (more = {}) =>
    new Agent({ name: 'test', model: new Model(client, model), ...more });
  const run = async (agent, input) => (await runner.run(agent, input)).finalOutput;
  const streamed = async (agent, input) => {
    const result = await runner.run(agent, input, { stream: true });
    let text = '';
    for await (const part of result.toTextStream()) text += part;
    await result.completed;
    return text;
  };
  const withTool = ({ name, description, schema, run: execute }, more = {}) =>
    agentOf({
      tools: [toolOf({ name, description, parameters: schema, strict: true, execute })],
      ...more,
    });
  return {
    plain: (prompt) => run(agentOf(), prompt),
    stream: (prompt) => streamed(agentOf(), prompt),
    tool: (prompt, tool) => run(withTool(tool), prompt),
    streamedTool: (prompt, tool) => streamed(withTool(tool), prompt),
    json: async (prompt, schema) => {
      const outputType = { type: 'json_schema', name: 'city', strict: true, schema };
      return JSON.stringify(await run(agentOf({ outputType }), prompt));
    },
    image: (prompt, picture) => {
      const content = [
        { type: 'input_text', text: prompt },
        { type: 'input_image', image: `data:image/png;base64,${picture}` },
      ];
      return run(agentOf(), [{ role: 'user', content }]);
    },
    thinking:
      modelSettings === null
        ? undefined
        : (prompt, tool) => streamed(withTool(tool, { modelSettings }), prompt),
    system: (prompt, instructions) => run(agentOf({ instructions }), prompt),
  };
};
