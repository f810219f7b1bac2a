import { openrouter as facts } from '../../../domain/channel/providers/openrouter.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { openAiLike } from '../shared/openai-like.ts';
import { bearer } from '../shared/outgoing.ts';
import type { TranslatingAdapter, TranslationContext } from '../translate.ts';

const isHeaderSafe = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]+$/.test(text);

const headers = ({ channel, settings }: TranslationContext): Readonly<Record<string, string>> => {
  const { address = '', name = '' } = settings.site ?? {};
  return {
    ...bearer(channel),
    ...(isHeaderSafe(address) ? { 'http-referer': address } : {}),
    ...(isHeaderSafe(name) ? { 'x-title': name } : {}),
  };
};

/** Most clients read reasoning under the other name. */
const message = (own: JsonObject): JsonObject =>
  typeof own.reasoning === 'string' && own.reasoning_content === undefined
    ? { ...own, reasoning_content: own.reasoning }
    : own;

/** Usage is sent by default, with the last chunk. */
export const openRouter: TranslatingAdapter = openAiLike({
  operations: ['chat', 'completions', 'embeddings'],
  baseUrl: facts.baseUrl,
  streamUsage: 'keep',
  headers,
  message,
});
