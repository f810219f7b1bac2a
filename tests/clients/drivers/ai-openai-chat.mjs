import { createOpenAI } from '@ai-sdk/openai';
import { cellsOf } from './ai.mjs';

export const notOffered = {
  thinking: 'Chat Completions has no reasoning of its own to send back',
};

export const create = ({ url, key, model }) =>
  cellsOf(createOpenAI({ baseURL: `${url}/v1`, apiKey: key }).chat(model), null);
