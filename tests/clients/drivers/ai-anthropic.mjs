import { createAnthropic } from '@ai-sdk/anthropic';
import { cellsOf } from './ai.mjs';

export const create = ({ url, key, model }) =>
  cellsOf(createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(model), {
    anthropic: { thinking: { type: 'enabled', budgetTokens: 2_048 } },
  });
