import { GoogleGenAI } from '@google/genai';

const resultsOf = (calls, tool) =>
  calls.map(({ id, name, args }) => ({
    functionResponse: { id, name, response: { output: tool.run(args) } },
  }));

export const create = ({ url, key, model }) => {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
  const ask = (contents, config = {}) => client.models.generateContent({ model, contents, config });
  const streamed = async (contents, config = {}) => {
    const parts = [];
    for await (const chunk of await client.models.generateContentStream({
      model,
      contents,
      config,
    })) {
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    }
    const text = parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('');
    const functionCalls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    return { text, functionCalls, candidates: [{ content: { role: 'model', parts } }] };
  };
  const user = (parts) => ({ role: 'user', parts });
  const roundTrip = async ({ prompt, tool, more, run }) => {
    const { name, description, schema } = tool;
    const declaration = { name, description, parametersJsonSchema: schema };
    const config = { tools: [{ functionDeclarations: [declaration] }], ...more };
    const first = await run([user([{ text: prompt }])], config);
    const history = [
      user([{ text: prompt }]),
      first.candidates[0].content,
      user(resultsOf(first.functionCalls, tool)),
    ];
    return (await run(history, config)).text;
  };

  return {
    plain: async (prompt) => (await ask(prompt)).text,
    stream: async (prompt) => (await streamed(prompt)).text,
    tool: (prompt, tool) => roundTrip({ prompt, tool, run: ask }),
    streamedTool: (prompt, tool) => roundTrip({ prompt, tool, run: streamed }),
    json: async (prompt, responseJsonSchema) => {
      const config = { responseMimeType: 'application/json', responseJsonSchema };
      return (await ask(prompt, config)).text;
    },
    image: async (prompt, data) => {
      const parts = [{ text: prompt }, { inlineData: { mimeType: 'image/png', data } }];
      return (await ask([user(parts)])).text;
    },
    thinking: (prompt, tool) => {
      const more = { thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } };
      return roundTrip({ prompt, tool, more, run: streamed });
    },
    caches: async (prompt, text) => {
      const { name } = await client.caches.create({ model, config: { contents: text } });
      const answer = await ask(prompt, { cachedContent: name });
      await client.caches.delete({ name });
      const { cachedContentTokenCount } = answer.usageMetadata;
      return `${answer.text}; ${cachedContentTokenCount > 1_024 ? 'read' : 'not read'}`;
    },
    system: async (prompt, systemInstruction) => (await ask(prompt, { systemInstruction })).text,
  };
};
