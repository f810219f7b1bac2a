import { zhinao as facts } from '../../../domain/channel/providers/zhinao.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter } from '../translate.ts';

/** 360 Zhinao (type 19). */
export const zhinao: TranslatingAdapter = openAiLike({
  operations: ['chat', 'completions', 'embeddings', 'images'],
  baseUrl: facts.baseUrl,
  streamUsage: 'keep',
});
