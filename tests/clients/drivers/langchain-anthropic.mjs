import { ChatAnthropic } from '@langchain/anthropic';
import { cellsOf } from './langchain.mjs';

export const create = ({ url, key, model }) => {
  const terms = { model, apiKey: key, maxRetries: 0, anthropicApiUrl: url, maxTokens: 4_096 };
  const thinking = { type: 'enabled', budget_tokens: 2_048 };
  const chat = new ChatAnthropic(terms);
  return cellsOf({ chat, thinkingChat: new ChatAnthropic({ ...terms, thinking }) });
};
