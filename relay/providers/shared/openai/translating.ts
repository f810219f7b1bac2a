import type { TranslatingAdapter, TranslationContext } from '../../translate.ts';
import { openAiLike } from '../openai-like.ts';
import { baseOf, bearer } from '../outgoing.ts';
import { reasoningBody } from '../reasoning-models.ts';

const cloudflareGateway = 'https://gateway.ai.cloudflare.com';

/** That gateway's own path already contains provider and version. */
const urlOf =
  (baseUrl: string) =>
  ({ call, channel }: TranslationContext): string => {
    const base = baseOf(channel, baseUrl);
    const path = base.startsWith(cloudflareGateway) ? call.path.replace(/^\/v1\//, '/') : call.path;
    return base + path;
  };

const headers = ({ channel }: TranslationContext): Readonly<Record<string, string>> => {
  const { organization } = channel.settings;
  const own = bearer(channel);
  return organization === '' ? own : { ...own, 'openai-organization': organization };
};

/** For calls whose body must be rewritten. */
export const translatingOpenAi = (baseUrl: string): TranslatingAdapter =>
  openAiLike({
    operations: [
      'chat',
      'completions',
      'embeddings',
      'images',
      'rerank',
      'speech',
      'transcription',
      'moderations',
    ],
    baseUrl,
    url: urlOf(baseUrl),
    headers,
    body: (own, { call }) => (call.operation === 'chat' ? reasoningBody(own) : own),
    streamUsage: 'ask',
  });
