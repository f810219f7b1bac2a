import { zhipuV4 as facts } from '../../../domain/channel/providers/zhipu-v4.ts';
import { openAiLike } from '../shared/openai-like.ts';
import { authorization } from '../shared/zhipu/token.ts';
import type { TranslatingAdapter } from '../translate.ts';
import { zhipuBody, zhipuPath } from './request.ts';

/** The fourth version of Zhipu's API. Usage is included by default. */
export const zhipuV4: TranslatingAdapter = openAiLike({
  operations: ['chat', 'embeddings', 'images', 'rerank', 'speech', 'transcription'],
  baseUrl: facts.baseUrl,
  path: zhipuPath,
  headers: (context) => ({ authorization: authorization(context) }),
  body: zhipuBody,
  streamUsage: 'refused',
  finishes: {
    sensitive: 'content_filter',
    model_context_window_exceeded: 'length',
    network_error: 'error',
  },
});
