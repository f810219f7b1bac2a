import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { cellsOf } from './ai.mjs';

export const create = ({ url, key, model }) =>
  cellsOf(createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: key })(model), {
    google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } },
  });
