import { openAiLike } from '../shared/openai-like.ts';
import { baseOf, bearer } from '../shared/outgoing.ts';
import { reasoningBody } from '../shared/reasoning-models.ts';
import type { TranslatingAdapter, TranslationContext } from '../translate.ts';
import { variants } from './variants.ts';

const cloudflareGateway = 'https://gateway.ai.cloudflare.com';

/** That gateway's own path already says which provider and version. */
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

const openAiAt = (baseUrl: string): TranslatingAdapter =>
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

/** Resellers that differ by their address alone (provider sheet, section 1). */
const resellers: ReadonlySet<number> = new Set([1, 6, 7, 9, 10, 12, 13]);

/** OpenAI itself and its resellers by channel type, for calls whose body must be rewritten. */
export const translatingOpenAi: readonly (readonly [number, TranslatingAdapter])[] = variants
  .filter(({ type }) => resellers.has(type))
  .map(({ type, baseUrl }) => [type, openAiAt(baseUrl)]);

export const openAi: TranslatingAdapter = openAiAt('https://api.openai.com');
