import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI, Type } from '@google/genai';
import OpenAI from 'openai';
import { toolName } from './stub-provider/protocols.ts';

type Called = Readonly<{ name: string; input: unknown }>;

/** Calls of a test to a client library; each answers through its own types. */
export type ProtocolClient = Readonly<{
  chat: (model: string, text: string) => Promise<string>;
  stream: (model: string, text: string) => Promise<string>;
  tool: (model: string) => Promise<Called>;
  streamedTool: (model: string) => Promise<Called>;
  /** The status of the error that the library throws. */
  failure: (model: string) => Promise<number>;
}>;

const question = 'Where is it?';
const schema = { type: 'object' as const, properties: { city: { type: 'string' as const } } };

const statusOf = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call;
    return 200;
  } catch (error) {
    return typeof error === 'object' && error !== null && 'status' in error
      ? Number(error.status)
      : 0;
  }
};

const openAiClient = (url: string, key: string): ProtocolClient => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const messagesOf = (content: string) => [{ role: 'user' as const, content }];
  const tools = [{ type: 'function' as const, function: { name: toolName, parameters: schema } }];
  const chat: ProtocolClient['chat'] = async (model, text) => {
    const messages = messagesOf(text);
    const answer = await client.chat.completions.create({ model, messages });
    return answer.choices[0]?.message.content ?? '';
  };
  return {
    chat,
    stream: async (model, text) => {
      const messages = messagesOf(text);
      const chunks = await client.chat.completions.create({ model, messages, stream: true });
      let said = '';
      for await (const chunk of chunks) said += chunk.choices[0]?.delta.content ?? '';
      return said;
    },
    tool: async (model) => {
      const messages = messagesOf(question);
      const answer = await client.chat.completions.create({ model, messages, tools });
      const [call] = answer.choices[0]?.message.tool_calls ?? [];
      if (call?.type !== 'function') throw new Error('no call');
      return { name: call.function.name, input: JSON.parse(call.function.arguments) };
    },
    streamedTool: async (model) => {
      const messages = messagesOf(question);
      const run = client.chat.completions.stream({ model, messages, tools });
      const [call] = (await run.finalMessage()).tool_calls ?? [];
      if (call?.type !== 'function') throw new Error('no call');
      return { name: call.function.name, input: JSON.parse(call.function.arguments) };
    },
    failure: (model) => statusOf(chat(model, 'FAIL')),
  };
};

const anthropicClient = (url: string, key: string): ProtocolClient => {
  const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
  const bodyOf = (model: string, content: string) => ({
    model,
    max_tokens: 128,
    messages: [{ role: 'user' as const, content }],
  });
  const tools = [{ name: toolName, input_schema: schema }];
  const calledIn = (answer: Anthropic.Message): Called => {
    const block = answer.content.find(({ type }) => type === 'tool_use');
    if (block?.type !== 'tool_use') throw new Error('no call');
    return { name: block.name, input: block.input };
  };
  const chat: ProtocolClient['chat'] = async (model, text) => {
    const answer = await client.messages.create(bodyOf(model, text));
    return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  };
  return {
    chat,
    stream: (model, text) => client.messages.stream(bodyOf(model, text)).finalText(),
    tool: async (model) =>
      calledIn(await client.messages.create({ ...bodyOf(model, question), tools })),
    streamedTool: async (model) =>
      calledIn(await client.messages.stream({ ...bodyOf(model, question), tools }).finalMessage()),
    failure: (model) => statusOf(chat(model, 'FAIL')),
  };
};

const googleClient = (url: string, key: string): ProtocolClient => {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
  const parameters = { type: Type.OBJECT, properties: { city: { type: Type.STRING } } };
  const config = { tools: [{ functionDeclarations: [{ name: toolName, parameters }] }] };
  const chat: ProtocolClient['chat'] = async (model, contents) =>
    (await client.models.generateContent({ model, contents })).text ?? '';
  return {
    chat,
    stream: async (model, contents) => {
      let said = '';
      for await (const answer of await client.models.generateContentStream({ model, contents })) {
        said += answer.text ?? '';
      }
      return said;
    },
    tool: async (model) => {
      const answer = await client.models.generateContent({ model, contents: question, config });
      const [call] = answer.functionCalls ?? [];
      return { name: call?.name ?? '', input: call?.args };
    },
    streamedTool: async (model) => {
      const asked = { model, contents: question, config };
      for await (const answer of await client.models.generateContentStream(asked)) {
        const [call] = answer.functionCalls ?? [];
        if (call !== undefined) return { name: call.name ?? '', input: call.args };
      }
      throw new Error('no call');
    },
    failure: (model) => statusOf(chat(model, 'FAIL')),
  };
};

/** The official client libraries, each pointed at the product. */
export const protocolClients = {
  openai: openAiClient,
  '@anthropic-ai/sdk': anthropicClient,
  '@google/genai': googleClient,
} as const;
