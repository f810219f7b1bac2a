import { ChatOpenAI } from '@langchain/openai';
import { cellsOf } from './langchain.mjs';

export const notOffered = {
  thinking: 'the package sends `reasoning` only for models with names of OpenAI',
};

export const create = ({ url, key, model }) => {
  const configuration = { baseURL: `${url}/v1` };
  const terms = { model, apiKey: key, maxRetries: 0, configuration, useResponsesApi: true };
  const reasoning = { effort: 'high', summary: 'auto' };
  const chat = new ChatOpenAI(terms);
  const thinkingChat = new ChatOpenAI({ ...terms, reasoning, zdrEnabled: true });
  // The package sends `reasoning` for models of OpenAI's names alone.
  const ownThinking = model.startsWith('gpt-5') ? thinkingChat : null;
  return cellsOf({ chat, thinkingChat: ownThinking, jsonMethod: 'jsonSchema' });
};
