import { ChatOpenAI } from '@langchain/openai';
import { cellsOf } from './langchain.mjs';

export const notOffered = {
  thinking: 'Chat Completions has no reasoning of its own to send back',
};

export const create = ({ url, key, model }) => {
  const configuration = { baseURL: `${url}/v1` };
  const chat = new ChatOpenAI({ model, apiKey: key, maxRetries: 0, configuration });
  return cellsOf({ chat, thinkingChat: null, jsonMethod: 'jsonSchema' });
};
