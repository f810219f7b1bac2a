import { configurationError, refuse } from '../../protocol/refusal.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter, TranslationContext } from '../translate.ts';

/** The base URL is the whole address for every operation, with `{model}` in place of the name. */
const url = ({ call, channel }: TranslationContext): string => {
  const address = channel.settings.baseUrl.replaceAll('{model}', call.upstreamModel);
  const isAddress = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  return isAddress ? address : refuse(configurationError('The channel has no usable base URL'));
};

/** A server with OpenAI's protocol at one address (type 8). */
export const custom: TranslatingAdapter = openAiLike({
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
  baseUrl: '',
  url,
  streamUsage: 'ask',
});
