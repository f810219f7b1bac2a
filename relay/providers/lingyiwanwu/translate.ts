import { lingyiwanwu as facts } from '../../../domain/channel/providers/lingyiwanwu.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter } from '../translate.ts';

/** 01.AI (type 31): quotes of its retrieval models stay in `message.quote`. */
export const lingYiWanWu: TranslatingAdapter = openAiLike({
  operations: ['chat', 'completions', 'embeddings'],
  baseUrl: facts.baseUrl,
  streamUsage: 'keep',
});
