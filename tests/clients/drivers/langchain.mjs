import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool as toolOf } from '@langchain/core/tools';

const textOf = ({ content }) =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');

const joined = async (stream) => {
  let whole = null;
  for await (const chunk of stream) whole = whole === null ? chunk : whole.concat(chunk);
  return whole;
};

/** The cells of LangChain for one of its chat models. */
export const cellsOf = ({ chat, thinkingChat, jsonMethod }) => {
  const streamedBy = async (model, messages) => joined(await model.stream(messages));
  const invokedBy = (model, messages) => model.invoke(messages);
  const roundTrip = async (ask, model, [prompt, tool]) => {
    const { name, description, schema, run } = tool;
    const bound = model.bindTools([toolOf(run, { name, description, schema })]);
    const question = new HumanMessage(prompt);
    const first = await ask(bound, [question]);
    const results = first.tool_calls.map(
      ({ id, args }) => new ToolMessage({ tool_call_id: id, content: run(args) }),
    );
    return textOf(await ask(bound, [question, first, ...results]));
  };
  return {
    plain: async (prompt) => textOf(await chat.invoke(prompt)),
    stream: async (prompt) => textOf(await joined(await chat.stream(prompt))),
    tool: (...asked) => roundTrip(invokedBy, chat, asked),
    streamedTool: (...asked) => roundTrip(streamedBy, chat, asked),
    json: async (prompt, schema) => {
      const bound = chat.withStructuredOutput(schema, { name: 'city', method: jsonMethod });
      return JSON.stringify(await bound.invoke(prompt));
    },
    image: async (prompt, picture) => {
      const content = [
        { type: 'text', text: prompt },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
      ];
      return textOf(await chat.invoke([new HumanMessage({ content })]));
    },
    thinking:
      thinkingChat === null ? undefined : (...asked) => roundTrip(invokedBy, thinkingChat, asked),
    system: async (prompt, text) =>
      textOf(await chat.invoke([new SystemMessage(text), new HumanMessage(prompt)])),
  };
};
