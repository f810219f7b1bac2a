import {
  generateObject,
  generateText,
  jsonSchema,
  stepCountIs,
  streamText,
  tool as toolOf,
} from 'ai';

/** The cells of the `ai` package, for one of its providers. */
export const cellsOf = (model, thinkingOptions) => {
  const base = { model, maxRetries: 0 };
  const toolsOf = ({ name, description, schema, run }) => ({
    [name]: toolOf({ description, inputSchema: jsonSchema(schema), execute: run }),
  });
  const streamed = async (terms) => {
    let failure = null;
    const stream = streamText({
      ...base,
      ...terms,
      onError: ({ error }) => {
        failure = error;
      },
    });
    let text = '';
    for await (const part of stream.textStream) text += part;
    if (failure !== null) throw failure;
    return text;
  };
  const steps = (prompt, tool) => ({
    prompt,
    tools: toolsOf(tool),
    stopWhen: stepCountIs(3),
  });
  return {
    plain: async (prompt) => (await generateText({ ...base, prompt })).text,
    stream: (prompt) => streamed({ prompt }),
    tool: async (prompt, tool) => (await generateText({ ...base, ...steps(prompt, tool) })).text,
    streamedTool: (prompt, tool) => streamed(steps(prompt, tool)),
    json: async (prompt, schema) => {
      const { object } = await generateObject({ ...base, prompt, schema: jsonSchema(schema) });
      return JSON.stringify(object);
    },
    image: async (prompt, image) => {
      const content = [
        { type: 'text', text: prompt },
        { type: 'image', image, mediaType: 'image/png' },
      ];
      return (await generateText({ ...base, messages: [{ role: 'user', content }] })).text;
    },
    thinking:
      thinkingOptions === null
        ? undefined
        : (prompt, tool) => streamed({ ...steps(prompt, tool), providerOptions: thinkingOptions }),
    system: async (prompt, system) => (await generateText({ ...base, prompt, system })).text,
  };
};
