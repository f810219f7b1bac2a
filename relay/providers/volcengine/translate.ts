import { volcengine as facts } from '../../../domain/channel/providers/volcengine.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject } from '../../protocol/json.ts';
import { openAiLike } from '../shared/openai-like.ts';
import { withSpeech } from '../shared/speech.ts';
import type { TranslatingAdapter, TranslationContext } from '../translate.ts';
import { volcEngineSpeech } from './speech.ts';

const thinkingSuffix = '-thinking';

const isMixed = ({ input }: JsonObject): boolean => Array.isArray(input) && input.some(isObject);

/** Bots and inputs with pictures have paths of their own. */
const path = ({ call }: TranslationContext): string => {
  const own = call.path.replace(/^\/v1\//, '/api/v3/');
  if (call.operation === 'chat' && call.upstreamModel.startsWith('bot')) {
    return own.replace('/api/v3/', '/api/v3/bots/');
  }
  const isMultimodal = call.operation === 'embeddings' && isMixed(call.body);
  return isMultimodal ? '/api/v3/embeddings/multimodal' : own;
};

const body = (own: JsonObject): JsonObject => {
  const { model } = own;
  const asksToThink =
    typeof model === 'string' && model.startsWith('deepseek') && model.endsWith(thinkingSuffix);
  if (!asksToThink) return own;
  const name = model.slice(0, -thinkingSuffix.length);
  return { ...own, model: name, thinking: own.thinking ?? { type: 'enabled' } };
};

const ark = openAiLike({
  operations: ['chat', 'embeddings', 'images', 'rerank'],
  baseUrl: facts.baseUrl,
  path,
  body,
  streamUsage: 'ask',
});

/** ByteDance VolcEngine Ark (type 45): the model is a name or the id of an endpoint. */
export const volcEngine: TranslatingAdapter = withSpeech(ark, volcEngineSpeech);
