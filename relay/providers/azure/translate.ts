import { openAiLike } from '../shared/openai-like.ts';
import { reasoningBody } from '../shared/reasoning-models.ts';
import type { TranslatingAdapter } from '../translate.ts';
import { deploymentPath } from './deployment-path.ts';

/** The caller's body on the path of a deployment, with a key of Azure's own. */
export const azure: TranslatingAdapter = openAiLike({
  operations: [
    'chat',
    'completions',
    'embeddings',
    'images',
    'speech',
    'transcription',
    'moderations',
  ],
  baseUrl: '',
  path: ({ call, channel }) => deploymentPath(channel, call),
  headers: ({ channel }) => ({ 'api-key': channel.key }),
  body: (body, { call }) => (call.operation === 'chat' ? reasoningBody(body) : body),
  streamUsage: 'ask',
});
