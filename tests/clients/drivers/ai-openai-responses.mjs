import { createOpenAI } from '@ai-sdk/openai';
import { cellsOf } from './ai.mjs';

export const create = ({ url, key, model }) =>
  cellsOf(createOpenAI({ baseURL: `${url}/v1`, apiKey: key }).responses(model), {
    openai: {
      store: false,
      forceReasoning: true,
      reasoningEffort: 'high',
      reasoningSummary: 'auto',
      include: ['reasoning.encrypted_content'],
    },
  });
